// SPDX-License-Identifier: MIT
//
// Random kernels that move the bits of a number: reversals, Morton codes, masks and shifts in all orders, also where bits meet.
import { Chance } from '../chance';
import { PARAMETERS, type RandomKernel } from './model';

const WIDTHS = { uchar: 8, ushort: 16, uint: 32 } as const;
type Base = keyof typeof WIDTHS;

/** Masks of groups of bits; others are random. */
const GROUPS = [
  0x55555555, 0xaaaaaaaa, 0x33333333, 0x0f0f0f0f, 0xf0f0f0f0, 0x00ff00ff, 0x0000ffff, 0x09249249, 0x030c30c3, 0x0300f00f,
  0x030000ff, 0xc30c30c3, 0x0f00f00f, 0xff0000ff, 0x3ff, 0x7, 0x1,
]; // biome-ignore format: a table

interface Bits {
  readonly chance: Chance;
  readonly type: Base;
}

export function randomBits(seed: number): RandomKernel {
  const chance = new Chance(seed ^ 0xb175);
  const types: readonly Base[] = ['uint', 'uint', 'ushort', 'uchar'];
  const numbers = Array.from({ length: chance.integer(1, 2) }, () =>
    number({ chance, type: chance.pick(types) }),
  );
  const local = chance.pick([16, 8, 24, 7]);
  const source = `kernel void fuzz(${PARAMETERS}) {
  const uint x = get_global_id(0);
  // statements
${numbers.map((text, i) => text.replaceAll('RESULT', `slots[x * 4 + ${i}]`)).join('')}}
`;
  return { source, global: [local * 2, 1, 1], local: [local, 1, 1] };
}

function number(b: Bits): string {
  const { chance, type } = b;
  const start = chance.pick([
    `(${type})in[x]`,
    `(${type})in[x]`,
    `(${type})(in[x] ^ in[x + 1] * 31)`,
    `(${type})fmin(fmax(fin[x] * 64.0f, 0.0f), ${type === 'uchar' ? 255 : 1023}.0f)`,
    `(${type})((global const ushort *)in)[x]`,
  ]);
  const steps = Array.from({ length: chance.integer(1, 7) }, () => `    ${chance.pick(STEPS)(b)}\n`).join('');
  const result = chance.with(0.3) ? `v | (${type})(${start}) << 1` : 'v';
  return `  {\n    ${type} v = ${start}, r = 0;\n${steps}    RESULT = ${result};\n  }\n`;
}

function mask({ chance, type }: Bits): string {
  const low = 2 ** WIDTHS[type];
  const group = () => chance.pick(GROUPS) % low;
  const random = () => chance.integer(0, low - 1);
  const bits = chance.pick([group, group, group, random, () => (group() & random()) >>> 0])();
  return `0x${bits.toString(16)}u`;
}

const amount = ({ chance, type }: Bits): number =>
  chance.with(0.6) ? chance.pick([1, 2, 4, 8, 16]) % WIDTHS[type] : chance.integer(1, WIDTHS[type] - 1);
const join = ({ chance }: Bits): string => chance.pick(['|', '|', '^', '+']);

type Step = (b: Bits) => string;

const exchange: Step = (b) => {
  const [by, bits] = [amount(b), mask(b)];
  return `v = ((v >> ${by}) & ${bits}) ${join(b)} ((v & ${bits}) << ${by});`;
};
const spread: Step = (b) => `v = (v ${join(b)} v << ${amount(b)}) & ${mask(b)};`;
const gather: Step = (b) => `v = (v ${join(b)} v >> ${amount(b)}) & ${mask(b)};`;

/** All bits of a number exchanged with their neighbours, in several steps. */
const reverse: Step = ({ chance, type }) => {
  const stages = [1, 2, 4, 8, 16].filter((by) => by < WIDTHS[type]);
  const masks = [0x55555555, 0x33333333, 0x0f0f0f0f, 0x00ff00ff, 0x0000ffff];
  return stages
    .filter(() => chance.with(0.9))
    .map((by) => {
      const bits = `0x${masks[Math.log2(by)]!.toString(16)}u`;
      return `v = ((v >> ${by}) & ${bits}) | ((v & ${bits}) << ${by});`;
    })
    .join(' ');
};

const STEPS: readonly Step[] = [
  exchange,
  exchange,
  spread,
  spread,
  spread,
  gather,
  gather,
  reverse,
  reverse,
  (b) => `v &= ${mask(b)};`,
  (b) => `v ${b.chance.pick(['<<=', '>>='])} ${amount(b)};`,
  (b) => `v = rotate(v, (${b.type})${amount(b)});`,
  (b) => `v = v * 0x${(1 + 2 ** (amount(b) || 1)).toString(16)}u & ${mask(b)};`,
  (b) =>
    `for (int i = 0; i < ${b.chance.integer(2, WIDTHS[b.type])}; i++) { r = r << 1 | v & 1; v >>= 1; } v = r;`,
  // An operation between moves of bits, and a number that is used several times.
  (b) => `v ^= (${b.type})in[x + 2];`,
  (b) => `r = v; v = (v & ${mask(b)}) ${join(b)} (r & ${mask(b)});`,
];
