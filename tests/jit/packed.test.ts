// SPDX-License-Identifier: MIT
//
// Narrow integers, which vectors hold packed where neighbours are adjacent: every operation on bytes and halves at
// every tile against the interpreter, and accesses that are adjacent within a work-item.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openLibrary } from '../../ts/backend/software/build/library-file';
import { Program } from '../../ts/jit/frontend/program';
import { compileKernel } from '../../ts/jit/pipeline';
import { root } from '../helpers/command';
import { runCompiled } from '../helpers/compiled-kernel';
import { compiledModule } from '../helpers/compiled-module';
import { runInterpreted } from '../helpers/interpreted-kernel';

const library = openLibrary(() => readFileSync(join(root, 'dist/library.bin')));
const ITEMS = 96;
const TILES = [
  [1, 1],
  [4, 1],
  [8, 1],
  [16, 1],
  [32, 1],
  [16, 2],
] as const;

const noise = (bytes: number, seed: number) => {
  let s = seed;
  return Uint8Array.from({ length: bytes }, (_, i) => {
    s = (Math.imul(s, 1664525) + 1013904223) | 0;
    // Faults show near the ends of the ranges.
    return i % 5 === 0 ? [0, 1, 127, 128, 255][(s >>> 24) % 5]! : s >>> 24;
  });
};

/** A kernel over arrays of one element for each work-item, of one type; `body` computes `r` of `a`, `b` and `n`. */
function check(type: string, body: string, name = 'k'): void {
  const text = `kernel void k(global const ${type} *in, global const ${type} *other, global ${type} *out, global int *wide, int n) {
    int i = get_global_id(0); ${type} a = in[i], b = other[i], r = a; ${body} out[i] = r; }`;
  checkSource(text, 64, name);
}

function checkSource(text: string, bytesPerItem: number, name: string): void {
  const module = compiledModule({ name, text, options: '-cl-std=CL3.0' });
  const program = new Program(module, library);
  const bytes = ITEMS * bytesPerItem;
  const invocation = {
    global: [ITEMS] as const,
    local: [ITEMS] as const,
    args: [
      { buffer: noise(bytes, 1) },
      { buffer: noise(bytes, 2) },
      { buffer: new Uint8Array(bytes) },
      { buffer: new Uint8Array(bytes) },
      { value: new Uint8Array(Int32Array.of(3).buffer) },
    ],
  };
  const reference = program.translate('k');
  const expected = runInterpreted(reference.func, reference.signature, program.binary, invocation);
  for (const [lanes, rows] of TILES) {
    const { func, signature } = program.translate('k');
    const binary = compileKernel({
      translate: () => ({ func, signature }),
      constants: program.image,
      options: {
        engine: { relaxedSimd: false, isX64: true },
        lanes,
        rows,
      },
      trace: { check: true },
    });
    const actual = runCompiled(binary, program.binary, invocation);
    actual.buffers.forEach((got, buffer) => {
      if (Buffer.compare(got, expected.buffers[buffer]!) === 0) return;
      const at = got.findIndex((byte, i) => byte !== expected.buffers[buffer]![i]);
      expect({ text, lanes, buffer, at, byte: got[at] }).toEqual({
        text,
        lanes,
        buffer,
        at,
        byte: expected.buffers[buffer]![at],
      });
    });
  }
}

const EXPRESSIONS = [
  'r = a + b; r -= (TYPE)n; r *= b;',
  'r = (a & b) | (a ^ ~b); r = -r;',
  'r = min(a, b) ^ max((TYPE)n, b);',
  'r = add_sat(a, b) ^ sub_sat(b, a);',
  'r = hadd(a, b) + rhadd(a, b) - rhadd(a, (TYPE)n);',
  'r = mul_hi(a, b);',
  'r = abs_diff(a, b) + abs(a);',
  'r = (TYPE)(a << 3) ^ (TYPE)(b >> 2);',
  'r = (TYPE)(a >> n) | (TYPE)(b << n);',
  'r = a > b ? 1 : b; r = a == (TYPE)n ? b : r; r += a >= n && b < 100 || a == b;',
  'r = a > b ? 3 : 9; if (a == b) r = 5;',
  'r = (a + b + 1) >> 1; r ^= (a * 3 + b * 2 - 7) >> 3;',
  'r = (a * a + b) > (b * n + 1000) ? a : b; r += (a - b) * 5 < 300;',
  'if (a > n) r = b; if (i % 3 == 1) r = a * b; wide[i] = r * a + b;',
  'wide[i] = (a < b) + (a != b) * 2; r = convert_TYPE_sat(a * 2.5f - 3);',
  'r = clz(a) + popcount(b); r = rotate(r, (TYPE)3);',
  'for (int k = 0; k < n; k++) r = r * b + (TYPE)k; wide[i] = r / (b | 1) + r % 7;',
  'r = (TYPE)abs((int)a - (int)b) ^ (TYPE)popcount((uint)(a & 127)) ^ ~b ^ -a;',
  'int d = a - 100; if (d < 0) d = -d; r = d; wide[i] = (int)abs(b - 200) + (int)abs(a + 30) + (int)abs(a - b);',
  'wide[i] = (a - b) * n; r = (TYPE)(int)((a + b) * 0.25f) ^ (TYPE)((a * 3 - b) * 0x12345 >> 9);',
  'wide[i] = ((a & 0x7c) >> 2) << 19 | ((uint)b >> 3 & 7) << 5; r = (TYPE)((a >> 2 & 7) << 5) + (TYPE)((a - b) / 2);',
  'r = min((int)(abs(a * 3 - b) + abs(b * 2 - a)), 255) + abs((a & 63) - (b & 63));',
  'r = (a & 255) * (b & 255) / 255; r += ((a & 255) * 3 + 127) / 255 + (a - b) / 26 - (b - 90) % 13;',
  'r = convert_TYPE_sat((int)a + n * 40) ^ convert_TYPE_sat((int)b * 3 - n * 50) ^ (TYPE)clamp(a * b - 9, 0, 255);',
  'r = convert_TYPE(a / 3.5f) ^ convert_TYPE_sat(b * 300.0f - a) ^ convert_TYPE_sat(sqrt((float)a - b)); wide[i] = r;',
  'r = (TYPE)(a << (b & 7)) ^ (TYPE)(b >> (a & 7)); wide[i] = r;',
  'r = (TYPE)(a << (b & 15)) ^ (TYPE)(b >> (a & 15)); r += (TYPE)(a << ((b & 15) - 3 & 31));',
  'r = (TYPE)(a << (b & 31)) ^ (TYPE)(b >> (a & 31)); r -= (TYPE)(a >> (b & 63) / 2);',
  'r = (TYPE)(1 << (b & 15)) ^ (TYPE)((a >> (b & 7)) & 1) ^ (TYPE)(((b >> (a & 15)) & 1) * 16);',
  'r = (TYPE)(a << (i & 7)) ^ (TYPE)(b >> (i & 15)) ^ (TYPE)(n << (b & 7)) ^ (TYPE)(100 >> (a & 31));',
  'r = rotate(a, b) ^ rotate(b, (TYPE)n) ^ rotate((TYPE)n, a); r += (TYPE)((a & 63) << ((b & 6) >> 1)) >> 2;',
  'r = a >= 65 && a <= 90 ? a - 65 : a > b && b < 122 ? a - 71 : a == b ? 62 : b > n ? b * 3 + (a & 15) * (b ^ a) - 7 : b + 4;',
  'r = a > b ? ((a * 3 + b * 5 - 7) ^ (a << 2)) + (b & a) * 9 : ((b * 9 - a) | 3) + (a & 60) * 7 - (b >> 1) * 3; wide[i] = r;',
  'r = (TYPE)clz((int)(a & 127) + (b & 15)) ^ (TYPE)(24 - clz(abs(b * 2) + 132)) ^ clz(b); wide[i] = clz((a & 3) * (b & 1));',
  'if (a > b) { wide[i] = 1; r = a + b; if (b > n) { wide[i] += a; r *= b; } else r ^= n; } else if (a == b) r = n; wide[i] += r;',
  'for (int k = 0; k < n; k++) { TYPE t = r; if (t > b) { wide[i] += k; t = a - t; } else if (t & 1) { wide[i] ^= t; t = n; } r = t + k; }',
  'r = b; if (a > b) { for (int k = 0; k < (a & 3); k++) wide[i] += k; r = a; } else { wide[i] = 7; if (a & 1) return; } r -= n;',
  'r = (TYPE)(((a >> 3) & 31) ^ ((b << 2) & 0x7c)) ^ (TYPE)((a & 15) << 4) ^ (TYPE)((b & 0xf0) >> 4) ^ (TYPE)((a >> 2) & 0x3f);',
  'r = (TYPE)(a << 1) ^ (TYPE)(b >> 7) ^ (TYPE)(a >> 1); r += (TYPE)((b >> 5) & 15) ^ (TYPE)((a << 3) & 12); r ^= (a >> 4) >> 2;',
  'r = rotate(a, (TYPE)1) ^ rotate(b, (TYPE)5); r += (TYPE)((a & 12) << 6) ^ (TYPE)((b & 3) >> 1) ^ (TYPE)(n >> 1);',
  'r = (TYPE)(a << (n & 7)) ^ (TYPE)(b >> (n & 7)); r += (TYPE)(a >> (n & 4)) ^ (TYPE)(b << (n & 4)); r ^= (b >> ((n | 4) & 7)) + (TYPE)(a << ((n + 4) & 7));',
  'r = rotate(a, (TYPE)n) ^ rotate(b, (TYPE)(n & 4)); r += rotate(r, (TYPE)(n + 4)) ^ ((a >> (n & 15)) & 1); r ^= (TYPE)(b << (n & 15));',
  'r = a > b ? a + 5 : a - b; r ^= b >= 9 ? b - 32 : b; r += a < 3 ? a ^ 7 : a ^ b; r -= n > 2 && b != a ? r | 4 : r; r ^= a <= b ? b - a : b;',
  'wide[i] = a > n ? wide[i] + a : wide[i]; wide[i] -= a == b ? i - n : i - b; r = a > 9 && b > 9 ? 0 : a; r += a > b ? b : 0;',
  'r = (TYPE)(a * b) ^ (TYPE)(a * a) * 3; r += (TYPE)(b * 171) ^ (TYPE)(a * -5) ^ (TYPE)(b * n); r *= (TYPE)(r + 1);',
  'r = a > b ? 7 : a; r = b >= a ? r : b; r ^= a < b ? b : 3; r -= a <= b ? a : r; r += a != b ? r : a; r ^= a != n ? 0 : b;',
  'r = a > b ? 0 : 9; r += a <= b ? 5 : 0; r ^= a != b ? 0 : 3; r -= a < n ? 0 : 17; r ^= b >= n ? 255 : 0; wide[i] = a != b ? a : 1;',
  'r = bitselect(a, b, (TYPE)85); r = r > 100 ? select(a, b, a) : r; r = clamp(r, (TYPE)5, (TYPE)90);',
];

test.each(['char', 'uchar', 'short', 'ushort'])('every operation on %s', (type) => {
  for (const body of EXPRESSIONS) check(type, body.replaceAll('TYPE', type));
});

test.each(['char', 'uchar', 'short', 'ushort', 'int', 'uint'])(
  '%s compared with every kind of constant',
  (type) => {
    const least = type.startsWith('u')
      ? '0'
      : type === 'char'
        ? 'CHAR_MIN'
        : type === 'short'
          ? 'SHRT_MIN'
          : 'INT_MIN';
    for (const constant of [
      '0',
      '1',
      '127',
      '(TYPE)128',
      '(TYPE)255',
      '(TYPE)-1',
      '(TYPE)0x8000',
      '(TYPE)0x7fffffff',
      least,
    ])
      check(
        type,
        `const TYPE c = ${constant}; r = (a < c) | (a <= c) << 1 | (a > c) << 2 | (a >= c) << 3; r += a < c ? b : 5; r ^= a <= c ? 1 : b;
       r -= a > c ? b : a; r ^= a >= c ? b : 3; r += a < c ? 0 : 9; r ^= c < a ? 6 : 0; wide[i] = (c >= b) + (b != c) * 2;`.replaceAll(
          'TYPE',
          type,
        ),
      );
  },
);

test.each(['char', 'uchar', 'short', 'ushort'])('components of vectors of %s', (type) => {
  for (const width of [2, 3, 4, 8])
    check(
      `${type}${width}`,
      'r = a.yxyx == b.yxyx ? a : b; r.x = a.y; r.y += b.x; wide[i] = a.x * b.y; if (a.x > b.x) r = b; '
        .replace('a.yxyx == b.yxyx', 'a == b')
        .replaceAll('TYPE', type),
    );
});

test('digits of words that are compared and stored as bytes', () => {
  const digits = (many: number, bits: number, digit: string, more = '') =>
    `kernel void k(global const uint *in, global const uchar *other, global uchar *out, global int *wide, int n) {
      int i = get_global_id(0); uint w = in[i]; for (int k = 0; k < ${many}; k++) {
        uint d = (w >> (k * ${bits} & 31)) & ${2 ** bits - 1}; ${more} out[${many} * i + k] = ${digit}; } }`;
  checkSource(
    digits(4, 6, 'd < 26 ? d + 65 : d < 52 ? d + 71 : d < 62 ? d - 4 : d == 62 ? 43 : 47'),
    4,
    'base64',
  );
  checkSource(digits(8, 4, 'd > 9 ? d + 87 : d + 48'), 8, 'hexadecimal');
  checkSource(digits(4, 8, 'd', 'if (d > 200) d = 255; else if (d < 20) d = n;'), 4, 'limits');
  checkSource(digits(4, 8, 'd ^ 1', 'if ((int)d < n * 60) wide[i] += d;'), 4, 'with other uses');
  checkSource(
    digits(4, 8, 'd', 'd = (d == 0xff) + (d >= 300) * 2 + (d * 3 > 500) * 4;'),
    4,
    'sums of conditions',
  );
  checkSource(digits(3, 5, 'd * 8', 'if (d == other[i]) d = 31 - d;'), 4, 'compared with bytes');
});

test('bytes at any distance', () => {
  const body = (
    access: string,
  ) => `kernel void k(global const uchar *in, global const uchar *other, global uchar *out, global int *wide, int n) {
    int i = get_global_id(0); ${access} }`;
  checkSource(
    body('for (int j = 0; j < 3; j++) out[3 * i + j] = in[3 * i + 2 - j] + other[i * 5 + j];'),
    8,
    'rgb',
  );
  checkSource(
    body('int p = in[i] & 63; wide[i] = other[p] + other[p + 1] * other[p + 3]; out[i] = other[p + 2];'),
    8,
    'gather',
  );
  checkSource(
    body(
      'int p = i * 4 + 1; wide[i] = in[p] + in[p + 1] - in[p - 1]; if (i & 1) { out[p] = 1; out[p + 1] = in[p]; }',
    ),
    8,
    'shifted',
  );
  checkSource(
    body('vstore3(vload3(i, in) + vload3(0, other + i * 4 + 1), i, out); wide[i] = as_int(vload4(i, in));'),
    8,
    'vload',
  );
  checkSource(
    body(
      'int p = i * 2; short s = (short)(char)in[p + 1]; out[p] = s >> 1; out[p + 1] = out[p] + 1; wide[i] = s;',
    ),
    8,
    'pairs',
  );
});

test.each(['char', 'uchar'])('every second %s, computed in 16 bits and narrowed again', (type) => {
  const body = (code: string) =>
    checkSource(
      `kernel void k(global const ${type} *in, global const ${type} *other, global ${type} *out, global int *wide, int n) {
        int i = get_global_id(0); global const ${type} *p = in + 2 * i, *q = other + 2 * i; ${code} }`,
      8,
      'halves',
    );
  body('out[i] = (p[0] + p[1] + q[0] + q[1] + 2) >> 2;');
  body('out[i] = p[0] * 3 - p[1]; wide[i] = p[1] - q[0];');
  body('out[i] = (p[0] + p[1]) >> 2; wide[i] = out[i];');
  body('int v = (p[0] * 5 + q[1] * 3) >> 3; out[i] = v; if (v > 100) wide[i] = v;');
  body('if (p[1] > n) out[i] = (p[0] - q[0]) >> 1;');
  body('out[2 * i] = (p[1] + q[1] + 1) >> 1; out[2 * i + 1] = (p[0] + q[0]) >> 1;');
});

test.each(['char', 'uchar'])('every third and every fifth %s, computed in 16 bits', (type) => {
  const body = (code: string) =>
    checkSource(
      `kernel void k(global const ${type} *in, global const ${type} *other, global ${type} *out, global int *wide, int n) {
        int i = get_global_id(0); global const ${type} *p = in + 3 * i, *q = other + 5 * i; ${code} }`,
      8,
      'triples',
    );
  body('out[i] = (77 * p[0] + 150 * p[1] + 29 * p[2] + 128) >> 8;');
  body('out[i] = (20 * p[0] - 30 * q[1] + 9 * p[2]) >> 6;');
  body('out[i] = (p[0] * q[0] + p[1] - q[3]) >> 2; wide[i] = p[0] - q[4];');
  body('if (p[0] > q[0]) { short s = p[1] * 3 - q[2]; out[i] = s >> 2; wide[i] = s; }');
});

test('bytes and floats', () => {
  const floats = [
    '99.5f',
    '0.0f',
    '-3.25f',
    '1e9f',
    'NAN',
    'n * 33.3f',
    '(float)n',
    '-n * 20.5f',
    'n / 0.0f',
    'n - NAN',
  ];
  for (const type of ['uchar', 'char', 'short', 'ushort'])
    for (const t of floats)
      checkSource(
        `kernel void k(global const ${type} *in, global const ${type} *other, global uchar *out, global int *wide, int n) {
          int i = get_global_id(0); ${type} v = in[i]; float t = ${t};
          out[i] = (v > t ? 1 : 0) | (v >= t ? 2 : 0) | (v < t ? 4 : 0) | (v <= t ? 8 : 0) | (t == v ? 16 : 0) | (v != t ? 32 : 0) | (t > v ? 64 : 0); }`,
        8,
        'floats',
      );
});

test.each(['char', 'uchar', 'short', 'ushort'])(
  '%s a few elements apart, stored and loaded by vectors',
  (type) => {
    const body = (code: string) =>
      checkSource(
        `kernel void k(global const ${type} *in, global const ${type} *other, global ${type} *out, global int *wide, int n) {
        int i = get_global_id(0); ${code} }`,
        8,
        'apart',
      );
    body('out[i] = in[3 * i + 1]; ((global char *)wide)[i] = in[2 * i] > 5 ? 1 : 0;');
    body('out[3 * i] = in[i]; out[3 * i + 1] = 7; out[3 * i + 2] = other[i];');
    body(
      'out[3 * i] = ~in[i]; out[3 * i + 1] = in[i] > other[i] ? 255 : 0; out[3 * i + 2] = in[3 * i + 2] ^ in[3 * i];',
    );
    body('if (in[i] & 1) { out[3 * i] = in[i]; out[3 * i + 1] = n; out[3 * i + 2] = other[i]; }');
    body('out[2 * i] = in[i] + other[i]; out[2 * i + 1] = in[i] - other[i];');
    body(
      'out[4 * i] = in[i] ^ 1; out[4 * i + 1] = other[i]; out[4 * i + 2] = in[i] & other[i]; out[4 * i + 3] = 255;',
    );
  },
);
