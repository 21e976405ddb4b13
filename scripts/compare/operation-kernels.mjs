// SPDX-License-Identifier: MIT
//
// Kernels that together use every operation of the JIT on every type: as code for all lanes, and in a branch with some lanes
// inactive.
const INTEGERS = ['char', 'uchar', 'short', 'ushort', 'int', 'uint', 'long', 'ulong'];
const FLOATS = ['half', 'float', 'double'];
const NUMBERS = [...INTEGERS, ...FLOATS];

const INTEGER_RESULTS = [
  'add_sat(a, b)',
  'sub_sat(a, b)',
  'mul_hi(a, b)',
  'rotate(a, b)',
  'rotate(a, (T)s)',
  'rotate(a, (T)8)',
  'rhadd(a, b)',
  'hadd(a, b)',
  'min(a, b)',
  'max(a, b)',
  'clamp(a, b, (T)s)',
  'clz(a)',
  'ctz(a)',
  'popcount(a)',
  '(T)abs(a)',
  '(T)abs_diff(a, b)',
  'a / b',
  'a % b',
  'a / (T)s',
  'a % (T)s',
  'a / (T)7',
  'a % (T)7',
  'a << (b & 7)',
  'a >> (b & 7)',
  'a << (s & 7)',
  'a >> (s & 7)',
  'a >> 3',
  'a * b + (T)s',
  '~a ^ -b',
  'a < b ? a : (T)3',
  'a == b || a > (T)s',
  'mad_sat(a, b, a)',
  'bitselect(a, b, (T)s)',
];
const FLOAT_RESULTS = [
  'fma(a, b, (T)s)',
  'mad(a, b, (T)s)',
  'fmod(a, b)',
  'remainder(a, b)',
  'fmin(a, b)',
  'fmax(a, b)',
  'copysign(a, b)',
  'floor(a)',
  'ceil(a)',
  'trunc(a)',
  'rint(a)',
  'round(a)',
  'fabs(a)',
  'sqrt(a)',
  'a / b',
  'a * b - (T)s',
  '(T)isunordered(a, b)',
  '(T)isless(a, b)',
  '(T)isnan(a)',
  '(T)signbit(a)',
  'a < b ? b : a',
  'a != b ? b : -a',
  'ldexp(a, (int)s)',
  'nextafter(a, b)',
];
const EXTENSIONS = `#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
`;

/** Kernels of one element type that store all results: those of all work-items, of some, and of each row. */
function elementwise(type, results) {
  const parameters = 'global const T *in, global const T *in2, global T *out, int s, int n';
  const list = results.map((result) => result.replaceAll('(T)', `(${type})`));
  const store = (indent) => list.map((r, k) => `${indent}out[i + ${k} * n] = ${r};`).join('\n');
  return `${EXTENSIONS}#define T ${type}
kernel void all(${parameters}) {
  size_t i = get_global_id(0); T a = in[i], b = in2[i];
${store('  ')}
}
kernel void some(${parameters}) {
  size_t i = get_global_id(0); T a = in[i], b = in2[i * 3];
  if (a > b) {
${store('    ')}
  }
}
kernel void rows(${parameters}) {
  size_t i = get_global_id(0) + get_global_id(1) * n; T a = in[i], b = in2[get_global_id(1)];
  for (int k = 0; k < s; k++) { a += b; if (a > (T)9) break; b += in[i + k]; }
${store('  ')}
}
`;
}

function conversions(from) {
  const lines = [];
  for (const to of NUMBERS) {
    if (to === from) continue;
    lines.push(`  ((global ${to} *)out)[i + ${lines.length} * n] = (${to})a;`);
    for (const suffix of FLOATS.includes(to) ? ['_rtz'] : FLOATS.includes(from) ? ['_sat', '_rtn'] : ['_sat'])
      lines.push(`  ((global ${to} *)out)[i + ${lines.length} * n] = convert_${to}${suffix}(a);`);
  }
  return `${EXTENSIONS}
kernel void all(global const ${from} *in, global void *out, int n) {
  size_t i = get_global_id(0); ${from} a = in[i];
${lines.join('\n')}
}
kernel void some(global const ${from} *in, global void *out, int n) {
  size_t i = get_global_id(0); ${from} a = in[i * 2];
  if (a > (${from})5) {
${lines.join('\n')}
  }
}
`;
}

function atomics(type) {
  const fetches = ['add', 'sub', 'and', 'or', 'xor', 'min', 'max'];
  const lines = fetches.flatMap((op) => [
    `  out[i] += atomic_fetch_${op}(p, v);`,
    `  atomic_fetch_${op}(p + (i & 7), v);`,
    `  if (v > 3) out[i] += atomic_fetch_${op}_explicit(q + (v & 3), v, memory_order_relaxed, memory_scope_work_group);`,
  ]);
  return `${EXTENSIONS}
kernel void fetch(global atomic_${type} *p, local atomic_${type} *q, global const ${type} *in, global ${type} *out) {
  size_t i = get_global_id(0); ${type} v = in[i];
${lines.join('\n')}
}
kernel void exchange(global atomic_${type} *p, local atomic_${type} *q, global const ${type} *in, global ${type} *out) {
  size_t i = get_global_id(0); ${type} v = in[i], w = in[i + 1];
  out[i] = atomic_exchange(p, v) + atomic_exchange(q + (i & 3), v);
  if (v > w) { atomic_compare_exchange_strong(p + (v & 7), &w, v); out[i] += w; }
  atomic_store(p + 64 + i, w);
  out[i] += atomic_load(p + (w & 15));
}
`;
}

function groups(type) {
  const operations = ['add', 'min', 'max'];
  const lines = (scope) => [
    ...operations.flatMap((op) => [
      `  r += ${scope}_group_reduce_${op}(v);`,
      `  r += ${scope}_group_scan_inclusive_${op}(v);`,
      `  r += ${scope}_group_scan_exclusive_${op}(v);`,
    ]),
    `  r += ${scope}_group_broadcast(v, s);`,
    `  r += ${scope}_group_all(v > 1) + ${scope}_group_any(v > 2);`,
  ];
  return `${EXTENSIONS}
kernel void work(global const ${type} *in, global ${type} *out, uint s) {
  size_t i = get_global_id(0); ${type} v = in[i], r = 0;
${lines('work').join('\n')}
  out[i] = r;
}
kernel void sub(global const ${type} *in, global ${type} *out, uint s) {
  size_t i = get_global_id(0); ${type} v = in[i], r = 0;
${lines('sub').join('\n')}
  r += sub_group_shuffle(v, s) + sub_group_shuffle_xor(v, 1) + sub_group_shuffle_up(v, 1) + sub_group_shuffle_down(v, 2);
  if (v > 3) r += sub_group_non_uniform_reduce_add(v) + sub_group_non_uniform_scan_inclusive_add(v) + sub_group_ballot(v > 4).x;
  r += sub_group_clustered_reduce_add(v, 4) + sub_group_rotate(v, 1);
  out[i] = r;
}
`;
}

const MEMORY = `${EXTENSIONS}
typedef struct { float x, y, z, w; } Point;
typedef struct { float x, y, z; } Vertex;
kernel void structures(global const Point *in, global Point *out, global const Vertex *v, global Vertex *w, int n) {
  size_t i = get_global_id(0); Point p = in[i]; Vertex q = v[i];
  if (p.x > q.x) { p.y += q.y; w[i].z = p.z; }
  out[i] = p; q.z += p.w; w[i] = q;
}
kernel void pixels(global const uchar *in, global uchar *out, global const ushort *in16, global ushort *out16) {
  size_t i = get_global_id(0);
  uchar r = in[i * 3], g = in[i * 3 + 1], b = in[i * 3 + 2];
  out[i * 3] = b; out[i * 3 + 1] = g; out[i * 3 + 2] = r;
  out16[i] = (in16[i] + in16[i + 1] + 1) >> 1;
}
kernel void packed_some(global const uchar *in, global uchar *out, uchar limit) {
  size_t i = get_global_id(0); uchar a = in[i], b = in[i + 1];
  if (a > limit) out[i] = add_sat(a, b); else out[i] = a >> 1;
}
kernel void strided(global const float *in, global float *out, int s) {
  size_t i = get_global_id(0); out[i * 2] = in[i * s] + in[i * 5 + 1]; if (in[i] > 0) out[(int)in[i]] = in[(int)in[i + 1]];
}
kernel void arrays(global const int *in, global int *out, int n) {
  int t[16]; size_t i = get_global_id(0);
  for (int k = 0; k < 16; k++) t[k] = in[i + k * n];
  for (int k = 0; k < n; k++) t[in[k + i] & 15] += t[k & 15];
  for (int k = 0; k < 16; k++) out[i * 16 + k] = t[k];
}
kernel void barriers(global const float *in, global float *out, local float *l) {
  size_t i = get_local_id(0), j = get_local_id(1); float a = in[get_global_linear_id()];
  l[i + j * 32] = a; barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = 16; s > 0; s >>= 1) { if (i < s) l[i + j * 32] += l[i + s + j * 32]; barrier(CLK_LOCAL_MEM_FENCE); }
  out[get_global_linear_id()] = l[j * 32] * a;
  event_t e = async_work_group_copy(out, l, 32, 0); wait_group_events(1, &e);
  e = async_work_group_strided_copy(l, in, 32, 3, 0); wait_group_events(1, &e); out[i + 64] = l[i];
}
kernel void print(global const int *in, global float *out) {
  size_t i = get_global_id(0); if (in[i] > 3) printf("%d %f %s\\n", in[i], out[i], "text"); printf("%v4f\\n", vload4(i, out));
}
kernel void flow(global const int *in, global int *out, int n) {
  size_t i = get_global_id(0); int a = in[i], b = 0;
  while (a != 1 && b < n) { switch (a & 3) { case 0: a >>= 2; break; case 1: a = a * 3 + 1; b += 2; case 2: a /= 2; break; default: if (b & 1) continue; a++; } b++; if (a > 1000) break; }
  for (int k = 0; k < (a & 7); k++) { if (in[k] == a) return; b += in[k * i]; }
  out[i] = a + b;
}
constant sampler_t smp = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;
kernel void image(read_only image2d_t src, write_only image2d_t dst) {
  int2 p = (int2)(get_global_id(0), get_global_id(1)); write_imagef(dst, p, read_imagef(src, smp, convert_float2(p) + 0.5f) + read_imagef(src, p));
}
`;

/** Pairs of a name and a source. */
export function operationKernels() {
  return [
    ...INTEGERS.map((type) => [`integer ${type}`, elementwise(type, INTEGER_RESULTS)]),
    ...FLOATS.map((type) => [`float ${type}`, elementwise(type, FLOAT_RESULTS)]),
    ...NUMBERS.map((type) => [`convert ${type}`, conversions(type)]),
    ...['int', 'uint', 'long', 'ulong'].map((type) => [`atomics ${type}`, atomics(type)]),
    ...['int', 'uint', 'long', 'float', 'double'].map((type) => [`groups ${type}`, groups(type)]),
    ['memory', MEMORY],
  ];
}
