// SPDX-License-Identifier: MIT
//
// What is allowed and most likely a mistake, in clang's words and under clang's -W names.
import { warning } from '../message';

export const warningMessages = () => ({
  'bitwise-precedence': warning(
    'parentheses',
    '{op} has lower precedence than {inner}; {inner} will be evaluated first',
  ),
  'shift-precedence': warning(
    'shift-op-parentheses',
    "operator '{op}' has lower precedence than '{inner}'; '{inner}' will be evaluated first",
  ),
  'conditional-precedence': warning(
    'parentheses',
    "operator '?:' has lower precedence than '{op}'; '{op}' will be evaluated first",
  ),
  'bitwise-conditional-precedence': warning(
    'bitwise-conditional-parentheses',
    "operator '?:' has lower precedence than '{op}'; '{op}' will be evaluated first",
  ),
  'not-precedence': warning(
    'logical-not-parentheses',
    'logical not is only applied to the left hand side of this {what}',
  ),
  'equality-parentheses': warning('parentheses-equality', 'equality comparison with extraneous parentheses'),
  'dangling-else': warning('dangling-else', 'add explicit braces to avoid dangling else'),
  'typedef-again': warning('typedef-redefinition', "redefinition of typedef '{name}' is a C11 feature"),
  'extern-with-initializer': warning('extern-initializer', "'extern' variable has an initializer"),
  'parameter-name-omitted': warning(
    'c2x-extensions',
    'omitting the parameter name in a function definition is a C2x extension',
  ),
  'static-assert-without-message': warning(
    'c2x-extensions',
    "'_Static_assert' with no message is a C2x extension",
  ),
  'assignment-sign': warning(
    undefined,
    'use of unary operator that may be intended as compound assignment ({op})',
  ),
  'self-comparison': warning('tautological-compare', 'self-comparison always evaluates to {result}'),
  'null-comparison': warning(
    'tautological-pointer-compare',
    'comparison of {what} {how} to a null pointer is always {result}',
  ),
  'out-of-range-comparison': warning(
    'tautological-constant-out-of-range-compare',
    'result of comparison of constant {constant} with {of} is always {result}',
  ),
  'constant-comparison': warning(
    'tautological-constant-compare',
    'result of comparison of constant {constant} with {of} is always {result}',
  ),
  'unsequenced-modifications': warning('unsequenced', "multiple unsequenced modifications to '{name}'"),
  'unsequenced-access': warning('unsequenced', "unsequenced modification and access to '{name}'"),
  'xor-as-power': warning(
    'xor-used-as-pow',
    "result of '{base} ^ {exponent}' is {result}; did you mean '{meant}'?",
  ),
  'constant-logical-operand': warning(
    'constant-logical-operand',
    "use of logical '{op}' with constant operand",
  ),
  'integer-overflow': warning(
    'integer-overflow',
    "overflow in expression; result is {value} with type '{type}'",
  ),
  'int-float-conversion': warning(
    'implicit-const-int-float-conversion',
    "implicit conversion from '{from}' to '{to}' changes value from {before} to {after}",
  ),
  'enumerators-unhandled': warning('switch', '{what}'),
  'case-not-enumerator': warning('switch', 'case value not in enumerated type'),
  'case-overflow': warning(
    'switch',
    'overflow converting case value to switch condition type ({value} to {kept})',
  ),
  'switch-bool': warning('switch-bool', 'switch condition has boolean value'),
  'index-past': warning(
    'array-bounds',
    'array index {index} is past the end of the array (which contains {count} elements)',
  ),
  'index-before': warning('array-bounds', 'array index {index} is before the beginning of the array'),
  'missing-return-never': warning('return-type', 'non-void function does not return a value'),
  'stack-address': warning(
    'return-stack-address',
    "address of stack memory associated with local variable '{name}' returned",
  ),
  'unused-call': warning('unused-value', 'ignoring return value of function declared with const attribute'),
  'nonnull-not-pointer': warning(
    'ignored-attributes',
    "'nonnull' attribute only applies to pointer arguments",
  ),
  'format-kind': warning('ignored-attributes', "'format' attribute argument not supported: {kind}"),
  'unevaluated-effect': warning(
    'unevaluated-expression',
    'expression with side effects has no effect in an unevaluated context',
  ),
  'small-integer-to-pointer': warning(
    'int-to-pointer-cast',
    "cast to '{to}' from smaller integer type '{from}'",
  ),
  'format-length': warning('format', "format specifies type '{wanted}' but the argument has type '{type}'"),
});
