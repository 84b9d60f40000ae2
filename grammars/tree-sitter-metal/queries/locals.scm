; Scopes

[
  (compound_statement)
  (for_statement)
  (for_range_loop)
  (function_definition)
  (template_declaration)
  (lambda_expression)
  (struct_specifier)
  (namespace_definition)
] @local.scope

; Definitions

(parameter_declaration declarator: (_) @local.definition.parameter
  (#set! definition.parameter.scope "parent"))
(init_declarator declarator: (identifier) @local.definition.var)
(declaration declarator: (identifier) @local.definition.var)
(type_parameter_declaration (type_identifier) @local.definition.type)
(function_declarator declarator: (identifier) @local.definition.function)

; References

(identifier) @local.reference
(type_identifier) @local.reference
