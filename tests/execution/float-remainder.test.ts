// SPDX-License-Identifier: MIT
//
// SPIR-V's FRem and FMod, which no function of OpenCL C becomes: sums whose opcode is replaced. Both are exact.
import { join } from 'node:path';
import type { Session } from '../../ts';
import { compile } from '../../ts/compiler/compile';
import { encode } from '../../ts/spirv/encode';
import { Op } from '../../ts/spirv/grammar.gen';

type Anycl = typeof import('../../ts');
const { open } = require(join(__dirname, '../../dist/index.cjs')) as Anycl;
let session: Session;
beforeAll(async () => {
  session = await open({ device: 'software' });
});
afterAll(() => session.close());

const source = (type: string) => `
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void k(global const ${type} *x, global const ${type} *y, global ${type} *r) {
  size_t i = get_global_id(0);
  r[i] = x[i] + y[i];
}`;

function moduleWith(op: Op, type: string): Uint8Array {
  const module = compile({ name: 'k.cl', text: source(type), options: '' }).module!;
  const sums = module.functions
    .flatMap(({ blocks }) => blocks.flatMap(({ instructions }) => instructions))
    .filter((i) => i.op === Op.FAdd);
  expect(sums).toHaveLength(1);
  sums[0]!.op = op;
  return encode(module);
}

const EDGES = [0, -0, 0.5, -1.5, 3, 1e-45, -1e-38, 1e10, 3.4e38, Infinity, -Infinity, NaN];

/** Pairs of edges, and of numbers whose quotients are small, large and near integers. */
function pairs(exponents: number): readonly [x: number[], y: number[]] {
  const [x, y]: [number[], number[]] = [[], []];
  for (const a of EDGES) {
    x.push(...EDGES.map(() => a));
    y.push(...EDGES);
  }
  let state = 12345;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  for (let i = 0; i < 4000; i++) {
    const b = (next() - 0.5) * 2 ** Math.floor((next() - 0.5) * exponents);
    const quotient = i % 2 ? Math.floor(next() * 1000) : (next() - 0.5) * 2 ** Math.floor(next() * 60);
    x.push(b * quotient);
    y.push(b);
  }
  return [x, y];
}

const floored = (a: number, b: number): number => {
  const rest = a % b;
  return rest !== 0 && rest < 0 !== b < 0 ? rest + b : rest;
};

describe.each([
  ['FRem', Op.FRem, (a: number, b: number) => a % b],
  ['FMod', Op.FMod, floored],
] as const)('%s', (_name, op, exact) => {
  test.each([
    ['float', (numbers: number[]) => Float32Array.from(numbers), 200],
    ['double', (numbers: number[]) => Float64Array.from(numbers), 1900],
  ] as const)('%s', async (type, array, exponents) => {
    const { k } = (await session.build(moduleWith(op, type))).kernels;
    const [dividends, divisors] = pairs(exponents);
    const [x, y] = [array(dividends), array(divisors)];
    const result = session.buffer(array(dividends.map(() => 0)));
    await k!.run({ global: x.length }, session.buffer(x), session.buffer(y), result);
    const results = await result.read();
    const wanted = array(Array.from(x, (a, i) => exact(a, y[i]!)));
    const wrong: string[] = [];
    wanted.forEach((value, i) => {
      // Both zeros are right.
      if (results[i] !== value && !(Number.isNaN(results[i]) && Number.isNaN(value)))
        wrong.push(`${x[i]} and ${y[i]}: ${results[i]}, not ${value}`);
    });
    expect(wrong).toEqual([]);
  });
});
