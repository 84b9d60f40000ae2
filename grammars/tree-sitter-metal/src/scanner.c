// What a grammar without context cannot tell: raw strings, as in C++, and macros.
//
// A name in capitals with an underscore is a macro where it begins a declaration or statement and
// what follows fits no name of C++:
//   NAME(...)   and then `;`, a brace, the end of the line or of the file: a whole declaration
//   NAME word   a specifier, such as C10_METAL_CONSTEXPR, or a type; the grammar tries both
// Of other names with an underscore, only a call without semicolon, at the end of its line, is one:
// `instantiate_kernel("f", f, float)`.
// Anything else is an identifier, and is left to the lexer.
#include <stdbool.h>
#include <stdint.h>

#include "tree_sitter/alloc.h"
#include "tree_sitter/parser.h"

// In the order of `externals` in grammar.js.
enum Token { RAW_DELIMITER, RAW_CONTENT, MACRO_CALL, MACRO_WORD };

enum {
  LONGEST_DELIMITER = 16, // [lex.string] of the C++ standard
  LONGEST_CALL = 1 << 14
};

/// The delimiter of the raw string that is being read; none has the length 0.
typedef struct {
  uint8_t length;
  int32_t text[LONGEST_DELIMITER];
} Scanner;

static bool is_upper(int32_t c) { return c >= 'A' && c <= 'Z'; }
static bool is_digit(int32_t c) { return c >= '0' && c <= '9'; }
static bool is_word(int32_t c) {
  return is_upper(c) || is_digit(c) || (c >= 'a' && c <= 'z') || c == '_';
}
static bool is_blank(int32_t c) { return c == ' ' || c == '\t'; }
static bool is_newline(int32_t c) { return c == '\n' || c == '\r'; }

typedef struct {
  bool found;
  bool capitals;
} Name;

/// Advance over a name with an underscore.
static Name macro_name(TSLexer *lexer) {
  static const char ASSERT[] = "static_assert";
  Name name = {false, true};
  unsigned length = 0;
  bool is_assert = true;
  if (!is_word(lexer->lookahead) || is_digit(lexer->lookahead) || lexer->lookahead == '_') return name;
  for (; is_word(lexer->lookahead); length++) {
    int32_t c = lexer->lookahead;
    name.found |= c == '_';
    name.capitals &= is_upper(c) || is_digit(c) || c == '_';
    is_assert &= length < sizeof ASSERT && c == ASSERT[length];
    lexer->advance(lexer, false);
  }
  name.found &= !(is_assert && length == sizeof ASSERT - 1);
  return name;
}

static void blanks(TSLexer *lexer) {
  while (is_blank(lexer->lookahead)) lexer->advance(lexer, false);
}

/// Advance over a string or character literal whose quote stands here.
static void literal(TSLexer *lexer, int32_t quote) {
  lexer->advance(lexer, false);
  while (!lexer->eof(lexer) && lexer->lookahead != quote && !is_newline(lexer->lookahead)) {
    if (lexer->lookahead == '\\') lexer->advance(lexer, false);
    lexer->advance(lexer, false);
  }
  lexer->advance(lexer, false);
}

/// Advance over `(...)`; false if it does not end, or is longer than any invocation.
static bool parentheses(TSLexer *lexer) {
  int depth = 0;
  for (int count = 0; count < LONGEST_CALL && !lexer->eof(lexer); count++) {
    int32_t c = lexer->lookahead;
    if (c == '"' || c == '\'') {
      literal(lexer, c);
      continue;
    }
    lexer->advance(lexer, false);
    if (c == '(') depth++;
    if (c == ')' && --depth == 0) return true;
    if (c == '{' || c == '}' || c == ';') {
      if (depth == 0) return false;
    }
  }
  return false;
}

/// Whether a declaration may end here; `bare` is one that has no semicolon.
static bool at_end_of_item(TSLexer *lexer, bool bare) {
  blanks(lexer);
  if (lexer->eof(lexer)) return true;
  int32_t c = lexer->lookahead;
  if (c == ';' || c == '}' || c == ',' || is_word(c)) return !bare;
  if (!is_newline(c) && c != '/') return false;
  if (c == '/') {
    lexer->advance(lexer, false);
    return lexer->lookahead == '/' || lexer->lookahead == '*';
  }
  while (is_newline(lexer->lookahead) || is_blank(lexer->lookahead)) lexer->advance(lexer, false);
  // An operator or a brace at the start of the next line goes on with an expression or a body.
  c = lexer->lookahead;
  return lexer->eof(lexer) || is_word(c) || c == '#' || c == '}' || c == '/' || c == '[';
}

/// Whether a word, or an attribute in two brackets, stands here.
static bool word_or_attribute(TSLexer *lexer) {
  if (lexer->lookahead != '[') return is_word(lexer->lookahead) && !is_digit(lexer->lookahead);
  lexer->advance(lexer, false);
  return lexer->lookahead == '[';
}

static bool scan_macro(TSLexer *lexer, const bool *valid) {
  while (is_blank(lexer->lookahead) || is_newline(lexer->lookahead)) lexer->advance(lexer, true);
  Name name = macro_name(lexer);
  if (!name.found) return false;
  lexer->mark_end(lexer);
  blanks(lexer);
  if (lexer->lookahead == '(') {
    if (!valid[MACRO_CALL] || !parentheses(lexer)) return false;
    if (!at_end_of_item(lexer, !name.capitals)) return false;
    lexer->result_symbol = MACRO_CALL;
    return true;
  }
  if (!name.capitals || !valid[MACRO_WORD]) return false;
  while (is_newline(lexer->lookahead) || is_blank(lexer->lookahead)) lexer->advance(lexer, false);
  if (!word_or_attribute(lexer)) return false;
  lexer->result_symbol = MACRO_WORD;
  return true;
}

/// The delimiter in front of `(`, to be kept; or the kept one behind `)`.
static bool scan_delimiter(Scanner *scanner, TSLexer *lexer) {
  if (scanner->length) {
    for (int i = 0; i < scanner->length; i++) {
      if (lexer->lookahead != scanner->text[i]) return false;
      lexer->advance(lexer, false);
    }
    scanner->length = 0;
    return true;
  }
  while (lexer->lookahead != '(') {
    int32_t c = lexer->lookahead;
    bool ends = lexer->eof(lexer) || c == ')' || c == '\\' || c == '"' || is_blank(c) || is_newline(c);
    if (ends || scanner->length == LONGEST_DELIMITER) {
      scanner->length = 0;
      return false;
    }
    scanner->text[scanner->length++] = c;
    lexer->advance(lexer, false);
  }
  return scanner->length > 0;
}

/// Everything up to `)`, the delimiter and `"`, or to the end of the file.
static bool scan_content(const Scanner *scanner, TSLexer *lexer) {
  while (!lexer->eof(lexer)) {
    if (lexer->lookahead != ')') {
      lexer->advance(lexer, false);
      continue;
    }
    lexer->mark_end(lexer);
    lexer->advance(lexer, false);
    int matched = 0;
    while (matched < scanner->length && lexer->lookahead == scanner->text[matched]) {
      lexer->advance(lexer, false);
      matched++;
    }
    if (matched == scanner->length && lexer->lookahead == '"') return true;
  }
  lexer->mark_end(lexer);
  return true;
}

void *tree_sitter_metal_external_scanner_create(void) { return ts_calloc(1, sizeof(Scanner)); }

void tree_sitter_metal_external_scanner_destroy(void *payload) { ts_free(payload); }

unsigned tree_sitter_metal_external_scanner_serialize(void *payload, char *buffer) {
  const Scanner *scanner = payload;
  unsigned size = scanner->length * sizeof scanner->text[0];
  for (unsigned i = 0; i < size; i++) buffer[i] = ((const char *)scanner->text)[i];
  return size;
}

void tree_sitter_metal_external_scanner_deserialize(void *payload, const char *buffer, unsigned size) {
  Scanner *scanner = payload;
  scanner->length = size / sizeof scanner->text[0];
  for (unsigned i = 0; i < size; i++) ((char *)scanner->text)[i] = buffer[i];
}

bool tree_sitter_metal_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid) {
  // In error recovery everything is valid: nothing is known of the context then.
  if (valid[RAW_DELIMITER] && valid[RAW_CONTENT]) return false;
  if (valid[RAW_DELIMITER]) {
    lexer->result_symbol = RAW_DELIMITER;
    return scan_delimiter(payload, lexer);
  }
  if (valid[RAW_CONTENT]) {
    lexer->result_symbol = RAW_CONTENT;
    return scan_content(payload, lexer);
  }
  return (valid[MACRO_CALL] || valid[MACRO_WORD]) && scan_macro(lexer, valid);
}
