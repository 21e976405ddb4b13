// SPDX-License-Identifier: MIT
//
// Random kernels of the functions of half, float and double that OpenCL C defines exactly, on infinities, NaNs and denormals,
// too: as expressions, with results through pointers to all address spaces, in divergent branches and loops, and of loads and stores of
// vectors and of halves. A model of exact numbers computes what each work-item stores.
import { Draft } from './draft';
import {
  bitsType,
  COUNTS,
  declareOneNaN,
  isFloat,
  nameOf,
  quietExpression,
  ROWS,
  type Type,
  type Work,
  withKnownBits,
} from './exact-floats/expressions';
import { FLOATS, type Float } from './exact-floats/model';
import { LOCAL_PLACES, nearCall, pointerCall, repeatedCall, vectorsInMemory } from './exact-floats/pointers';
import { PARAMETERS, type RandomKernel, RESULTS } from './model';
import { INTEGERS } from './numbers';

const STATEMENTS = [pointerCall, pointerCall, pointerCall, nearCall, repeatedCall, vectorsInMemory, vectorsInMemory, declaration]; // biome-ignore format: a list

function declaration(w: Work): string {
  const { chance } = w.draft;
  const base = chance.with(0.7) ? chance.pick(FLOATS) : chance.pick(INTEGERS);
  const type: Type = { base, count: chance.pick(COUNTS) };
  const { text, rows } = withKnownBits(type, quietExpression(w, type, chance.integer(1, 3)));
  const name = w.draft.fresh('v');
  w.variables.push({ name, type, value: { text: name, rows } });
  return `  ${nameOf(type)} ${name} = ${text};\n`;
}

/** The bits of all components as one number. */
function hashOf(name: string, { base, count }: Type): string {
  const component = (i: number) => (count === 1 ? name : `${name}.s${i.toString(16)}`);
  const bits = (i: number) => (isFloat(base) ? `as_${bitsType(base)}(${component(i)})` : component(i));
  return Array.from({ length: count }, (_, i) => i).reduce((h, i) => `(${h} * 31ul + (ulong)${bits(i)})`, '0ul'); // biome-ignore format: long
}

const ONE_NANS = FLOATS.flatMap((base: Float) => COUNTS.map((count) => declareOneNaN({ base, count }))).join(
  '',
);

/** `only`: the number of the variable that alone is looked at, to find the faulty one. */
export function randomExactFloats(seed: number, { only }: { only?: number } = {}): RandomKernel {
  const draft = new Draft(seed ^ 0xf10a);
  const { chance } = draft;
  const w: Work = { draft, declarations: '', variables: [] };
  const local = chance.pick([16, 8, 24, 7]);
  let text = '';
  for (let i = chance.integer(4, 8); i > 0; i--) text += chance.pick(STATEMENTS)(w);
  const hashes = Array.from({ length: RESULTS.out }, () => Array.from({ length: ROWS }, () => 0n));
  w.variables.forEach(({ name, type, value }, i) => {
    if (only !== undefined && i !== only) return;
    const at = i % RESULTS.out;
    text += `  h${at} = h${at} * 7ul + ${hashOf(name, type)};\n`;
    hashes[at] = hashes[at]!.map((h, row) =>
      BigInt.asUintN(64, h * 7n + value.rows[row]!.reduce((sum, v) => sum * 31n + v, 0n)),
    );
  });
  const expected = BigUint64Array.from(
    { length: local * 2 * RESULTS.out },
    (_, i) => hashes[i % RESULTS.out]![Math.floor(i / RESULTS.out) % ROWS]!,
  );
  const all = Array.from({ length: RESULTS.out }, (_, i) => i);
  const source = `#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
${ONE_NANS}${w.declarations}kernel void fuzz(${PARAMETERS}) {
  const uint x = get_global_id(0), LX = get_local_id(0);
${LOCAL_PLACES}  ulong ${all.map((i) => `h${i} = 0`).join(', ')};
  // statements
${text}${all.map((i) => `  out[x * ${RESULTS.out} + ${i}] = h${i};\n`).join('')}}
`;
  return { source, global: [local * 2, 1, 1], local: [local, 1, 1], expected };
}
