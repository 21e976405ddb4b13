// SPDX-License-Identifier: MIT
//
// What random kernels write to global memory: a work-item's own elements, and counters that all change.
import { flavour, index } from './leaves';
import { isScalarInteger, type Place, RESULTS, type ResultBuffer, scalar, vector } from './model';
import type { Writer } from './writer';

/** A work-item's own elements: consecutive, with a stride, or by column. */
export function memoryStatement(w: Writer, { indent }: Place): string {
  const { chance } = w;
  const array = chance.pick(['slots', 'slots', 'bytes', 'shorts', 'floats'] as const);
  const element = own(w, array);
  if (array === 'slots' && w.layouts.slots === 'rows' && chance.with(0.3))
    return `${indent}vstore4(${w.expression(vector('uint', 4), 2)}, gid, slots);\n`;
  if (array === 'floats') {
    const name = w.fresh('w');
    return `${indent}{ float ${name} = ${w.expression(scalar('float'), 2)}; ${element} = ${name} != ${name} ? 7.0f : ${name}; }\n`;
  }
  const base = ({ slots: 'uint', bytes: 'uchar', shorts: 'ushort' } as const)[array];
  return `${indent}${element} ${chance.pick(['=', '=', '=', '+=', '^='])} ${w.expression(scalar(base), 2)};\n`;
}

function own(w: Writer, array: Exclude<ResultBuffer, 'out'>): string {
  const count = RESULTS[array];
  const j = w.chance.with(0.7) ? w.chance.integer(0, count - 1) : `(${index(w, count, flavour(w))})`;
  switch (w.layouts[array]) {
    case 'rows':
      return `${array}[gid * ${count} + ${j}]`;
    case 'planes':
      return `${array}[${j} * N + gid]`;
    case 'columns':
      return `${array}[${j} * N + x * H * D + y * D + z]`;
  }
}

/** Operations of one kind change each counter, so their order does not matter. */
export function atomicStatement(w: Writer, { indent }: Place): string {
  const { chance } = w;
  const value = w.expression(scalar('uint'), 2);
  if (chance.with(0.3)) {
    const targets = w.scope.filter((v) => v.writable && !v.uniform && isScalarInteger(v.type));
    const old = targets.length > 0 ? `${chance.pick(targets).name} = ` : '';
    return `${indent}${old}atomic_${chance.pick(['add', 'xchg', 'max', 'xor'])}(&${own(w, 'slots')}, ${value});\n`;
  }
  const at = index(w, 4, flavour(w));
  return chance.pick([
    `${indent}atomic_add(&counters[${at}], ${value});\n`,
    `${indent}atomic_inc(&counters[${at}]);\n`,
    `${indent}atomic_max(&counters[4 + (${at})], ${value});\n`,
    `${indent}atomic_xor(&counters[8 + (${at})], ${value});\n`,
    `${indent}atomic_or(&counters[12 + (${at})], ${value});\n`,
  ]);
}
