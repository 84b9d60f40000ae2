#pragma once

// What host and kernels share about unary operators.

template <typename T>
struct NanToNumParams {
  T nan;
  T posinf;
  T neginf;
};
