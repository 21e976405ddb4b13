// SPDX-License-Identifier: MIT
//
// Messages of several stages.
import { error, fatal, note } from '../message';

export const commonMessages = () => ({
  'too-many-errors': fatal('too many errors emitted, stopping now [-ferror-limit=]'),
  'stack-exhausted': fatal('the program is nested too deeply'),
  unsupported: error('{what} is not supported yet'),
  'spirv-version': error(
    'the program needs SPIR-V {needed} for {feature}: it cannot be written as SPIR-V {given}',
  ),
  'macro-expansion': note("expanded from macro '{name}'"),
  'macro-expansions-skipped': note(
    '(skipping {count} expansions in backtrace; use -fmacro-backtrace-limit=0 to see all)',
  ),
  'previous-definition': note('previous definition is here'),
  'previous-declaration': note('previous declaration is here'),
  'to-match': note("to match this '{token}'"),
});
