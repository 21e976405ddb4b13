// SPDX-License-Identifier: MIT
//
// Messages about the build options.
import { error, warning } from '../message';

export const optionMessages = () => ({
  'unknown-option': error("unknown argument: '{option}'"),
  'unknown-option-suggest': error("unknown argument: '{option}'; did you mean '{suggestion}'?"),
  'option-value-missing': error("argument to '{option}' is missing (expected 1 value)"),
  'option-value-invalid': error("invalid value '{value}' in '{option}'"),
  'option-value-choices': error("invalid value '{value}' in '{option}'; expected one of {choices}"),
  'option-unterminated-quote': error('unterminated quote in the build options'),
  'option-macro-name': error("macro name must be an identifier in '{option}'"),
  'unknown-warning-option': warning(
    'unknown-warning-option',
    "unknown warning option '{option}'; did you mean '{suggestion}'?",
  ),
  'option-nul': error('a NUL character in the build options'),
});
