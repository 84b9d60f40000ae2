// MSL 1.5: the type traits of C++17. Those about numbers look at the elements of a vector.
#pragma once
#pragma clang system_header
#include <mkls/forward.h>

// Not the whole of C++17: a trait that Apple's library lacks is left to programs, some of which add it to namespace metal.
namespace metal {

template <class T, T Value> struct integral_constant {
  static constexpr T value = Value;
  using value_type = T;
  using type = integral_constant;
  constexpr operator T() const { return Value; }
  constexpr T operator()() const { return Value; }
};
template <bool Value> using bool_constant = integral_constant<bool, Value>;
using true_type = bool_constant<true>;
using false_type = bool_constant<false>;

template <bool Condition, class T = void> struct enable_if {};
template <class T> struct enable_if<true, T> {
  using type = T;
};
template <bool Condition, class T = void> using enable_if_t = typename enable_if<Condition, T>::type;
template <bool Condition, class T, class F> struct conditional {
  using type = T;
};
template <class T, class F> struct conditional<false, T, F> {
  using type = F;
};
template <bool Condition, class T, class F> using conditional_t = typename conditional<Condition, T, F>::type;

template <class T> T &&declval() noexcept;

template <class... B> struct conjunction : true_type {};
template <class A, class... B> struct conjunction<A, B...> : conditional_t<bool(A::value), conjunction<B...>, A> {};
template <class A> struct conjunction<A> : A {};
template <class... B> struct disjunction : false_type {};
template <class A, class... B> struct disjunction<A, B...> : conditional_t<bool(A::value), A, disjunction<B...>> {};
template <class A> struct disjunction<A> : A {};
template <class A> struct negation : bool_constant<!bool(A::value)> {};
template <class... B> constexpr bool conjunction_v = conjunction<B...>::value;
template <class... B> constexpr bool disjunction_v = disjunction<B...>::value;
template <class A> constexpr bool negation_v = negation<A>::value;
// Names inside Apple's library that public kernels use.
template <class... B> using _conjunction = conjunction<B...>;
template <class... B> using _disjunction = disjunction<B...>;

#define MKLS_TRANSFORM(name, ...)                                                                                     \
  template <class T> struct name {                                                                                     \
    using type = __VA_ARGS__;                                                                                          \
  };                                                                                                                   \
  template <class T> using name##_t = typename name<T>::type;
MKLS_TRANSFORM(remove_cv, __remove_cv(T))
MKLS_TRANSFORM(remove_reference, __remove_reference_t(T))
MKLS_TRANSFORM(remove_pointer, __remove_pointer(T))
MKLS_TRANSFORM(remove_extent, __remove_extent(T))
MKLS_TRANSFORM(remove_all_extents, __remove_all_extents(T))
MKLS_TRANSFORM(decay, __decay(T))
MKLS_TRANSFORM(add_const, const T)
MKLS_TRANSFORM(add_volatile, volatile T)
MKLS_TRANSFORM(add_cv, const volatile T)
MKLS_TRANSFORM(add_pointer, __add_pointer(T))
MKLS_TRANSFORM(add_lvalue_reference, __add_lvalue_reference(T))
MKLS_TRANSFORM(add_rvalue_reference, __add_rvalue_reference(T))
MKLS_TRANSFORM(underlying_type, __underlying_type(T))
#undef MKLS_TRANSFORM

template <class T> struct remove_const {
  using type = T;
};
template <class T> struct remove_const<const T> {
  using type = T;
};
template <class T> using remove_const_t = typename remove_const<T>::type;
template <class T> struct remove_volatile {
  using type = T;
};
template <class T> struct remove_volatile<volatile T> {
  using type = T;
};
template <class T> using remove_volatile_t = typename remove_volatile<T>::type;
// Address spaces are erased here, so there is nothing to remove.
template <class T> struct remove_addrspace {
  using type = T;
};
template <class T> using remove_addrspace_t = typename remove_addrspace<T>::type;

#define MKLS_MAKE_INTEGER(name)                                                                                       \
  template <class T> struct name {                                                                                     \
    using type = __##name(T);                                                                                          \
  };                                                                                                                   \
  template <class T, int N> struct name<vec<T, N>> {                                                                   \
    using type = vec<__##name(T), N>;                                                                                  \
  };                                                                                                                   \
  template <class T> using name##_t = typename name<T>::type;
MKLS_MAKE_INTEGER(make_signed)
MKLS_MAKE_INTEGER(make_unsigned)
#undef MKLS_MAKE_INTEGER

// MSL 2.2: the scalar type of a vector.
template <class T> struct make_scalar {
  using type = mkls::element_of<T>;
};
template <class T> using make_scalar_t = typename make_scalar<T>::type;

#define MKLS_PREDICATE(name, ...)                                                                                     \
  template <class T> constexpr bool name##_v = __VA_ARGS__;                                                            \
  template <class T> struct name : bool_constant<name##_v<T>> {};
MKLS_PREDICATE(is_floating_point, mkls::is_float_scalar<mkls::element_of<T>>)
MKLS_PREDICATE(is_integral, __is_integral(mkls::element_of<T>))
MKLS_PREDICATE(is_arithmetic, mkls::is_arithmetic_scalar<mkls::element_of<T>>)
MKLS_PREDICATE(is_void, __is_void(T))
MKLS_PREDICATE(is_array, __is_array(T))
MKLS_PREDICATE(is_pointer, __is_pointer(T))
MKLS_PREDICATE(is_lvalue_reference, __is_lvalue_reference(T))
MKLS_PREDICATE(is_rvalue_reference, __is_rvalue_reference(T))
MKLS_PREDICATE(is_reference, __is_reference(T))
MKLS_PREDICATE(is_enum, __is_enum(T))
MKLS_PREDICATE(is_union, __is_union(T))
MKLS_PREDICATE(is_class, __is_class(T) && !mkls::is_vector<T>::value && !__is_same(T, bfloat))
MKLS_PREDICATE(is_function, __is_function(T))
MKLS_PREDICATE(is_member_pointer, __is_member_pointer(T))
MKLS_PREDICATE(is_member_object_pointer, __is_member_object_pointer(T))
MKLS_PREDICATE(is_member_function_pointer, __is_member_function_pointer(T))
MKLS_PREDICATE(is_scalar, mkls::is_arithmetic_scalar<__remove_cv(T)> || __is_scalar(T))
MKLS_PREDICATE(is_fundamental, mkls::is_arithmetic_scalar<__remove_cv(T)> || __is_fundamental(T))
MKLS_PREDICATE(is_object, __is_object(T))
MKLS_PREDICATE(is_compound, !is_fundamental_v<T>)
MKLS_PREDICATE(is_const, __is_const(T))
MKLS_PREDICATE(is_volatile, __is_volatile(T))
MKLS_PREDICATE(is_trivial, __is_trivially_copyable(T) && __is_trivially_constructible(T))
MKLS_PREDICATE(is_trivially_copyable, __is_trivially_copyable(T))
MKLS_PREDICATE(is_standard_layout, __is_standard_layout(T))
MKLS_PREDICATE(is_default_constructible, __is_constructible(T))
MKLS_PREDICATE(is_copy_constructible, __is_constructible(T, const T &))
MKLS_PREDICATE(is_trivially_default_constructible, __is_trivially_constructible(T))
MKLS_PREDICATE(is_vector, mkls::is_vector<__remove_cv(T)>::value)
#undef MKLS_PREDICATE

// The number of components of a vector, 0 for other types.
template <class T>
struct vec_elements : integral_constant<size_t, is_vector_v<T> ? size_t(mkls::shape<T>::width) : size_t(0)> {};

} // namespace metal
namespace mkls {
template <class T, bool Number> constexpr bool is_signed_number = T(-1) < T(0);
template <class T> constexpr bool is_signed_number<T, false> = false;
} // namespace mkls
namespace metal {
template <class T>
constexpr bool is_signed_v =
    is_floating_point_v<T> || mkls::is_signed_number<mkls::element_of<T>, __is_integral(mkls::element_of<T>)>;
template <class T> struct is_signed : bool_constant<is_signed_v<T>> {};
template <class T> constexpr bool is_unsigned_v = __is_integral(mkls::element_of<T>) && !is_signed_v<T>;
template <class T> struct is_unsigned : bool_constant<is_unsigned_v<T>> {};

#define MKLS_RELATION(name, ...)                                                                                      \
  template <class T, class U> constexpr bool name##_v = __VA_ARGS__;                                                   \
  template <class T, class U> struct name : bool_constant<name##_v<T, U>> {};
MKLS_RELATION(is_same, __is_same(T, U))
MKLS_RELATION(is_base_of, __is_base_of(T, U))
MKLS_RELATION(is_convertible, __is_convertible(T, U))
MKLS_RELATION(is_assignable, __is_assignable(T, U))
MKLS_RELATION(is_trivially_assignable, __is_trivially_assignable(T, U))
#undef MKLS_RELATION

template <class T, class... A> constexpr bool is_constructible_v = __is_constructible(T, A...);
template <class T, class... A> struct is_constructible : bool_constant<is_constructible_v<T, A...>> {};
template <class T> constexpr size_t rank_v = __array_rank(T);
template <class T> struct rank : integral_constant<size_t, rank_v<T>> {};
template <class T, unsigned Dimension = 0> constexpr size_t extent_v = __array_extent(T, Dimension);
template <class T, unsigned Dimension = 0> struct extent : integral_constant<size_t, extent_v<T, Dimension>> {};
template <class T> struct alignment_of : integral_constant<size_t, alignof(T)> {};

template <class... T> struct common_type {};
template <class T> struct common_type<T> {
  using type = __decay(T);
};
template <class T, class U> struct common_type<T, U> {
  using type = __decay(decltype(true ? declval<T>() : declval<U>()));
};
template <class T, class U, class... R> struct common_type<T, U, R...> {
  using type = typename common_type<typename common_type<T, U>::type, R...>::type;
};
template <class... T> using common_type_t = typename common_type<T...>::type;

} // namespace metal
