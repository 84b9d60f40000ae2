"""The TextMate grammars, as the JSON that editors read."""

from typing import Any

from tests.grammars import vocabulary as words

Pattern = dict[str, Any]


def grammars() -> dict[str, Pattern]:
    """Return each grammar by the name of its file."""
    return {
        "metal": _metal(),
        "native-functions.injection": _native_functions(),
        "metal-in-cpp.injection": _metal_in_cpp(),
        "metal-in-python.injection": _metal_in_python(),
    }


def _metal() -> Pattern:
    return {
        "name": "Metal",
        "scopeName": "source.metal",
        "fileTypes": ["metal"],
        "patterns": [{"include": f"#{name}"} for name in _ORDER],
        "repository": _repository(),
    }


_ORDER = (
    "comments",
    "preprocessor",
    "strings",
    "attributes",
    "numbers",
    "registrations",
    "keywords",
    "types",
    "calls",
    "operators",
)


def _repository() -> Pattern:
    return {
        "comments": {"patterns": _comments()},
        "preprocessor": {"patterns": _preprocessor()},
        "strings": {"patterns": _strings()},
        "attributes": _attributes(),
        "numbers": {"patterns": _numbers()},
        "registrations": _registrations(),
        "keywords": {"patterns": _keywords()},
        "types": {"patterns": _types()},
        "calls": {"patterns": _calls()},
        "operators": {"patterns": _operators()},
    }


def _any(names: tuple[str, ...]) -> str:
    return rf"\b(?:{'|'.join(names)})\b"


def _named(name: str, pattern: str) -> Pattern:
    return {"name": f"{name}.metal", "match": pattern}


def _comments() -> list[Pattern]:
    directive = r"\b(mkls-(?:run|arg|expect|reference)):|\b(mkls: ignore(?:-file)?)\[([\w, -]*)\]"
    inside = {
        "match": directive,
        "captures": {
            "1": {"name": "keyword.other.directive.metal"},
            "2": {"name": "keyword.other.directive.metal"},
            "3": {"name": "entity.name.tag.rule.metal"},
        },
    }
    return [
        {
            "name": "comment.line.double-slash.metal",
            "begin": "//",
            "end": r"(?<!\\)$",
            "patterns": [inside],
        },
        {"name": "comment.block.metal", "begin": r"/\*", "end": r"\*/", "patterns": [inside]},
    ]


def _preprocessor() -> list[Pattern]:
    include = {
        "name": "meta.preprocessor.include.metal",
        "match": r"^\s*(#\s*(?:include|import))\s*(<[^>]*>?|\"[^\"]*\"?)",
        "captures": {
            "1": {"name": "keyword.control.directive.metal"},
            "2": {"name": "string.quoted.other.include.metal"},
        },
    }
    definition = {
        "match": r"^\s*(#\s*define)\s+(\w+)",
        "captures": {
            "1": {"name": "keyword.control.directive.metal"},
            "2": {"name": "entity.name.function.preprocessor.metal"},
        },
    }
    other = _named(
        "keyword.control.directive",
        r"^\s*#\s*(?:if|ifdef|ifndef|elif|else|endif|undef|pragma|error|warning|line)\b",
    )
    return [include, definition, other]


def _strings() -> list[Pattern]:
    escape = _named("constant.character.escape", r"\\(?:x[0-9A-Fa-f]+|[0-7]{1,3}|.)")
    return [
        {
            "name": "string.quoted.double.raw.metal",
            "begin": r'R"([^ ()\\\t]{0,16})\(',
            "end": r'\)\1"',
        },
        {
            "name": "string.quoted.double.metal",
            "begin": '"',
            "end": r'"|(?<!\\)$',
            "patterns": [escape],
        },
        {
            "name": "string.quoted.single.metal",
            "begin": "'",
            "end": r"'|(?<!\\)$",
            "patterns": [escape],
        },
    ]


def _attributes() -> Pattern:
    return {
        "name": "meta.attribute.metal",
        "begin": r"\[\[",
        "end": r"\]\]",
        "beginCaptures": {"0": {"name": "punctuation.section.attribute.begin.metal"}},
        "endCaptures": {"0": {"name": "punctuation.section.attribute.end.metal"}},
        "patterns": [
            _named("entity.other.attribute-name", _any(words.attributes())),
            {"include": "#strings"},
            {"include": "#numbers"},
            {"include": "#operators"},
        ],
    }


def _numbers() -> list[Pattern]:
    suffix = r"(?:[uU]?[lL]{0,2}|[lL]{1,2}[uU]?|[fFhH]|bf|BF)"
    return [
        _named(
            "constant.numeric.hexadecimal",
            rf"\b0[xX][0-9A-Fa-f']+(?:\.[0-9A-Fa-f']*)?(?:[pP][+-]?\d+)?{suffix}\b",
        ),
        _named("constant.numeric.binary", rf"\b0[bB][01']+{suffix}\b"),
        _named(
            "constant.numeric.decimal",
            rf"(?:\b\d[\d']*(?:\.[\d']*)?|(?<![\w)\]])\.\d[\d']*)(?:[eE][+-]?\d+)?{suffix}(?!\w)",
        ),
    ]


def _registrations() -> Pattern:
    return {
        "match": r"\b((?:REGISTER|INSTANTIATE|DEFINE)_[A-Z0-9_]+)\s*(?=\()",
        "captures": {"1": {"name": "entity.name.function.preprocessor.metal"}},
    }


def _keywords() -> list[Pattern]:
    return [
        _named("storage.modifier.address-space", _any(words.qualifiers())),
        _named("storage.type.function-kind", _any(words.function_kinds())),
        _named("storage.modifier", _any(words.modifiers())),
        _named("storage.type", _any(words.DECLARATORS)),
        _named("keyword.control", _any(words.CONTROL)),
        _named("constant.language", _any(words.VALUES)),
        _named("support.constant", _any(words.constants())),
        _named(
            "keyword.operator.word",
            r"\b(?:sizeof|alignof|static_assert|new|delete|and|or|not)\b",
        ),
    ]


def _types() -> list[Pattern]:
    declared = {
        "match": r"(?<=struct|class|union|enum)\s+(\w+)",
        "captures": {"1": {"name": "entity.name.type.metal"}},
    }
    return [
        declared,
        _named("storage.type.built-in", rf"\b(?:{words.vector_types()})\b"),
        _named("storage.type.built-in", _any(words.types())),
        _named("entity.name.namespace", r"\b\w+(?=::)"),
        _named("entity.name.type.parameter", r"(?<=typename\s|class\s)\w+"),
    ]


def _calls() -> list[Pattern]:
    call = r"(?=\s*(?:<[\w:, *]*>)?\s*\()"
    return [
        _named("support.function", _any(words.library_functions()) + call),
        _named("support.function.c10", _any(words.helper_functions()) + call),
        _named("entity.name.function", rf"\b[A-Za-z_]\w*{call}"),
        _named("variable.other.member", r"(?<=\.|->)[A-Za-z_]\w*\b"),
    ]


def _operators() -> list[Pattern]:
    return [
        _named("keyword.operator", r"->|::|<<=?|>>=?|&&|\|\||[-+*/%&|^!=<>]=?|[~?:]"),
        _named("punctuation.terminator.statement", ";"),
        _named("punctuation.separator", ","),
    ]


def _native_functions() -> Pattern:
    keys = "|".join(words.entry_keys())
    dispatch = "|".join(words.dispatch_keys())
    schema = {
        "name": "meta.schema.native-functions",
        "begin": r"^(-)\s+(func)(:)\s+([\w:]+)(?:(\.)(\w+))?(?=\()",
        "end": "$",
        "beginCaptures": {
            "1": {"name": "punctuation.definition.block.sequence.item.yaml"},
            "2": {"name": "keyword.other.key.native-functions"},
            "3": {"name": "punctuation.separator.key-value.mapping.yaml"},
            "4": {"name": "entity.name.function.operator.native-functions"},
            "5": {"name": "punctuation.separator.overload.native-functions"},
            "6": {"name": "entity.name.tag.overload.native-functions"},
        },
        "patterns": _schema(),
    }
    row = {
        "match": rf"^(\s+)((?:(?:{dispatch}),?\s*)+)(:)\s+([A-Za-z_][\w:]*)\s*(?=#|$)",
        "captures": {
            "2": {
                "patterns": [
                    {"name": "variable.other.enummember.native-functions", "match": r"\w+"},
                ],
            },
            "3": {"name": "punctuation.separator.key-value.mapping.yaml"},
            "4": {"name": "entity.name.function.dispatch.native-functions"},
        },
    }
    key = {
        # With its value: what the language's own grammar finds behind a key it did not see is
        # invalid to it.
        "match": rf"^(\s+)({keys})(:)(?:\s+([^#\s][^#]*?))?(?=\s+#|\s*$)",
        "captures": {
            "2": {"name": "keyword.other.key.native-functions"},
            "3": {"name": "punctuation.separator.key-value.mapping.yaml"},
            "4": {"name": "string.unquoted.plain.out.yaml"},
        },
    }
    return {
        "scopeName": "native-functions.injection",
        "injectionSelector": "L:source.yaml -comment -string",
        "patterns": [schema, row, key],
    }


def _schema() -> list[Pattern]:
    types = "Tensor|Scalar|SymInt|int|bool|float|complex|str|Dimname|Generator|Storage|Stream"
    more = "ScalarType|Layout|Device|MemoryFormat|DeviceIndex"
    return [
        {"name": "comment.line.number-sign.yaml", "match": r"(?<=\s)#.*$"},
        {
            "name": "storage.type.schema.native-functions",
            "match": rf"\b(?:{types}|{more})\b",
        },
        {
            "name": "storage.modifier.alias.native-functions",
            "match": r"\([a-z|]+!?(?: -> [^)]*)?\)",
        },
        {"name": "storage.modifier.optional.native-functions", "match": r"\?|\[\d*\]"},
        {"name": "keyword.operator.arrow.native-functions", "match": "->"},
        {
            "match": r"([A-Za-z_]\w*)(?:(=)([^,)]+))?(?=[,)])",
            "captures": {
                "1": {"name": "variable.parameter.schema.native-functions"},
                "2": {"name": "keyword.operator.assignment.native-functions"},
                "3": {"name": "constant.other.default.native-functions"},
            },
        },
        {"name": "keyword.operator.keyword-only.native-functions", "match": r"\*"},
        {"name": "punctuation.separator.native-functions", "match": ","},
    ]


def _metal_in_cpp() -> Pattern:
    return {
        "scopeName": "metal-in-cpp.injection",
        "injectionSelector": "L:source.cpp -comment, L:source.objcpp -comment",
        "patterns": [
            _embedded(r'(R")((?:\w*METAL\w*|\w*MSL\w*|\w*MPS\w*))(\()', r'(\))\2(")'),
        ],
    }


def _metal_in_python() -> Pattern:
    call = r"(?<=compile_shader\()\s*([rR]?)(\"\"\"|''')"
    metal = r"(?:#include\s*<metal|//\s*[Mm]etal|using namespace metal)"
    assigned = rf"(?<==)\s*([rR]?)(\"\"\"|''')(?=\\?\s*{metal})"
    return {
        "scopeName": "metal-in-python.injection",
        "injectionSelector": "L:source.python -comment -string",
        "patterns": [_embedded(call, r"(\2)"), _embedded(assigned, r"(\2)")],
    }


def _embedded(begin: str, end: str) -> Pattern:
    quote = {"name": "punctuation.definition.string.metal"}
    return {
        "begin": begin,
        "end": end,
        "beginCaptures": {"0": quote},
        "endCaptures": {"0": quote},
        "contentName": "meta.embedded.block.metal",
        "patterns": [{"include": "source.metal"}],
    }
