(function_declarator declarator: (identifier) @name) @definition.function
(struct_specifier name: (type_identifier) @name body: (_)) @definition.class
(enum_specifier name: (type_identifier) @name) @definition.type
(preproc_function_def name: (identifier) @name) @definition.macro
(macro_invocation name: (identifier) @name) @reference.call

; A host name is a definition: host code looks it up.
(attribute
  name: (identifier) @_attribute
  (argument_list (string_literal (string_content) @name))
  (#eq? @_attribute "host_name")) @definition.constant
(call_expression function: (identifier) @name) @reference.call
