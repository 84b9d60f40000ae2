"""What an edit makes the index work out again, and what it does not."""

from functools import cache

from mkls.facts.cpp import cpp_facts
from mkls.facts.host import host_facts
from mkls.index.host import HostIndex, HostMemo, host_index
from mkls.text.document import uri_of
from tests.index.host_workspace import Texts


class Workspace:
    """Reads each text once, as a session does, and indexes with one memo."""

    def __init__(self) -> None:
        self.memo = HostMemo()
        self.hosts = cache(host_facts)
        self.cpps = cache(cpp_facts)

    def index(self, files: Texts) -> HostIndex:
        texts = {uri_of("/" + path): text for path, text in files.items()}
        return host_index(
            {uri: self.hosts(text) for uri, text in texts.items() if uri.endswith(".mm")},
            {uri: self.cpps(text) for uri, text in texts.items() if not uri.endswith(".mm")},
            self.memo,
        )


FILES = {
    "Helper.mm": 'void run(const std::string& n) { lib.getPipelineStateForFunc("k_" + n); }\n',
    "One.mm": 'void one() { run("one"); }\n',
    "Two.mm": 'void two() { lib.getPipelineStateForFunc("two"); }\n',
    "Ops.cpp": "\nvoid three(int a) {\n  three_stub(iter.device_type(), iter);\n}\n",
}


def test_the_same_facts_give_the_same_index() -> None:
    hosts = {uri_of("/One.mm"): host_facts(FILES["One.mm"])}
    cpps = {uri_of("/Ops.cpp"): cpp_facts(FILES["Ops.cpp"])}
    memo = HostMemo()
    index = host_index(hosts, cpps, memo)
    assert host_index(dict(hosts), dict(cpps), memo) is index
    cpps[uri_of("/Ops.cpp")] = cpp_facts("")
    assert host_index(hosts, cpps, memo) is not index


def test_an_edit_folds_again_only_what_depends_on_it() -> None:
    workspace = Workspace()
    before = workspace.index(FILES)
    helper, two = before.lookups
    assert [request.names.text for request in helper.requests] == ["k_one"]
    after = workspace.index({**FILES, "One.mm": 'void one() { run("uno"); }\n'})
    changed, same = after.lookups
    assert [request.names.text for request in changed.requests] == ["k_uno"]
    assert same is two


def test_a_caller_in_a_new_file_is_noticed() -> None:
    workspace = Workspace()
    workspace.index(FILES)
    after = workspace.index({**FILES, "New.mm": 'void four() { run("four"); }\n'})
    assert [request.names.text for request in after.lookups[0].requests] == ["k_one", "k_four"]


def test_a_removed_file_is_forgotten() -> None:
    workspace = Workspace()
    workspace.index(FILES)
    after = workspace.index({path: text for path, text in FILES.items() if path != "One.mm"})
    assert [request.names.text for request in after.lookups[0].requests] == ["k_…"]
    assert after.functions("one") == ()
    assert [function.name.text for function in after.functions("two")] == ["two"]


def test_a_macro_of_a_header_that_changes_is_expanded_anew() -> None:
    workspace = Workspace()
    files = {
        "Common.h": "#define MAKE(N) void N##_mps() { lib.getPipelineStateForFunc(#N); }\n",
        "Use.mm": "MAKE(sin)\n",
    }
    assert workspace.index(files).functions("sin_mps")
    files["Common.h"] = files["Common.h"].replace("_mps", "_metal")
    after = workspace.index(files)
    assert after.functions("sin_mps") == ()
    assert after.functions("sin_metal")[0].macro == "MAKE"
