((comment) @injection.content
  (#set! injection.language "comment"))

((preproc_arg) @injection.content
  (#set! injection.language "metal"))
