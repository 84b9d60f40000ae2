" Metal: C++ and the words of the Metal Shading Language.
" Written by `python -m tests.write_grammars`.
if exists("b:current_syntax")
  finish
endif

runtime! syntax/cpp.vim
unlet! b:current_syntax

syn keyword metalAddressSpace constant device object_data ray_data thread threadgroup threadgroup_imageblock
syn keyword metalFunctionKind fragment kernel mesh object vertex
syn keyword metalType array array_ref atomic atomic_bool atomic_float atomic_int atomic_uint
syn keyword metalType atomic_ulong bfloat conditional_t double enable_if_t is_floating_point_v
syn keyword metalType is_integral_v is_pointer_v is_same_v is_scalar_v is_signed_v is_unsigned_v
syn keyword metalType is_vector_v make_scalar_t make_signed_t make_unsigned_t matrix mem_flags
syn keyword metalType memory_order numeric_limits packed_vec ptrdiff_t quad_vote remove_addrspace_t
syn keyword metalType remove_const_t remove_reference_t sampler signed simd_vote simdgroup_matrix
syn keyword metalType size_t texture1d texture2d texture3d thread_scope uniform unsigned vec void
syn keyword metalFunction abs absdiff acos acosh addsat all any as_type asin asinh atan atan2 atanh
syn keyword metalFunction atomic_add atomic_add_helper atomic_binary_op atomic_binary_op_helper
syn keyword metalFunction atomic_compare_exchange_weak_explicit atomic_exchange_explicit
syn keyword metalFunction atomic_fetch_add_explicit atomic_fetch_and_explicit atomic_fetch_max_explicit
syn keyword metalFunction atomic_fetch_min_explicit atomic_fetch_or_explicit atomic_fetch_sub_explicit
syn keyword metalFunction atomic_fetch_xor_explicit atomic_load_explicit atomic_max_explicit
syn keyword metalFunction atomic_min_explicit atomic_store_explicit atomic_thread_fence bessel_j0_forward
syn keyword metalFunction bessel_j1_forward bessel_y0_forward bessel_y1_forward box_muller_from_philox
syn keyword metalFunction calc_digamma_positive_domain calc_igamma calc_igammac cast_to ceil ceil_div
syn keyword metalFunction chbevl chebyshev_polynomial_t_forward chebyshev_polynomial_u_forward
syn keyword metalFunction chebyshev_polynomial_v_forward chebyshev_polynomial_w_forward clamp clz combine
syn keyword metalFunction conj copysign cos cosh cospi cross ctz determinant digamma distance
syn keyword metalFunction distance_squared div divide dot entr erf erfc erfcx erfcx_y100 erfinv exp exp10
syn keyword metalFunction exp2 expm1 expm1f extract_bits fabs faceforward fdim floor floor_divide fma fmax
syn keyword metalFunction fmax3 fmedian3 fmin fmin3 fmod fract frexp gamma getHermitianLimit hadd
syn keyword metalFunction hermite_polynomial_h_forward hermite_polynomial_he_forward hypot i0 i0e i1 i1e
syn keyword metalFunction identity igamma igammac ilogb insert_bits isfinite isinf isnan isnormal
syn keyword metalFunction isordered isunordered lanczos_sum_expg_scaled ldexp length length_squared less
syn keyword metalFunction lgamma log log10 log1p log2 log_gamma logaddexp logaddexp2 mad24 madhi madsat
syn keyword metalFunction make_filled_simdgroup_matrix max max3 median3 min min3 mix modf
syn keyword metalFunction modified_bessel_i0_forward modified_bessel_i1_forward modified_bessel_k0_forward
syn keyword metalFunction modified_bessel_k1_forward mul mul24 mulhi mulhilo multiple_rounds nextafter
syn keyword metalFunction norm normalize not offset_from_coord offset_from_thread_index
syn keyword metalFunction pack_float_to_snorm2x16 pack_float_to_snorm4x8 pack_float_to_srgb_unorm4x8
syn keyword metalFunction pack_float_to_unorm10a2 pack_float_to_unorm2x16 pack_float_to_unorm4x8
syn keyword metalFunction pack_float_to_unorm565 pack_half_to_snorm2x16 pack_half_to_snorm4x8
syn keyword metalFunction pack_half_to_srgb_unorm4x8 pack_half_to_unorm10a2 pack_half_to_unorm2x16
syn keyword metalFunction pack_half_to_unorm4x8 pack_half_to_unorm565 polygamma popcount
syn keyword metalFunction pos_from_thread_index pow powi_impl powr quad_active_threads_mask quad_all
syn keyword metalFunction quad_and quad_any quad_ballot quad_broadcast quad_broadcast_first quad_is_first
syn keyword metalFunction quad_is_helper_thread quad_max quad_min quad_or quad_prefix_exclusive_product
syn keyword metalFunction quad_prefix_exclusive_sum quad_prefix_inclusive_product
syn keyword metalFunction quad_prefix_inclusive_sum quad_product quad_shuffle quad_shuffle_and_fill_down
syn keyword metalFunction quad_shuffle_and_fill_up quad_shuffle_down quad_shuffle_rotate_down
syn keyword metalFunction quad_shuffle_rotate_up quad_shuffle_up quad_shuffle_xor quad_sum quad_xor
syn keyword metalFunction quadgroup_barrier rand randint64 randn ref_at_offs reflect refract
syn keyword metalFunction reinterpret_cast remainder replace report_error reverse_bits rhadd rint rotate
syn keyword metalFunction round round_up rsqrt safe_mod saturate scaled_modified_bessel_k0_forward
syn keyword metalFunction scaled_modified_bessel_k1_forward select shifted_chebyshev_polynomial_t_forward
syn keyword metalFunction shifted_chebyshev_polynomial_u_forward shifted_chebyshev_polynomial_v_forward
syn keyword metalFunction shifted_chebyshev_polynomial_w_forward sign signbit simd_active_threads_mask
syn keyword metalFunction simd_all simd_and simd_any simd_argmax simd_argmin simd_ballot simd_broadcast
syn keyword metalFunction simd_broadcast_first simd_is_first simd_is_helper_thread simd_max simd_min
syn keyword metalFunction simd_or simd_prefix_exclusive_product simd_prefix_exclusive_sum
syn keyword metalFunction simd_prefix_inclusive_product simd_prefix_inclusive_sum simd_prod simd_product
syn keyword metalFunction simd_reduce simd_shuffle simd_shuffle_and_fill_down simd_shuffle_and_fill_up
syn keyword metalFunction simd_shuffle_down simd_shuffle_rotate_down simd_shuffle_rotate_up
syn keyword metalFunction simd_shuffle_up simd_shuffle_xor simd_sum simd_xor simdgroup_barrier
syn keyword metalFunction simdgroup_load simdgroup_multiply simdgroup_multiply_accumulate simdgroup_store
syn keyword metalFunction sin sinc sincos single_round sinh sinpi smoothstep spherical_bessel_j0 splitlong
syn keyword metalFunction sqrt static_cast step store_at_offs subsat tan tanh tanpi threadgroup_argmax
syn keyword metalFunction threadgroup_argmin threadgroup_barrier threadgroup_max threadgroup_min
syn keyword metalFunction threadgroup_prod threadgroup_reduce threadgroup_sum threadgroup_sum2
syn keyword metalFunction threadgroup_welford_combine threadgroup_welford_reduce transpose trigamma trunc
syn keyword metalFunction uint32_to_uniform_float unpack_snorm2x16_to_float unpack_snorm2x16_to_half
syn keyword metalFunction unpack_snorm4x8_to_float unpack_snorm4x8_to_half unpack_unorm10a2_to_float
syn keyword metalFunction unpack_unorm10a2_to_half unpack_unorm2x16_to_float unpack_unorm2x16_to_half
syn keyword metalFunction unpack_unorm4x8_srgb_to_float unpack_unorm4x8_srgb_to_half
syn keyword metalFunction unpack_unorm4x8_to_float unpack_unorm4x8_to_half unpack_unorm565_to_float
syn keyword metalFunction unpack_unorm565_to_half val_at_offs welford_combine xlog1py xlogy zeta
syn keyword metalConstant BFLT_EPSILON BFLT_MAX BFLT_MIN FLT_EPSILON FLT_MAX FLT_MIN HALF_EPSILON HALF_MAX
syn keyword metalConstant HALF_MIN HUGE_VALBF HUGE_VALF HUGE_VALH INFINITY INT_MAX INT_MIN LONG_MAX
syn keyword metalConstant LONG_MIN MAXFLOAT M_1_PI_F M_2_PI_F M_2_SQRTPI_F M_E_F M_LN10_F M_LN2_F
syn keyword metalConstant M_LOG10E_F M_LOG2E_F M_PI_2_F M_PI_4_F M_PI_F M_SQRT1_2_F M_SQRT2_F NAN UINT_MAX
syn keyword metalConstant ULONG_MAX __FAST_MATH__ __METAL_MACOS__ __METAL_VERSION__ __METAL__ mem_device
syn keyword metalConstant mem_none mem_texture mem_threadgroup mem_threadgroup_imageblock
syn keyword metalConstant memory_order_acq_rel memory_order_acquire memory_order_relaxed
syn keyword metalConstant memory_order_release memory_order_seq_cst thread_scope_device
syn keyword metalConstant thread_scope_simdgroup thread_scope_thread thread_scope_threadgroup
syn keyword metalAttributeName contained buffer dispatch_quadgroups_per_threadgroup dispatch_simdgroups_per_threadgroup
syn keyword metalAttributeName contained dispatch_threads_per_threadgroup function_constant grid_origin grid_size
syn keyword metalAttributeName contained host_name id kernel max_total_threads_per_threadgroup
syn keyword metalAttributeName contained quadgroup_index_in_threadgroup quadgroups_per_threadgroup sampler
syn keyword metalAttributeName contained simdgroup_index_in_threadgroup simdgroups_per_threadgroup stage_in texture
syn keyword metalAttributeName contained thread_execution_width thread_index_in_quadgroup thread_index_in_simdgroup
syn keyword metalAttributeName contained thread_index_in_threadgroup thread_position_in_grid
syn keyword metalAttributeName contained thread_position_in_threadgroup threadgroup threadgroup_position_in_grid
syn keyword metalAttributeName contained threadgroups_per_grid threads_per_grid threads_per_simdgroup
syn keyword metalAttributeName contained threads_per_threadgroup user visible

syn match metalVectorType /\<\%(packed_\)\?\%(bool\|u\?char\|u\?short\|u\?int\|u\?long\|half\|float\|bfloat\)\%([2-4]\%(x[2-4]\)\?\)\?\>/
syn match metalRegistration /\<\%(REGISTER\|INSTANTIATE\|DEFINE\)_[A-Z0-9_]\+\ze\s*(/
syn match metalNumber /\<\d\+\%(\.\d*\)\?\%([eE][+-]\?\d\+\)\?\%([hH]\|bf\|BF\)\>/
syn match metalDirective /\<mkls-\%(run\|arg\|expect\|reference\):\|\<mkls: ignore\%(-file\)\?/ contained containedin=cCommentL,cComment
syn region metalAttribute start=/\[\[/ end=/\]\]/ contains=metalAttributeName,cNumber,cString

hi def link metalAddressSpace StorageClass
hi def link metalFunctionKind Keyword
hi def link metalType Type
hi def link metalVectorType Type
hi def link metalFunction Function
hi def link metalConstant Constant
hi def link metalAttributeName PreProc
hi def link metalRegistration Macro
hi def link metalNumber Float
hi def link metalDirective SpecialComment

let b:current_syntax = "metal"
