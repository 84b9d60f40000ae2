"""The words that expressions in directives may use. Everything else is refused.

A name is here when calling it with tensors and numbers can do nothing but compute: no files, no
devices, no callbacks, no change of its arguments (so nothing that ends in `_`).
"""


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_CREATION = _words("""
arange empty empty_like eye full full_like linspace logspace ones ones_like rand rand_like randint
randint_like randn randn_like randperm scalar_tensor tensor tril_indices triu_indices zeros
zeros_like complex polar
""")
_ELEMENTWISE = _words("""
abs acos acosh add addcdiv addcmul angle asin asinh atan atan2 atanh bitwise_and bitwise_left_shift
bitwise_not bitwise_or bitwise_right_shift bitwise_xor ceil clamp conj copysign cos cosh deg2rad
digamma div eq erf erfc erfinv exp exp2 expm1 float_power floor floor_divide fmax fmin fmod frac gcd
ge gt heaviside hypot i0 igamma igammac isclose isfinite isinf isnan lcm ldexp le lerp lgamma log
log10 log1p log2 logaddexp logaddexp2 logical_and logical_not logical_or logical_xor logit lt
maximum minimum mul mvlgamma nan_to_num ne neg nextafter polygamma positive pow rad2deg real imag
reciprocal remainder round rsqrt sgn sigmoid sign signbit sin sinc sinh sqrt square sub tan tanh
true_divide trunc where xlogy relu
""")
_REDUCTIONS = _words("""
all allclose amax amin any argmax argmin bincount count_nonzero cummax cummin cumprod cumsum diff
equal histc logcumsumexp logsumexp mean median mode nansum norm prod std std_mean sum var var_mean
aminmax
""")
_SHAPES = _words("""
as_strided atleast_1d atleast_2d broadcast_to cat chunk column_stack diag diag_embed diagonal
dstack flatten flip fliplr flipud gather hstack index_add index_select masked_fill masked_select
meshgrid movedim narrow permute ravel repeat_interleave reshape roll rot90 scatter scatter_add
scatter_reduce select searchsorted bucketize sort argsort split squeeze stack swapaxes take
take_along_dim tile topk transpose tril triu unbind unsqueeze view_as_complex view_as_real vstack
one_hot
""")
_ALGEBRA = _words("""
addmm addmv baddbmm bmm cdist conv1d conv2d cross dot einsum inner kron matmul mm mv outer
tensordot trace vdot softmax log_softmax
""")
_FUNCTIONAL = _words("""
adaptive_avg_pool2d avg_pool1d avg_pool2d celu conv3d cosine_similarity elu fold gelu glu
group_norm hardshrink hardsigmoid hardswish hardtanh interpolate layer_norm leaky_relu linear
log_softmax logsigmoid max_pool1d max_pool2d mish normalize one_hot pad relu relu6 rms_norm
scaled_dot_product_attention selu silu softmax softmin softplus softshrink softsign tanhshrink
threshold unfold
""")
_SPECIAL = _words("""
airy_ai bessel_j0 bessel_j1 bessel_y0 bessel_y1 chebyshev_polynomial_t chebyshev_polynomial_u
chebyshev_polynomial_v chebyshev_polynomial_w digamma entr erf erfc erfcx erfinv exp2 expit expm1
gammainc gammaincc gammaln hermite_polynomial_h hermite_polynomial_he i0 i0e i1 i1e log1p
log_ndtr log_softmax logit logsumexp modified_bessel_i0 modified_bessel_i1 modified_bessel_k0
modified_bessel_k1 ndtr ndtri polygamma psi round scaled_modified_bessel_k0
scaled_modified_bessel_k1 sinc spherical_bessel_j0 shifted_chebyshev_polynomial_t
shifted_chebyshev_polynomial_u shifted_chebyshev_polynomial_v shifted_chebyshev_polynomial_w
laguerre_polynomial_l legendre_polynomial_p xlog1py xlogy zeta
""")
_LINALG = _words("cross det inv matrix_norm norm qr solve svdvals vector_norm cholesky")

_TOP = (*_CREATION, *_ELEMENTWISE, *_REDUCTIONS, *_SHAPES, *_ALGEBRA)

FUNCTIONS: dict[str, str] = {
    **{f"linalg.{name}": f"linalg.{name}" for name in _LINALG},
    **{f"special.{name}": f"special.{name}" for name in _SPECIAL},
    **{f"nn.functional.{name}": f"nn.functional.{name}" for name in _FUNCTIONAL},
    **{name: f"special.{name}" for name in _SPECIAL},
    **{name: f"nn.functional.{name}" for name in _FUNCTIONAL},
    **{name: name for name in _TOP if name != "one_hot"},
}
"""What may be called, with or without `torch.` in front, and where torch keeps it."""

PYTHON_FUNCTIONS = frozenset({"min", "max", "float", "int", "bool", "len"})

_METHODS_ALONE = _words("""
bool bfloat16 byte char clone contiguous cfloat chalf dim double element_size expand expand_as
fill_diagonal float half int is_contiguous item long nelement new_full new_ones new_zeros numel
nonzero repeat reshape_as short size stride sum_to_size t tolist to type_as view view_as unfold
detach movedim new_empty mT
""")
METHODS = frozenset(_METHODS_ALONE) | frozenset(_TOP) - frozenset(_CREATION)
"""What may be called on a tensor."""

PROPERTIES = frozenset({"T", "mT", "H", "mH", "shape", "dtype", "ndim", "real", "imag"})

_TORCH_DTYPES = _words("""
float16 float32 float64 bfloat16 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex32
complex64 complex128
""")
DTYPES = {
    "float": "float32",
    "half": "float16",
    "bfloat": "bfloat16",
    "double": "float64",
    "int": "int32",
    "long": "int64",
    "short": "int16",
    "char": "int8",
    "uchar": "uint8",
    "ushort": "uint16",
    "uint": "uint32",
    "ulong": "uint64",
    "cfloat": "complex64",
    "chalf": "complex32",
    **{name: name for name in _TORCH_DTYPES},
}
"""dtypes by Metal's names and by torch's."""

CONSTANTS = {
    "pi": 3.141592653589793,
    "e": 2.718281828459045,
    "inf": float("inf"),
    "nan": float("nan"),
}

KEYWORDS = frozenset(
    _words("""
    align_corners alpha approximate atol base beta bias correction dilation dim dim0 dim1 dims
    descending diagonal divisor dtype end equal_nan eps fill_value groups high input index keepdim
    k kernel_size largest low max min mode n negative_slope num_classes offset ord other p padding
    pad padding_mode q repeats right rounding_mode rtol scale scale_factor shifts side size sorted
    source src start step steps stride threshold unbiased value values weight
    """)
)
"""Keywords that calls may use: none reaches a device, a generator or an output."""

STRING_KEYWORDS = frozenset({"approximate", "mode", "rounding_mode", "side", "padding_mode"})
"""Keywords whose value may be a word in quotes."""
