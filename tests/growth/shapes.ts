// SPDX-License-Identifier: MIT
//
// Sources of one shape and any size: a program of size 2n has twice as much of one thing as a program of size n.

/** Lines, one for each number below `n`. */
const lines = (n: number, line: (i: number) => string): string =>
  Array.from({ length: n }, (_, i) => line(i)).join('\n');
const kernel = (body: string, before = ''): string => `${before}
kernel void k(global const uint *in, global uint *out, uint n) {
  uint g = get_global_id(0), x = in[g], y = in[g + 8];
${body}
  out[g] = x + y;
}
`;

export interface Shape {
  /** The first size of the short test. */
  readonly smallest: number;
  source(n: number): string;
}

export const SHAPES: Readonly<Record<string, Shape>> = {
  statements: {
    smallest: 500,
    source: (n) => kernel(lines(n, (i) => `  x = x * ${i % 13}u + y; y ^= x >> ${i % 31};`)),
  },
  // Each value is used twice: as a tree, it has 2^n nodes.
  'shared expressions': {
    smallest: 500,
    source: (n) =>
      kernel(
        `${lines(n, (i) => (i % 2 ? '  x ^= y << 1;' : '  y += x;'))}\n  ((global uchar *)out)[g] = (uchar)x;`,
      ),
  },
  'shared bytes': {
    smallest: 500,
    source: (n) => `kernel void k(global const uchar *in, global uchar *out) {
  uint g = get_global_id(0);
  int x = in[g], y = in[g + 8];
${lines(n, (i) => (i % 2 ? '  x = max(x, y - x) & 255;' : '  y = min(x, y ^ x);'))}
  out[g] = (uchar)(x > y ? x : y);
}
`,
  },
  'long expression': { smallest: 500, source: (n) => kernel(`  x = ${lines(n, (i) => `(x ^ ${i}u) +`)} y;`) },
  kernels: {
    smallest: 50,
    source: (n) => lines(n, (i) => `kernel void k${i}(global float *a) { a[get_global_id(0)] += ${i}.5f; }`),
  },
  'kernels with attributes': {
    smallest: 50,
    source: (n) =>
      lines(
        n,
        (i) =>
          `kernel __attribute__((reqd_work_group_size(64, 1, 1))) void k${i}(global float *a) { a[get_global_id(0)] += ${i}.5f; }`,
      ),
  },
  'kernels with a function': {
    smallest: 50,
    source: (n) =>
      lines(
        n,
        (i) => `float f${i}(float x) { return x + ${i}.5f; }
kernel void k${i}(global float *a) { a[get_global_id(0)] += f${i}(a[0]); }`,
      ),
  },
  functions: {
    smallest: 100,
    source: (n) =>
      kernel(
        lines(n, (i) => `  x = f${i}(x, y);`),
        lines(n, (i) => `uint f${i}(uint a, uint b) { return a * ${i}u ^ b; }`),
      ),
  },
  'call tree': {
    smallest: 100,
    source: (n) =>
      kernel(
        `  x = f${n - 1}(x);`,
        lines(n, (i) => `uint f${i}(uint a) { return ${i % 200 ? `f${i - 1}(a)` : 'a'} * 3u + ${i}u; }`),
      ),
  },
  branches: {
    smallest: 200,
    source: (n) =>
      kernel(lines(n, (i) => `  if (x & ${(i * 7 + 1) % 1024}u) { x += y; y ^= ${i}u; } else { y -= x; }`)),
  },
  'else if': {
    smallest: 40,
    source: (n) => kernel(`  ${lines(n, (i) => `if (x == ${i * 3}u) y += ${i * i}u; else`)} y = 7u;`),
  },
  cases: {
    smallest: 200,
    source: (n) =>
      kernel(`  switch (x) {\n${lines(n, (i) => `  case ${i * 5}: y = y * ${i}u + x; break;`)}\n  }`),
  },
  loops: {
    smallest: 100,
    source: (n) =>
      kernel(
        lines(n, (i) => `  for (uint k = 0; k < (y & 7u); k++) { x += y * k; y = y * 3u + ${i % 17}u; }`),
      ),
  },
  'nested blocks': { smallest: 50, source: (n) => kernel(lines(Math.ceil(n / 50), nestedBlocks)) },
  'private array': {
    smallest: 100,
    source: (n) =>
      kernel(`  uint a[32];\n${lines(n, (i) => `  a[${i % 32}] = x + ${i}u; x ^= a[${(i * 7) % 32}];`)}`),
  },
  variables: {
    smallest: 100,
    source: (n) =>
      kernel(`${lines(n, (i) => `  uint v${i} = x * ${i}u;`)}
  for (uint k = 0; k < n; k++) {\n${lines(n, (i) => `    v${i} += v${(i + 1) % n} ^ k;`)}\n  }
  x = ${lines(n, (i) => `v${i} +`)} 0u;`),
  },
  globals: {
    smallest: 100,
    source: (n) =>
      kernel(
        lines(n, (i) => `  x += c${i}[y & 3u];`),
        // Numbers that are not bytes, so that none is looked up by a permutation.
        lines(n, (i) => `constant uint c${i}[4] = {${i + 1000}, 2, 3, 4};`),
      ),
  },
  tables: {
    smallest: 100,
    source: (n) =>
      kernel(
        lines(n, (i) => `  x += c${i}[y & 3u];`),
        lines(n, (i) => `constant uint c${i}[4] = {${i & 127}, 2, 3, 4};`),
      ),
  },
  initializers: {
    smallest: 2000,
    source: (n) => kernel('  x += t[y];', `constant uint t[] = {${lines(n, (i) => `${i * 7},`)}};`),
  },
  members: {
    smallest: 50,
    source: (n) =>
      kernel(
        `  struct S s;\n${lines(n, (i) => `  s.m${i} = x + ${i}u;`)}\n${lines(n, (i) => `  y ^= s.m${i};`)}`,
        `struct S { ${lines(n, (i) => `uint m${i};`)} };`,
      ),
  },
  arguments: {
    smallest: 50,
    source: (n) => `kernel void k(${lines(n, (i) => `global uint *a${i},`)} uint n) {
  uint g = get_global_id(0);
${lines(n, (i) => `  a${i}[g] += n * ${i}u;`)}
}
`,
  },
  macros: {
    smallest: 200,
    source: (n) =>
      kernel(
        lines(n, (i) => `  x = M${i}(x, y);`),
        lines(n, (i) => `#define M${i}(a, b) (((a) * ${i}u) ^ ${i % 20 ? `M${i - 1}(b, 1u)` : '(b)'})`),
      ),
  },
  'loads and stores': {
    smallest: 100,
    source: (n) => kernel(lines(n, (i) => `  x += in[y % n + ${i % 64}]; out[y % n + ${i % 32}] = x;`)),
  },
  operands: {
    smallest: 100,
    source: (n) => kernel(`  if (${lines(n, (i) => `x != ${i * 3}u &&`)} y > 7u) y += 5u;`),
  },
  // Divisions are not computed where the operands before them are false.
  'guarded operands': {
    smallest: 100,
    source: (n) => kernel(`  if (${lines(n, (i) => `y / (x + ${i}u) != ${i * 3}u &&`)} y > 7u) y += 5u;`),
  },
  alternatives: {
    smallest: 50,
    source: (n) => kernel(`  x = ${lines(n, (i) => `(y ^ ${i}u) > x ? y * ${i}u :`)} x;`),
  },
  'nested structs': {
    smallest: 5,
    source: (n) =>
      kernel(
        `  struct S${n - 1} s; s${'.s'.repeat(n - 1)}.m = x;\n${lines(n, (i) => `  s${'.s'.repeat(i % 8)}.m += y;`)}\n  y = s.m;`,
        lines(n, (i) => `struct S${i} { uint m; ${i ? `struct S${i - 1} s;` : ''} };`),
      ),
  },
  prints: { smallest: 20, source: (n) => kernel(lines(n, (i) => `  printf("%u at ${i}: %u\\n", g, x);`)) },
  'switch in a loop': {
    // Smaller numbers than 64 take one byte each, larger ones two.
    smallest: 100,
    source: (n) =>
      kernel(
        `  for (uint k = 0; k < n; k++) switch ((x + k) % ${n}u) {\n${lines(n, (i) => `  case ${i}: x += y * ${i}u; ${i % 3 ? 'break;' : ''}`)}\n  }`,
      ),
  },
  returns: {
    smallest: 50,
    source: (n) =>
      kernel(
        '  x = f(x, y);',
        `uint f(uint a, uint b) {\n${lines(n, (i) => `  if (a == ${i * 5}u) return b * ${i}u;`)}\n  return a;\n}`,
      ),
  },
  'nested calls': {
    smallest: 20,
    source: (n) =>
      kernel(
        `  x = ${'max('.repeat(n % 200)}x${', y)'.repeat(n % 200)};\n${lines(Math.floor(n / 200), (i) => `  x += ${'max('.repeat(200)}x${`, ${i}u)`.repeat(200)};`)}`,
      ),
  },
  continues: {
    smallest: 30,
    source: (n) =>
      kernel(
        `  for (uint k = 0; k < n; k++) {\n${lines(n, (i) => `    if (x == ${i * 3}u) { y += k; continue; }\n    if (y == ${i * 5 + 1}u) break;`)}\n    x += y;\n  }`,
      ),
  },
  merges: {
    smallest: 20,
    source: (n) =>
      kernel(
        `${lines(20, (i) => `  uint v${i} = x + ${i}u;`)}\n${lines(n, (i) => `  if (y & ${1 << (i % 30)}u) { ${lines(20, (v) => `v${v} += v${(v + 1) % 20};`)} } else { v${i % 20} = x; }`)}\n  x = ${lines(20, (i) => `v${i} ^`)} 0u;`,
      ),
  },
  vectors: {
    smallest: 50,
    source: (n) =>
      kernel(
        `  float8 v = convert_float8((uint8)(x)), w = v * 0.5f;\n${lines(n, (i) => `  v = fma(v, w, v.s${'76543210'}); w.s${i % 8} = v.s${(i * 3) % 8};`)}\n  x = (uint)(v.s0 + w.s3);`,
      ),
  },
  'library calls': {
    smallest: 10,
    source: (n) =>
      kernel(
        `  float v = (float)x;\n${lines(n, (i) => `  v += sin(v) * exp(v * ${i}.5f);`)}\n  x = (uint)v;`,
      ),
  },
  atomics: {
    smallest: 50,
    source: (n) => kernel(lines(n, (i) => `  atomic_add((volatile global uint *)&out[y + ${i}u], x);`)),
  },
  barriers: {
    smallest: 10,
    source: (n) =>
      kernel(
        `  local uint l[64];\n${lines(n, (i) => `  l[get_local_id(0) & 63] = x * ${i}u; barrier(1); x ^= l[(y + ${i}u) & 63];`)}`,
      ),
  },
  // Each loop may have no iteration, so that after a barrier any of the later loops may be next.
  'loops with barriers': {
    smallest: 30,
    source: (n) => groups(lines(n, (i) => `  for (uint k = 0; k < n; k++) { ${exchange(i)} }`)),
  },
  'branches with barriers': {
    smallest: 30,
    source: (n) => groups(lines(n, (i) => `  if (n & ${1 << (i % 30)}u) { ${exchange(i)} } else x += 3u;`)),
  },
  'loops with barriers and returns': {
    smallest: 30,
    source: (n) =>
      groups(
        lines(n, (i) => `  for (uint k = 0; k < n; k++) { ${exchange(i)} if (n == ${i * 3}u) return; }`),
      ),
  },
  'loops with some barriers': {
    smallest: 20,
    source: (n) =>
      groups(
        lines(
          n,
          (i) =>
            `  for (uint k = 0; k < n; k++) { if (x == k) { y += 3u; continue; } if (n & k) { ${exchange(i)} } }`,
        ),
      ),
  },
  'cases with barriers': {
    smallest: 30,
    source: (n) =>
      groups(`  switch (n) {\n${lines(n, (i) => `  case ${i * 5}: ${exchange(i)} break;`)}\n  }`),
  },
  'barriers in a loop': {
    smallest: 30,
    source: (n) => groups(`  for (uint k = 0; k < n; k++) {\n${lines(n, exchange)}\n  }`),
  },
  'barriers in functions': {
    smallest: 30,
    source: (n) =>
      groups(
        lines(n, (i) => `  x = f(l, t, x, y + ${i}u, n);`),
        `uint f(local uint *l, uint t, uint x, uint y, uint n) { for (uint k = 0; k < n; k++) { ${exchange(1)} } return x; }`,
      ),
  },
  'values over barriers': {
    smallest: 30,
    source: (n) =>
      groups(
        `${lines(n, (i) => `  uint v${i} = in[x + ${i}u];`)}\n${lines(n, (i) => `  ${exchange(i)} x ^= v${i};`)}`,
      ),
  },
  'image reads': {
    smallest: 4,
    source: (n) => `kernel void k(read_only image2d_t im, sampler_t s, global uint *out) {
  int g = get_global_id(0);
  uint x = 0;
${lines(n, (i) => `  x += read_imageui(im, s, (int2)(g + ${i}, ${i})).x;`)}
  out[g] = x;
}
`,
  },
};

/** A kernel whose work-items exchange values. */
function groups(body: string, before?: string): string {
  return kernel(`  local uint l[64];\n  uint t = get_local_id(0) & 63;\n${body}`, before);
}

/** Two barriers. */
function exchange(at: number): string {
  return `l[t] = x * ${at}u; barrier(1); x ^= l[(y + ${at}u) & 63]; barrier(1);`;
}

/** Fifty nested blocks. */
function nestedBlocks(at: number): string {
  const open = lines(50, (i) => `  if (x > ${i + at}u) { x -= y;`);
  return `${open}\n  x *= 3u;\n${lines(50, () => '  y += x; }')}`;
}
