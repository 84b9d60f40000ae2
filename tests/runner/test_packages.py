"""Third-party kernels give the results that their own Python references give."""

import pytest
import torch

from tests.runner.packages import Library, load, mac, wheel_folder

FP8 = ("float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz", "float8_e8m0fnu")
ONE = torch.tensor(1.0)


@pytest.fixture(scope="module")
def fp8():
    folder = wheel_folder("fp4_fp8_for_torch_mps", "1.0.3") / "fp4_fp8_for_torch_mps"
    module = load(folder / "fp8_mps_native.py")
    shader = folder / "shaders" / "fp8_matmul.metal"
    module._SHADER_SOURCE = shader.read_text(encoding="utf-8")
    return module


@pytest.fixture(scope="module")
def maxsim():
    folder = wheel_folder("late_interaction_kernels", "0.4.5") / "late_interaction_kernels"
    return load(folder / "mps" / "metal.py"), load(folder / "reference.py")


@pytest.fixture(autouse=True)
def on_a_mac(monkeypatch):
    with mac(monkeypatch):
        yield


def same(got, wanted):
    return torch.equal(torch.nan_to_num(got, nan=12345.0), torch.nan_to_num(wanted, nan=12345.0))


@pytest.mark.parametrize("name", FP8)
@pytest.mark.parametrize("way", ["lut", "arithmetic", "fastest"])
def test_fp8_decodes_every_code_as_torch_does(fp8, name, way):
    dtype = getattr(torch, name)
    codes = torch.arange(256, dtype=torch.uint8)
    wanted = codes.view(dtype).float()
    decode = getattr(fp8, f"fp8_dequantize_{way}_dtype")

    single = decode(codes, ONE, dtype, out_dtype=torch.float32)

    assert same(single, wanted)


@pytest.mark.parametrize("name", FP8[:4])
def test_fp8_decodes_to_half(fp8, name):
    dtype = getattr(torch, name)
    codes = torch.arange(256, dtype=torch.uint8)

    half = fp8.fp8_dequantize_lut_dtype(codes, ONE, dtype)

    assert same(half, codes.view(dtype).to(torch.float16))


@pytest.mark.parametrize("name", FP8[:4])
@pytest.mark.parametrize("way", ["lut", "arithmetic"])
def test_fp8_encodes_to_a_nearest_code(fp8, name, way):
    dtype = getattr(torch, name)
    torch.default_generator.manual_seed(0)
    source = torch.randn(4096) * 8
    encode = getattr(fp8, f"fp8_encode_{way}_dtype")

    codes = encode(source, dtype)

    ours = (codes.view(dtype).float() - source).abs()
    torchs = (source.to(dtype).float() - source).abs()
    assert bool((ours <= torchs + 1e-7).all())


def test_fp8_matrices_are_multiplied(fp8):
    torch.default_generator.manual_seed(0)
    a = torch.randn(9, 64).to(torch.float8_e4m3fn)
    b = torch.randn(17, 64).to(torch.float8_e4m3fn)
    scales = torch.tensor([0.5]), torch.tensor([2.0])

    for rows in (1, 9):
        got = fp8.fp8_scaled_mm(a[:rows].view(torch.uint8), b.view(torch.uint8), *scales)
        wanted = (a[:rows].float() * 0.5) @ (b.float() * 2.0).t()
        assert torch.allclose(got, wanted, rtol=1e-3, atol=1e-3)


def test_fp4_survives_a_round_trip(fp8):
    values = torch.tensor([0.0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.0, -0.5, -1, -1.5, -2, -3, -4, -6])

    codes = fp8.fp4_encode(values)

    assert codes.numel() == 8
    for decode in (fp8.fp4_dequantize_lut, fp8.fp4_dequantize_arithmetic):
        assert torch.equal(decode(codes, ONE).float(), values)


def test_fp4_quantization_stays_within_half_a_step(fp8):
    torch.default_generator.manual_seed(0)
    source = torch.randn(512)

    codes, scale = fp8.fp4_quantize(source)

    error = (fp8.fp4_dequantize(codes, scale).float() - source).abs().max()
    assert error <= source.abs().max() / 6 * 1.01


DTYPES = (torch.float16, torch.bfloat16)


def inputs(dtype, *shapes):
    torch.default_generator.manual_seed(0)
    return [torch.randn(*shape).to(dtype) for shape in shapes]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("normalize", [False, True])
def test_maxsim_agrees_with_its_reference(maxsim, dtype, normalize):
    metal, reference = maxsim
    q, d = inputs(dtype, (2, 9, 64), (3, 64, 64))

    got = metal.maxsim_inference_metal(q, d, normalize=normalize)

    wanted = reference.maxsim_reference(q, d, normalize=normalize)
    assert torch.allclose(got, wanted.float(), rtol=2e-2, atol=5e-2)


@pytest.mark.parametrize("length", [29, 33, 41, 64, 70])
def test_maxsim_respects_its_masks(maxsim, length):
    """Documents past 32 tokens need the lanes of a simdgroup to meet between tiles."""
    metal, reference = maxsim
    q, d = inputs(torch.float16, (2, 9, 32), (3, length, 32))
    q_mask = torch.rand(2, 9) > 0.3
    d_mask = torch.rand(3, length) > 0.3

    got = metal.maxsim_inference_metal(q, d, q_mask, d_mask)

    wanted = reference.maxsim_reference(q, d, q_mask, d_mask)
    assert torch.allclose(got, wanted.float(), rtol=1e-2, atol=2e-2)


def test_maxsim_persists_over_many_documents(maxsim):
    metal, reference = maxsim
    q, d = inputs(torch.float16, (1, 5, 16), (260, 7, 16))

    got = metal.maxsim_inference_metal(q, d)

    assert torch.allclose(got, reference.maxsim_reference(q, d).float(), rtol=1e-2, atol=2e-2)


@pytest.mark.parametrize("dtype", DTYPES)
def test_gradients_of_maxsim_agree_with_autograd(maxsim, dtype):
    metal, reference = maxsim
    q, d = inputs(dtype, (2, 9, 16), (3, 32, 16))
    scores, argmax, ctx = metal.maxsim_train_metal(q, d)
    grad = torch.randn(2, 3)

    grad_q, grad_d = metal.maxsim_backward_metal(grad, ctx.Q, ctx.D, argmax)

    leaves = [it.float().requires_grad_() for it in (q, d)]
    wanted = reference.maxsim_reference(*leaves)
    wanted.backward(grad)
    assert torch.allclose(scores, wanted.detach(), rtol=2e-2, atol=5e-2)
    assert torch.allclose(grad_q.float(), leaves[0].grad, rtol=2e-2, atol=5e-2)
    assert torch.allclose(grad_d.float(), leaves[1].grad, rtol=2e-2, atol=5e-2)


def test_the_missing_barrier_of_maxsim_is_found(maxsim, monkeypatch):
    """With a second tile of documents, lanes read `d_active_tile` that others overwrite already.

    The kernel counts on lanes that run in lockstep, as its comment says; Metal does not promise it.
    """
    made = []

    class Checked(Library):
        def __init__(self, source):
            super().__init__(source, check=True)
            made.append(self)

    metal, _ = maxsim
    monkeypatch.setattr(metal, "_lib", Checked(metal._build_kernel_source()))
    q, d = inputs(torch.float16, (1, 9, 16), (1, 33, 16))

    metal.maxsim_inference_metal(q, d)

    found = made[0].findings
    assert {it.kind for it in found} == {"data-race"}
    assert any("`d_active_tile`" in it.message for it in found)
