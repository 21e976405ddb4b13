// SPDX-License-Identifier: MIT
//
// Warnings about code that is allowed and most likely a mistake, in clang's words and under clang's -W names.
import { note, WHERE_REACHED, warning } from '../message';

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
    WHERE_REACHED,
  ),
  'constant-comparison': warning(
    'tautological-constant-compare',
    'result of comparison of constant {constant} with {of} is always {result}',
    WHERE_REACHED,
  ),
  'unsequenced-modifications': warning(
    'unsequenced',
    "multiple unsequenced modifications to '{name}'",
    WHERE_REACHED,
  ),
  'unsequenced-access': warning(
    'unsequenced',
    "unsequenced modification and access to '{name}'",
    WHERE_REACHED,
  ),
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
  'constant-conversion': warning(
    'constant-conversion',
    "implicit conversion from '{from}' to '{to}' changes value from {before} to {after}",
    WHERE_REACHED,
  ),
  'literal-conversion': warning(
    'literal-conversion',
    "implicit conversion from '{from}' to '{to}' changes value from {before} to {after}",
  ),
  'literal-out-of-range': warning(
    'literal-conversion',
    "implicit conversion of out of range value from '{from}' to '{to}' is undefined",
  ),
  'division-by-zero': warning('division-by-zero', '{what} by zero is undefined', WHERE_REACHED),
  'int-float-conversion': warning(
    'implicit-const-int-float-conversion',
    "implicit conversion from '{from}' to '{to}' changes value from {before} to {after}",
    WHERE_REACHED,
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
    WHERE_REACHED,
  ),
  'index-before': warning(
    'array-bounds',
    'array index {index} is before the beginning of the array',
    WHERE_REACHED,
  ),
  'missing-return-never': warning('return-type', 'non-void function does not return a value'),
  'stack-address': warning(
    'return-stack-address',
    "address of stack memory associated with local variable '{name}' returned",
  ),
  'unused-call': warning(
    'unused-value',
    'ignoring return value of function declared with {effect} attribute',
  ),
  'unused-result': warning(
    'unused-result',
    "ignoring return value of function declared with 'warn_unused_result' attribute",
  ),
  'unused-value': warning('unused-value', 'expression result unused', WHERE_REACHED),
  'unused-before-comma': warning(
    'unused-value',
    'left operand of comma operator has no effect',
    WHERE_REACHED,
  ),
  'unused-void-pointer': warning('unused-value', "expression result unused; should this cast be to 'void'?"),
  'unused-comparison': warning('unused-comparison', '{what} comparison result unused'),
  'nonnull-not-pointer': warning(
    'ignored-attributes',
    "'nonnull' attribute only applies to pointer arguments",
  ),
  'format-kind': warning('ignored-attributes', "'format' attribute argument not supported: {kind}"),
  'sizeof-array-argument': warning(
    'sizeof-array-argument',
    "sizeof on array function parameter will return size of '{type}' instead of '{array}'",
  ),
  'sizeof-array-decay': warning(
    'sizeof-array-decay',
    "sizeof on pointer operation will return size of '{type}' instead of '{array}'",
  ),
  'sizeof-pointer-quotient': warning(
    'sizeof-pointer-div',
    "'sizeof' will return the size of the pointer, not the array itself",
  ),
  'sizeof-array-quotient': warning(
    'sizeof-array-div',
    "expression does not compute the number of elements in this array; element type is '{element}', not '{type}'",
  ),
  'alignof-expression': warning(
    'gnu-alignof-expression',
    "'_Alignof' applied to an expression is a GNU extension",
  ),
  'float-comparison-literal': warning(
    'literal-range',
    "floating-point comparison is always {result}; constant cannot be represented exactly in type '{type}'",
  ),
  'enum-conversion': warning(
    'enum-conversion',
    "implicit conversion from enumeration type '{from}' to different enumeration type '{to}'",
  ),
  'enum-comparison': warning(
    'enum-compare',
    "comparison of different enumeration types ('{left}' and '{right}')",
  ),
  'enumerator-overflow': warning(undefined, 'overflow in enumeration value'),
  'many-braces': warning('many-braces-around-scalar-init', 'too many braces around scalar initializer'),
  'braces-around-scalar': warning('braced-scalar-init', 'braces around scalar initializer'),
  'initializer-override': warning(
    'initializer-overrides',
    'initializer overrides prior initialization of this subobject',
  ),
  'typedef-nameless': warning('missing-declarations', 'typedef requires a name'),
  'specifier-ignored': warning('missing-declarations', "'{specifier}' ignored on this declaration"),
  'flexible-not-last': warning(
    'gnu-variable-sized-type-not-at-end',
    "field '{name}' with variable sized type '{type}' not at the end of a struct or class is a GNU extension",
  ),
  'attribute-ignored': warning('ignored-attributes', "'{name}' attribute ignored"),
  'attribute-off-subject': warning('ignored-attributes', "'{name}' attribute only applies to {appliesTo}"),
  'attribute-repeated': warning(
    'ignored-attributes',
    "attribute '{name}' is already applied with different arguments",
  ),
  'attribute-deprecated': warning(
    'ignored-attributes',
    "'{name}' attribute is deprecated and ignored in OpenCL C version 2.0",
  ),
  'attribute-argument': warning('ignored-attributes', "'{name}' attribute argument not supported: {value}"),
  'must-use-void': warning(
    'ignored-attributes',
    "attribute 'warn_unused_result' cannot be applied to functions without return value",
  ),
  deprecated: warning('deprecated-declarations', "'{name}' is deprecated{message}"),
  'noreturn-returns': warning('invalid-noreturn', "function declared 'noreturn' should not return"),
  'function-without-prototype': warning(
    'deprecated-non-prototype',
    'a function definition without a prototype is deprecated in all versions of C and is not supported in C2x',
  ),
  'old-style-arguments': warning(undefined, "too {what} arguments in call to '{name}'"),
  'sampler-bits': warning('spir-compat', 'sampler initializer has invalid {mode} Mode bits'),
  'tag-invisible': warning(
    'visibility',
    "declaration of '{tag} {name}' will not be visible outside of this function",
  ),
  'string-plus-integer': warning(
    'string-plus-int',
    "adding '{type}' to a string does not append to the string",
  ),
  'string-plus-character': warning(
    'string-plus-char',
    "adding 'char' to a string pointer does not append to the string",
  ),
  'atomic-order': warning('atomic-memory-ordering', 'memory order argument to atomic operation is invalid'),
  'rgba-component': warning(
    'opencl-unsupported-rgba',
    "vector component name '{character}' is a feature from OpenCL version 3.0 onwards",
  ),
  'unevaluated-effect': warning(
    'unevaluated-expression',
    'expression with side effects has no effect in an unevaluated context',
  ),
  'small-integer-to-pointer': warning(
    'int-to-pointer-cast',
    "cast to '{to}' from smaller integer type '{from}'",
  ),

  // printf
  'format-invalid': warning('format-invalid-specifier', "invalid conversion specifier '{specifier}'"),
  'format-incomplete': warning('format', 'incomplete format specifier'),
  'format-nul': warning('format', "format string contains '\\0' within the string body"),
  'format-empty': warning('format-zero-length', 'format string is empty'),
  'format-unknown': warning(
    'format-security',
    'format string is not a string literal (potentially insecure)',
  ),
  'format-few': warning('format-insufficient-args', "more '%' conversions than data arguments"),
  'format-many': warning('format-extra-args', 'data argument not used by format string'),
  'format-position-zero': warning(
    'format',
    'position arguments in format strings start counting at 1 (not 0)',
  ),
  'format-position': warning(
    'format',
    "data argument position '{position}' exceeds the number of data arguments ({count})",
  ),
  'format-positions-mixed': warning(
    'format',
    'cannot mix positional and non-positional arguments in format string',
  ),
  'format-star-missing': warning(
    'format',
    "'{star}' specified field {what} is missing a matching 'int' argument",
  ),
  'format-star-type': warning(
    'format',
    "field {what} should have type 'int', but argument has type '{type}'",
  ),
  'format-flag': warning(
    'format',
    "flag '{flag}' results in undefined behavior with '{specifier}' conversion specifier",
  ),
  'format-flag-ignored': warning('format', "flag '{flag}' is ignored when flag '{by}' is present"),
  'format-precision': warning(
    'format',
    "precision used with '{specifier}' conversion specifier, resulting in undefined behavior",
  ),
  'format-length-modifier': warning(
    'format',
    "length modifier '{length}' results in undefined behavior or no effect with '{specifier}' conversion specifier",
  ),
  'format-type': warning('format', "format specifies type '{wanted}' but the argument has type '{type}'"),
  'format-boolean': warning('format', "using '{specifier}' format specifier, but argument has boolean value"),
  'format-defined': note('format string is defined here'),
});
