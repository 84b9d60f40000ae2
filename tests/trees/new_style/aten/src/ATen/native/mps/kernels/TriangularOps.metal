#include <ATen/native/mps/kernels/Triangular.h>
