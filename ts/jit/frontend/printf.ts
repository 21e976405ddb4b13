// SPDX-License-Identifier: MIT
//
// printf: the format is known at compile time and stored with the compiled kernel; arguments are widened to the slots of
// kernel-abi.ts.

import { byteString } from '../../base/byte-string';
import type { PrintfFormat } from '../../base/kernel-abi';
import type { Instruction } from '../../spirv/module';
import { Op as Ir, Type, type Value } from '../ir/ir';
import { bitsOf, isFloat } from '../ir/types';
import { assertFormat } from './assertions';
import { constantBytes } from './constant-strings';
import { formatProblem } from './printf-arguments';
import type { Translation } from './translation';

/** The conversion letters of a format in the order of their arguments; `*` widths and precisions have one as well. */
export function conversions(format: string): string[] {
  const found: string[] = [];
  const pattern = /%(?:%|[-+ #0]*(\*|\d+)?(?:\.(\*|\d+)?)?(?:v\d+)?(?:hh|hl|h|ll|l|z|t|j|L)?([a-zA-Z]))/g;
  for (const [, width, precision, letter] of format.matchAll(pattern)) {
    if (width === '*') found.push('d');
    if (precision === '*') found.push('d');
    if (letter) found.push(letter);
  }
  return found;
}

export function printf(t: Translation, i: Instruction): void {
  const bytes = constantBytes(t, t.scalar(i.operands[2]!));
  if (bytes === undefined) t.fail("printf's format must be a string literal");
  const format = byteString(bytes);
  const letters = conversions(format);
  const types = i.operands.slice(3).map((id) => t.typeOf(id));
  assertFormat(t, formatProblem(new TextDecoder().decode(bytes), types));
  const slots: PrintfFormat['arguments'][number][] = [];
  const values: Value[] = [];
  i.operands.slice(3).forEach((id, at) => {
    const info = t.typeOf(id);
    const letter = letters[at] ?? 'd';
    const list = t.get(id);
    if (info.kind === 'pointer') {
      const address = list[0]!;
      if (letter === 's') {
        // Strings are literals of the program, which is below 4 GB.
        slots.push({ type: 'string', components: 1 });
        values.push(t.resize(address, Type.I32, false));
      } else {
        slots.push({ type: address.type === Type.I64 ? 'wide-pointer' : 'pointer', components: 1 });
        values.push(address);
      }
      return;
    }
    const wide = isFloat(list[0]!.type) ? Type.F64 : bitsOf(list[0]!.type) === 64 ? Type.I64 : Type.I32;
    slots.push({
      type: wide === Type.F64 ? 'f64' : wide === Type.I64 ? 'i64' : 'i32',
      components: list.length,
    });
    const signed = letter === 'd' || letter === 'i';
    for (const value of list)
      values.push(wide === Type.F64 ? t.narrow(value, wide) : t.resize(value, wide, signed));
  });
  t.set(i, [t.emit(Ir.Printf, Type.I32, values, { format: { format, arguments: slots } })]);
}
