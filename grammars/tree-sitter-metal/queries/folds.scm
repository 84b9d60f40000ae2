[
  (compound_statement)
  (field_declaration_list)
  (enumerator_list)
  (declaration_list)
  (parameter_list)
  (template_parameter_list)
  (initializer_list)
  (comment)
  (preproc_if)
  (preproc_ifdef)
] @fold
