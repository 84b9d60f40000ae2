; extends

; MSL in raw strings whose delimiter says so: R"METAL( … )METAL".
((raw_string_literal
  delimiter: (raw_string_delimiter) @_delimiter
  (raw_string_content) @injection.content)
  (#match? @_delimiter "METAL|MSL|MPS")
  (#set! injection.language "metal"))
