"""Whole new files for a stub's function and its kernels, where a tree has none of the kind."""

from collections.abc import Sequence
from typing import Final

from mkls.generation.functor_text import functor_text
from mkls.generation.host_site import HostSite
from mkls.generation.host_text import function_text, registration_text
from mkls.generation.kernel_work import KernelWork
from mkls.generation.metal_registrations import registration_lines
from mkls.generation.plan import NewFile
from mkls.generation.source_edits import include_path
from mkls.generation.stub_calls import StubCall
from mkls.index.snapshot import Snapshot
from mkls.text.document import Uri

MPS_FOLDER: Final = "aten/src/ATen/native/mps"
_METAL_HEAD: Final = """\
#include <c10/metal/indexing.h>
{headers}#include <c10/metal/utils.h>
#include <metal_stdlib>

using namespace metal;
using namespace c10::metal;
"""
_HOST: Final = """\
#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <{header}>
#include <ATen/native/mps/OperationUtils.h>

namespace at::native {{

using namespace mps;

#ifndef PYTORCH_JIT_COMPILE_SHADERS
static auto& lib = MetalShaderLibrary::getBundledLibrary();
#else
#include <ATen/native/mps/{stem}_metallib.h>
#endif

{function}
{registration}
}} // namespace at::native
"""


def uri_below(snapshot: Snapshot, path: str) -> Uri:
    """Return the URI of `path` below the root."""
    separator = "" if snapshot.root.endswith("/") else "/"
    return Uri(f"{snapshot.root}{separator}{path}")


def new_metal_file(snapshot: Snapshot, stem: str, works: Sequence[KernelWork]) -> NewFile:
    """Return the source `kernels/STEM.metal` with the kernels of `works`."""
    special = sorted({path for it in works if it.written for path in it.known.header.split()})
    parts = [_METAL_HEAD.format(headers="".join(f"#include <{it}>\n" for it in special))]
    parts += [
        functor_text(it.stem, it.known, it.dtypes, has_c10=True, written=it.written) for it in works
    ]
    parts += ["".join(registration_lines(snapshot, None, it)) for it in works]
    return NewFile(uri_below(snapshot, f"{MPS_FOLDER}/kernels/{stem}.metal"), "\n".join(parts))


def new_host_file(snapshot: Snapshot, stem: str, call: StubCall, work: KernelWork) -> NewFile:
    """Return the file `operations/STEM.mm` that registers the stub of `call`."""
    uri = uri_below(snapshot, f"{MPS_FOLDER}/operations/{stem}.mm")
    site = HostSite(uri, "", "lib", "_mps_kernel", "&", "", 0, 0, "", -1, stem)
    text = _HOST.format(
        header=include_path(call.stub.declared[0].uri, snapshot.root),
        stem=stem,
        function=function_text(site, call, work),
        registration=registration_text(site, call),
    )
    return NewFile(uri, text)
