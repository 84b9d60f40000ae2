; extends

; MSL handed to torch.mps.compile_shader as it stands.
((call
  function: (_) @_callee
  arguments: (argument_list
    (string
      (string_content) @injection.content)))
  (#match? @_callee "compile_shader$")
  (#set! injection.language "metal"))
