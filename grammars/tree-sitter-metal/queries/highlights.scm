; Metal, from the general to the particular: where several patterns match, the last one wins.
; Written by `python -m tests.write_grammars`.

(comment) @comment
(string_literal) @string
(raw_string_literal) @string
(system_lib_string) @string
(char_literal) @character
(escape_sequence) @string.escape
(number_literal) @number
[(true) (false)] @boolean
(null) @constant.builtin
(this) @variable.builtin

(identifier) @variable
(field_identifier) @variable.member
(namespace_identifier) @module
(type_identifier) @type
(primitive_type) @type.builtin
(sized_type_specifier) @type.builtin
(auto) @type.builtin
(parameter_declaration declarator: (identifier) @variable.parameter)
((identifier) @constant
  (#match? @constant "^[A-Z][A-Z0-9_]+$"))
((type_identifier) @type.builtin
  (#match? @type.builtin "^((packed_)?(bool|char|uchar|short|ushort|int|uint|long|ulong|half|float|bfloat)([2-4](x[2-4])?)?|u?int(8|16|32|64)_t|simdgroup_(float|half|bfloat)8x8)$"))
((type_identifier) @type.builtin
  (#any-of? @type.builtin "array" "array_ref" "atomic" "atomic_bool" "atomic_float" "atomic_int" "atomic_uint" "atomic_ulong" "conditional_t" "double" "enable_if_t" "is_floating_point_v" "is_integral_v" "is_pointer_v" "is_same_v" "is_scalar_v" "is_signed_v" "is_unsigned_v" "is_vector_v" "make_scalar_t" "make_signed_t" "make_unsigned_t" "matrix" "mem_flags" "memory_order" "numeric_limits" "packed_vec" "ptrdiff_t" "quad_vote" "remove_addrspace_t" "remove_const_t" "remove_reference_t" "sampler" "signed" "simd_vote" "simdgroup_matrix" "size_t" "texture1d" "texture2d" "texture3d" "thread_scope" "uniform" "unsigned" "vec" "void"))
((identifier) @constant.builtin
  (#any-of? @constant.builtin "BFLT_EPSILON" "BFLT_MAX" "BFLT_MIN" "FLT_EPSILON" "FLT_MAX" "FLT_MIN" "HALF_EPSILON" "HALF_MAX" "HALF_MIN" "HUGE_VALBF" "HUGE_VALF" "HUGE_VALH" "INFINITY" "INT_MAX" "INT_MIN" "LONG_MAX" "LONG_MIN" "MAXFLOAT" "M_1_PI_F" "M_2_PI_F" "M_2_SQRTPI_F" "M_E_F" "M_LN10_F" "M_LN2_F" "M_LOG10E_F" "M_LOG2E_F" "M_PI_2_F" "M_PI_4_F" "M_PI_F" "M_SQRT1_2_F" "M_SQRT2_F" "NAN" "UINT_MAX" "ULONG_MAX" "__FAST_MATH__" "__METAL_MACOS__" "__METAL_VERSION__" "__METAL__" "mem_device" "mem_none" "mem_texture" "mem_threadgroup" "mem_threadgroup_imageblock" "memory_order_acq_rel" "memory_order_acquire" "memory_order_relaxed" "memory_order_release" "memory_order_seq_cst" "thread_scope_device" "thread_scope_simdgroup" "thread_scope_thread" "thread_scope_threadgroup"))

(call_expression function: (identifier) @function.call)
(call_expression function: (qualified_identifier name: (identifier) @function.call))
(call_expression function: (field_expression field: (field_identifier) @function.method.call))
(template_function name: (identifier) @function.call)
(function_declarator declarator: (identifier) @function)
(function_declarator declarator: (qualified_identifier name: (identifier) @function))
(function_declarator declarator: (field_identifier) @function.method)
(operator_name) @function.method
((identifier) @function.builtin
  (#any-of? @function.builtin "abs" "absdiff" "acos" "acosh" "addsat" "all" "any" "as_type" "asin" "asinh" "atan" "atan2" "atanh" "atomic_compare_exchange_weak_explicit" "atomic_exchange_explicit" "atomic_fetch_add_explicit" "atomic_fetch_and_explicit" "atomic_fetch_max_explicit" "atomic_fetch_min_explicit" "atomic_fetch_or_explicit" "atomic_fetch_sub_explicit" "atomic_fetch_xor_explicit" "atomic_load_explicit" "atomic_max_explicit" "atomic_min_explicit" "atomic_store_explicit" "atomic_thread_fence" "ceil" "clamp" "clz" "copysign" "cos" "cosh" "cospi" "cross" "ctz" "determinant" "distance" "distance_squared" "divide" "dot" "exp" "exp10" "exp2" "extract_bits" "fabs" "faceforward" "fdim" "floor" "fma" "fmax" "fmax3" "fmedian3" "fmin" "fmin3" "fmod" "fract" "frexp" "hadd" "ilogb" "insert_bits" "isfinite" "isinf" "isnan" "isnormal" "isordered" "isunordered" "ldexp" "length" "length_squared" "log" "log10" "log2" "mad24" "madhi" "madsat" "make_filled_simdgroup_matrix" "max" "max3" "median3" "min" "min3" "mix" "modf" "mul24" "mulhi" "nextafter" "norm" "normalize" "not" "pack_float_to_snorm2x16" "pack_float_to_snorm4x8" "pack_float_to_srgb_unorm4x8" "pack_float_to_unorm10a2" "pack_float_to_unorm2x16" "pack_float_to_unorm4x8" "pack_float_to_unorm565" "pack_half_to_snorm2x16" "pack_half_to_snorm4x8" "pack_half_to_srgb_unorm4x8" "pack_half_to_unorm10a2" "pack_half_to_unorm2x16" "pack_half_to_unorm4x8" "pack_half_to_unorm565" "popcount" "pow" "powr" "quad_active_threads_mask" "quad_all" "quad_and" "quad_any" "quad_ballot" "quad_broadcast" "quad_broadcast_first" "quad_is_first" "quad_is_helper_thread" "quad_max" "quad_min" "quad_or" "quad_prefix_exclusive_product" "quad_prefix_exclusive_sum" "quad_prefix_inclusive_product" "quad_prefix_inclusive_sum" "quad_product" "quad_shuffle" "quad_shuffle_and_fill_down" "quad_shuffle_and_fill_up" "quad_shuffle_down" "quad_shuffle_rotate_down" "quad_shuffle_rotate_up" "quad_shuffle_up" "quad_shuffle_xor" "quad_sum" "quad_xor" "quadgroup_barrier" "reflect" "refract" "reinterpret_cast" "reverse_bits" "rhadd" "rint" "rotate" "round" "rsqrt" "saturate" "select" "sign" "signbit" "simd_active_threads_mask" "simd_all" "simd_and" "simd_any" "simd_ballot" "simd_broadcast" "simd_broadcast_first" "simd_is_first" "simd_is_helper_thread" "simd_max" "simd_min" "simd_or" "simd_prefix_exclusive_product" "simd_prefix_exclusive_sum" "simd_prefix_inclusive_product" "simd_prefix_inclusive_sum" "simd_product" "simd_shuffle" "simd_shuffle_and_fill_down" "simd_shuffle_and_fill_up" "simd_shuffle_down" "simd_shuffle_rotate_down" "simd_shuffle_rotate_up" "simd_shuffle_up" "simd_shuffle_xor" "simd_sum" "simd_xor" "simdgroup_barrier" "simdgroup_load" "simdgroup_multiply" "simdgroup_multiply_accumulate" "simdgroup_store" "sin" "sincos" "sinh" "sinpi" "smoothstep" "sqrt" "static_cast" "step" "subsat" "tan" "tanh" "tanpi" "threadgroup_barrier" "transpose" "trunc" "unpack_snorm2x16_to_float" "unpack_snorm2x16_to_half" "unpack_snorm4x8_to_float" "unpack_snorm4x8_to_half" "unpack_unorm10a2_to_float" "unpack_unorm10a2_to_half" "unpack_unorm2x16_to_float" "unpack_unorm2x16_to_half" "unpack_unorm4x8_srgb_to_float" "unpack_unorm4x8_srgb_to_half" "unpack_unorm4x8_to_float" "unpack_unorm4x8_to_half" "unpack_unorm565_to_float" "unpack_unorm565_to_half"))

(preproc_def name: (identifier) @constant.macro)
(preproc_function_def name: (identifier) @function.macro)
(macro_invocation name: (identifier) @function.macro)
(macro_specifier) @attribute
[
  "#define" "#elif" "#else" "#endif" "#if" "#ifdef" "#ifndef" "#include"
  (preproc_directive)
] @keyword.directive

[
  "break" "case" "continue" "default" "do" "else" "for" "goto" "if" "return" "switch" "while"
  "IF_CONSTEXPR" "FOR_UNROLL"
] @keyword.control
[
  "class" "concept" "enum" "namespace" "operator" "private" "protected" "public" "requires"
  "static_assert" "struct" "template" "typedef" "typename" "union" "using"
] @keyword
[
  (storage_class_specifier) (type_qualifier) "constexpr" "explicit" "friend" "virtual"
] @keyword.modifier
(address_space) @keyword.storage
(function_kind) @keyword.function

(attribute name: (identifier) @attribute)
(attribute_declaration ["[[" "]]"] @punctuation.special)

["(" ")" "[" "]" "{" "}"] @punctuation.bracket
["," ";" ":" "::" "."] @punctuation.delimiter
[
  "=" "+" "-" "*" "/" "%" "&" "|" "^" "~" "!" "<" ">" "<=" ">=" "==" "!=" "&&" "||" "<<" ">>"
  "++" "--" "+=" "-=" "*=" "/=" "%=" "&=" "|=" "^=" "<<=" ">>=" "->" "?"
] @operator
