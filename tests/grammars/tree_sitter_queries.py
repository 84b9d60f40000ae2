"""What of `grammars/tree-sitter-metal` is made from the server's words."""

import json

from tests.grammars import vocabulary as words

_HIGHLIGHTS = """\
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
  (#match? @type.builtin "^({vector_types})$"))
((type_identifier) @type.builtin
  (#any-of? @type.builtin {types}))
((identifier) @constant.builtin
  (#any-of? @constant.builtin {constants}))

(call_expression function: (identifier) @function.call)
(call_expression function: (qualified_identifier name: (identifier) @function.call))
(call_expression function: (field_expression field: (field_identifier) @function.method.call))
(template_function name: (identifier) @function.call)
(function_declarator declarator: (identifier) @function)
(function_declarator declarator: (qualified_identifier name: (identifier) @function))
(function_declarator declarator: (field_identifier) @function.method)
(operator_name) @function.method
((identifier) @function.builtin
  (#any-of? @function.builtin {functions}))

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

["(" ")" "[" "]" "{{" "}}"] @punctuation.bracket
["," ";" ":" "::" "."] @punctuation.delimiter
[
  "=" "+" "-" "*" "/" "%" "&" "|" "^" "~" "!" "<" ">" "<=" ">=" "==" "!=" "&&" "||" "<<" ">>"
  "++" "--" "+=" "-=" "*=" "/=" "%=" "&=" "|=" "^=" "<<=" ">>=" "->" "?"
] @operator
"""


def keywords() -> str:
    """Return `keywords.json`, which the grammar reads."""
    table = {
        "addressSpaces": words.qualifiers(),
        # Those of mesh pipelines are ordinary names elsewhere, and known by their attributes.
        "functionKinds": [it for it in words.function_kinds() if it not in ("mesh", "object")],
    }
    return json.dumps(table, indent=2) + "\n"


def highlights() -> str:
    """Return `queries/highlights.scm`."""
    return _HIGHLIGHTS.format(
        vector_types=words.vector_types().replace("(?:", "("),
        types=_listed(words.types()),
        constants=_listed(words.constants()),
        functions=_listed(words.library_functions()),
    )


def _listed(names: tuple[str, ...]) -> str:
    return " ".join(f'"{it}"' for it in sorted(set(names)))
