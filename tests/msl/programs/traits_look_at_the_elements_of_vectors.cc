// Traits look at the elements of vectors.
static_assert(is_floating_point_v<float> && is_floating_point_v<half> && is_floating_point_v<bfloat>);
static_assert(is_floating_point_v<half3> && is_floating_point_v<const float> && !is_floating_point_v<int4>);
static_assert(is_integral_v<uchar2> && is_integral_v<bool> && !is_integral_v<bfloat>);
static_assert(is_signed_v<int2> && is_unsigned_v<ushort3> && is_signed_v<float> && !is_unsigned_v<float>);
static_assert(is_scalar_v<bfloat> && is_scalar_v<half> && !is_scalar_v<float2> && is_vector_v<packed_int3>);
static_assert(is_arithmetic_v<float4> && !is_arithmetic_v<void> && !is_class_v<float4> && !is_class_v<bfloat>);
static_assert(is_same_v<make_unsigned_t<int3>, uint3> && is_same_v<make_signed_t<uchar>, int8_t>);
static_assert(is_same_v<make_scalar_t<packed_half3>, half> && vec_elements<float3>::value == 3);
static_assert(is_same_v<remove_cv_t<const volatile int>, int> && is_same_v<decay_t<int(&)[2]>, int *>);
static_assert(is_same_v<conditional_t<true, int, float>, int> && conjunction_v<true_type, false_type> == false);
static_assert(is_same_v<common_type_t<int, float>, float> && extent_v<int[3]> == 3 && rank_v<int[2][3]> == 2);
enum colour { red }; static_assert(is_enum_v<colour> && is_pointer_v<float *> && !is_pointer_v<float>);
