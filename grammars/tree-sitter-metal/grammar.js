/**
 * @file Metal Shading Language: C++ and what Metal, and PyTorch's kernels, add to it.
 * @license BSD-3-Clause
 */

/// <reference types="tree-sitter-cli/dsl" />
const CPP = require('tree-sitter-cpp/grammar');
const { addressSpaces, functionKinds } = require('./keywords.json');

module.exports = grammar(CPP, {
  name: 'metal',

  // src/scanner.c tells macros from other names, and uses this order.
  externals: $ => [$.raw_string_delimiter, $.raw_string_content, $._macro_call, $._macro_word],

  conflicts: ($, original) => original.concat([
    [$.type_specifier, $.macro_specifier],
    [$.type_specifier, $.type_argument],
    [$._declaration_modifiers, $.type_argument],
  ]),

  rules: {
    _top_level_item: ($, original) => choice(original, $.macro_invocation),
    _block_item: ($, original) => choice(original, $.macro_invocation),
    _field_declaration_list_item: ($, original) => choice(original, $.macro_invocation),

    /** Memory that an object is in (MSL, section 4). */
    address_space: _ => choice(...addressSpaces),
    type_qualifier: ($, original) => choice(original, $.address_space, 'coherent'),

    /** How a function is called: by the host, or by a stage of drawing (MSL, section 5.1). */
    function_kind: _ => choice(...functionKinds),
    storage_class_specifier: ($, original) => choice(original, $.function_kind),

    /** A macro that makes declarations or statements; the semicolon behind it is its user's habit. */
    macro_invocation: $ => prec.right(seq(
      field('name', alias($._macro_call, $.identifier)),
      field('arguments', $.argument_list),
      optional(';'),
    )),
    /** A macro such as C10_METAL_CONSTEXPR. */
    macro_specifier: $ => $._macro_word,
    _declaration_modifiers: ($, original) => choice(original, $.macro_specifier),
    type_specifier: ($, original) => choice(original, alias($._macro_word, $.type_identifier)),
    enumerator_list: ($, original) => choice(
      original,
      // Macros that bring their commas; often one that is defined for just this.
      seq('{', repeat($.preproc_function_def), repeat1($.macro_invocation), repeat($.preproc_call), '}'),
    ),

    argument_list: $ => seq(
      '(',
      commaSep(choice($.expression, $.initializer_list, $.compound_statement, $.type_argument)),
      ')',
    ),
    /** A type where C++ wants a value: an argument of a macro. */
    type_argument: $ => prec.right(seq(
      repeat($.type_qualifier),
      choice($.primitive_type, $.sized_type_specifier),
      repeat(choice('*', '&')),
    )),

    /** `if constexpr` where the compiler has it, else `if`: a macro of PyTorch and MLX. */
    if_statement: ($, original) => choice(original, prec.right(seq(
      optional('if'),
      'IF_CONSTEXPR',
      field('condition', $.condition_clause),
      field('consequence', $.statement),
      optional(field('alternative', $.else_clause)),
    ))),

    /** ggml's loops with a pragma in front. */
    for_statement: ($, original) => choice(original, seq(
      'FOR_UNROLL', '(', $._for_statement_body, ')', field('body', $.statement),
    )),

    number_literal: (_, original) => choice(
      original,
      token(/([0-9][0-9']*\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?[hH]/),
    ),
  },
});

function commaSep(rule) {
  return optional(seq(rule, repeat(seq(',', rule))));
}
