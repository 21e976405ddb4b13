// SPDX-License-Identifier: MIT
//
// Random kernels over pixels of one to four channels of bytes or shorts: they become floats, are scaled, divided by constants, mixed and
// clamped, looked up in small tables, and become bytes or shorts again, as vectors or channel by channel.
import { Chance } from '../chance';
import { Draft } from './draft';
import { PARAMETERS, type RandomKernel } from './model';

const CHANNELS = ['uchar', 'uchar', 'uchar', 'char', 'ushort', 'short'] as const;
type Channel = (typeof CHANNELS)[number];
const LIMITS: Record<Channel, readonly [number, number]> = {
  uchar: [0, 255],
  char: [-128, 127],
  ushort: [0, 65535],
  short: [-32768, 32767],
};
const SIZES = [[32, 1], [16, 2], [16, 1], [8, 4], [7, 1], [5, 3], [20, 2]] as const; // biome-ignore format: a table
const MOST_DEPTH = 3;

class Pixels extends Draft {
  /** Floats, or vectors of as many as a pixel has. */
  readonly floats: string[] = [];

  constructor(
    seed: number,
    readonly channel: Channel,
    readonly count: number,
    readonly asVectors: boolean,
  ) {
    super(seed);
  }

  get type(): string {
    return this.asVectors && this.count > 1 ? `float${this.count}` : 'float';
  }
}

export function randomPixels(seed: number): RandomKernel {
  const pick = new Chance(seed ^ 0x919e15);
  const w = new Pixels(seed, pick.pick(CHANNELS), pick.pick([1, 2, 3, 3, 4]), pick.with(0.5));
  const { chance } = w;
  const [local, rows] = chance.pick(SIZES);
  const groups = chance.integer(1, 3);
  const numbers = (count: number, most: number) =>
    Array.from({ length: count }, () => chance.integer(0, most)).join();
  const size = chance.pick([16, 32, 256]);
  let body = '';
  for (let i = chance.integer(1, 4); i > 0; i--) body += declare(w);
  body += chance.with(0.3) ? change(w) : '';
  body += put(w);
  const guard = chance.pick(['', '', 'if (x < N - 2) ', 'if (s[x] > 40) ', 'if (y > 0) ']);
  const source = `constant uchar table[${size}] = { ${numbers(size, 255)} };
constant float curve[16] = { ${numbers(16, 300)} };
kernel void fuzz(${PARAMETERS}) {
  const int y = get_global_id(1), x = y * get_global_size(0) + get_global_id(0), N = get_global_size(0) * get_global_size(1);
  global const ${w.channel} *s = (global const ${w.channel} *)in;
  global ${w.channel} *d = (global ${w.channel} *)out;
  // statements
  ${guard}{
${body}  }
}
`.replaceAll('LAST', `${size - 1}`);
  return { source, global: [local * groups, rows, 1], local: [local, rows, 1] };
}

/** The number of a pixel of the input, which has 128 of the largest ones. */
const pixel = ({ chance }: Pixels): string =>
  chance
    .pick(['x', 'x', 'x', 'N - 1 - x', '(x >> 1)', '(x + n & 127)', '(y * 16 + (x & 15))'])
    .replace(/^(.*)$/, '($1 & 127)');

/** A pixel as floats, or one of its channels as a float. */
function loaded(w: Pixels): string {
  const { chance, channel, count, asVectors } = w;
  const p = pixel(w);
  const of = () => `(float)s[${p} * ${count} + ${chance.integer(0, count - 1)}]`;
  if (count === 1) return `(float)s[${p}]`;
  if (!asVectors) return chance.with(0.2) ? `(float)vload${count}(${p}, s).${chance.pick([...'xy'])}` : of();
  return chance.pick([
    `convert_float${count}(vload${count}(${p}, s))`,
    `convert_float${count}(vload${count}(${p}, s))`,
    ...(count === 3 ? [] : [`convert_float${count}(((global const ${channel}${count} *)s)[${p}])`]),
    `(float${count})(${Array.from({ length: count }, of).join()})`,
  ]);
}

/** A float that does not depend on the pixel. */
function factor({ chance }: Pixels): string {
  return chance.pick([
    '255.0f', '(1.0f / 255.0f)', '0.299f', '65535.0f', '2.0f', '0.1f', '-1.5f', '100.0f', '3.0f',
    '(float)n', '(float)k', 'fin[2]', 'fin[n + 4]', '(float)(x & 7)', '0.0f',
  ]); // biome-ignore format: a table
}

function float(w: Pixels, depth = 0): string {
  const { chance, type } = w;
  const leaf = () => (w.floats.length > 0 && chance.with(0.6) ? chance.pick(w.floats) : loaded(w));
  if (depth >= MOST_DEPTH) return leaf();
  const f = () => float(w, depth + 1);
  const [low, high] = LIMITS[w.channel];
  return chance.pick([
    leaf,
    () => `(${f()} ${chance.pick(['+', '-'])} ${chance.pick([leaf(), factor(w)])})`,
    () => `(${f()} * ${factor(w)})`,
    () => `(${f()} * ${factor(w)} + ${factor(w)})`,
    () =>
      `(${f()} / ${chance.pick(['255.0f', '255.0f', '65535.0f', '3.0f', '256.0f', '100.0f', '7.5f', '(float)n', '(float)k'])})`,
    () => `mix((${type})(${f()}), (${type})(${f()}), (${type})(${chance.pick(['0.25f', '0.5f', 'fin[2]'])}))`,
    () =>
      `clamp((${type})(${f()}), ${chance.pick([`${low}.0f, ${high}.0f`, '0.0f, 1.0f', '-20.0f, 300.0f'])})`,
    () => `${chance.pick(['fmin', 'fmax', 'min', 'max'])}((${type})(${f()}), (${type})(${factor(w)}))`,
    () => `${chance.pick(['floor', 'rint', 'trunc', 'fabs', 'round'])}((${type})(${f()}))`,
    () => `(${type})(${dot(w)})`,
    () => (w.type === 'float' ? `curve[(int)clamp(${f()}, 0.0f, 15.0f)]` : `(${f()} * ${leaf()})`),
    () =>
      w.type === 'float'
        ? `(float)table[(int)clamp(${f()}, 0.0f, LAST.0f)]`
        : `sqrt(fabs((${type})(${f()})))`,
    () =>
      w.type === 'float'
        ? `(${leaf()} ${chance.pick(['<', '>=', '=='])} ${factor(w)} ? ${f()} : ${leaf()})`
        : leaf(),
  ])();
}

/** A weighted sum of a pixel's channels, which is one float. */
function dot(w: Pixels): string {
  const p = pixel(w);
  const terms = Array.from(
    { length: w.count },
    (_, c) =>
      `${w.chance.pick(['0.299f', '0.587f', '0.114f', '77.0f', '2.0f'])} * s[${p} * ${w.count} + ${c}]`,
  );
  return terms.join(' + ');
}

function declare(w: Pixels): string {
  const value = float(w);
  const name = w.fresh('f');
  w.floats.push(name);
  return `    ${w.type} ${name} = ${value};\n`;
}

/** A loop over neighbours, as filters have it, or another value under a condition. */
function change(w: Pixels): string {
  const { chance, type } = w;
  const name = chance.pick(w.floats);
  return chance.pick([
    () =>
      `    for (int t = 0; t < ${chance.pick(['3', '4', '(int)n', '(x & 3)'])}; t++) ${name} += ${loaded(w).replace(/\bx\b/, '(x + t)')};\n`,
    () => `    if (x & ${chance.integer(1, 4)}) ${name} = (${type})(${float(w, 1)});\n`,
    () => `    if (s[x] ${chance.pick(['<', '>'])} ${chance.integer(0, 255)}) ${name} = -${name};\n`,
  ])();
}

function put(w: Pixels): string {
  const { chance, channel, count } = w;
  const own = chance.pick(['x', 'x', 'x', '(N - 1 - x)']);
  const [low, high] = LIMITS[channel];
  const rounded = chance.pick(['', '', '_rte', '_rtz', '_rtp']);
  const one = (f: string) =>
    chance.pick([
      `convert_${channel}_sat${rounded}(${f})`,
      `(${channel})clamp(${f}, ${low}.0f, ${high}.0f)`,
      `(${channel})(int)clamp(${f} + 0.5f, ${low}.0f, ${high}.0f)`,
      `convert_${channel}_sat((int)clamp(${f}, -1e6f, 1e6f))`,
      `(${channel})fmin(fmax(${f}, ${low}.0f), ${high}.0f)`,
    ]);
  const value = () => `(${float(w, 1)})`;
  if (w.type === 'float')
    return Array.from(
      { length: count },
      (_, c) => `    d[${own} * ${count} + ${c}] = ${one(value())};\n`,
    ).join('');
  const v = w.fresh('f');
  const line = `    ${w.type} ${v} = ${value()};\n`;
  const whole = chance.pick([
    `convert_${channel}${count}_sat${rounded}(${v})`,
    `convert_${channel}${count}(clamp(${v}, ${low}.0f, ${high}.0f))`,
    `(${channel}${count})(${Array.from({ length: count }, (_, c) => one(`${v}.${'xyzw'[c]}`)).join()})`,
  ]);
  return (
    line +
    chance.pick([
      `    vstore${count}(${whole}, ${own}, d);\n`,
      ...(count === 3 ? [] : [`    ((global ${channel}${count} *)d)[${own}] = ${whole};\n`]),
      Array.from(
        { length: count },
        (_, c) => `    d[${own} * ${count} + ${c}] = ${one(`${v}.${'xyzw'[c]}`)};\n`,
      ).join(''),
    ])
  );
}
