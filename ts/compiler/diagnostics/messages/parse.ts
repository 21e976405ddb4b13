// SPDX-License-Identifier: MIT
//
// Messages of the parser.
import { error, warning } from '../message';

export const parseMessages = () => ({
  'expected-token': error("expected '{token}'"),
  'expected-expression': error('expected expression'),
  'expected-identifier': error('expected identifier'),
  'expected-identifier-or-paren': error("expected identifier or '('"),
  'expected-semicolon': error("expected ';' {after}"),
  'expected-colon': error("expected ':' {after}"),
  'expected-paren-after': error("expected '(' after '{statement}'"),
  'type-without-specifier': error('type name requires a specifier or qualifier'),
  'storage-in-type': error('type name does not allow storage class to be specified'),
  'expected-type': error('expected a type'),
  'expected-function-body': error('expected function body after function declarator'),
  'extraneous-token': error("extraneous '{token}' before ';'"),
  'extraneous-brace': error("extraneous closing brace ('}')"),
  'bracket-depth': error('bracket nesting level exceeded maximum of {limit}'),
  'nesting-too-deep': error('nesting level exceeded maximum of {limit}'),
  'unknown-type-name': error("unknown type name '{name}'"),
  'missing-type': warning('implicit-int', "type specifier missing, defaults to 'int'"),
  'cannot-combine-type': error("cannot combine with previous '{with}' declaration specifier"),
  'cannot-combine-specifier': error("cannot combine with previous '{with}' declaration specifier"),
  'invalid-type-words': error("'{type}' is not a type"),
  'storage-class': error(
    "OpenCL C version {version} does not support the '{storage}' storage class specifier",
  ),
  'pipe-type-missing': error('missing actual type specifier for pipe'),
  'unsupported-keyword': error("'{word}' is not supported in OpenCL C"),
  'duplicate-qualifier': warning('duplicate-decl-specifier', "duplicate '{qualifier}' declaration specifier"),
  'multiple-address-spaces': error('multiple address spaces specified for type'),
  'multiple-access-qualifiers': error('multiple access qualifiers'),
  'access-qualifier-misplaced': error('access qualifier can only be used for pipe and image type'),
  'semicolon-before-brace': warning(undefined, "expected ';' at end of declaration list"),
  'typedef-definition': error("function definition declared 'typedef'"),
  'parameters-without-types': error(
    'a parameter list without types is only allowed in a function definition',
  ),
  'parameter-without-type': warning(
    'implicit-int',
    "parameter '{name}' was not declared, defaults to 'int'; ISO C99 and later do not support implicit int",
  ),
  'not-a-parameter': error("parameter named '{name}' is missing"),
  'function-definition-here': error('function definition is not allowed here'),
  'loop-expected': error("expected a for, while, or do-while loop to follow '{pragma}'"),
  'unroll-count': error("invalid value '{value}'; must be positive"),
  'expected-statement': error('expected statement'),
  'label-at-end': error('label at end of compound statement: expected statement'),
  'asm-unsupported': error('inline assembly is not supported in OpenCL C'),
});
