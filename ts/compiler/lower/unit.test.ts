// SPDX-License-Identifier: MIT
import { compiledModule } from '../../../tests/helpers/compiled-module';
import { spirvVal, testWith } from '../../../tests/helpers/spirv-tools';
import { encode } from '../../spirv/encode';
import { Capability, Decoration, ExecutionMode, Op } from '../../spirv/grammar.gen';
import { readString } from '../../spirv/literal-string';
import type { Module } from '../../spirv/module';
import { validate } from '../../spirv/validate';
import { compile } from '../compile';
import type { CompileInput } from '../compiled';

function lower(text: string, options = '-cl-std=CL3.0', more: Partial<CompileInput> = {}): Module {
  return compiledModule({ name: 'a.cl', text, options, target: 'spir', ...more });
}

const stringsOf = (module: Module) =>
  module.debug.filter((i) => i.op === Op.String).map((i) => readString(i.operands, 0)!.text);
const opsOf = (module: Module) =>
  module.functions.flatMap((f) => f.blocks.flatMap((block) => block.instructions.map((i) => i.op)));

test('capabilities are exactly those that are used', () => {
  const module = lower('kernel void k(global int *p) { long unused = 1; p[0] = 1; }');
  expect([...module.capabilities]).toEqual([Capability.Addresses, Capability.Kernel]);
  const wide = lower('kernel void k(global long *p, global double8 *q) { p[0] = 1; q[0] = 1.0; }');
  for (const capability of [Capability.Int64, Capability.Float64, Capability.Vector16])
    expect(wide.capabilities.has(capability)).toBe(true);
});

test('only what is reached or visible is emitted', () => {
  const source = 'static int unused(int x) { return x; } static int used(int x) { return x; }';
  const module = lower(`${source} kernel void k(global int *p) { p[0] = used(3); }`);
  expect(module.functions.length).toBe(2);
  expect(module.capabilities.has(Capability.Linkage)).toBe(false);
  expect(lower(source.replaceAll('static', '')).capabilities.has(Capability.Linkage)).toBe(true);
});

test('a kernel that is called has a second body: an entry point cannot be called', () => {
  const module = lower(
    'kernel void a(global int *p) { p[0] = 1; } kernel void b(global int *p) { a(p); }',
    '-cl-std=CL1.2',
  );
  expect(module.entryPoints.map((entry) => entry.name)).toEqual(['a', 'b']);
  expect(module.functions.length).toBe(3);
  const call = module.functions
    .flatMap((f) => f.blocks.flatMap((block) => block.instructions))
    .find((i) => i.op === Op.FunctionCall)!;
  expect(module.entryPoints.map((entry) => entry.function)).not.toContain(call.operands[0]);
});

test('before 1.4 the interface has built-in variables only', () => {
  const text = 'kernel void k(global int *p) { local int l; l = get_global_id(0); p[0] = l; }';
  expect(lower(text).entryPoints[0]!.interface.length).toBe(1);
  expect(lower(text, '', { spirvVersion: '1.4' }).entryPoints[0]!.interface.length).toBe(2);
});

test('attributes become execution modes, contraction is off where a product may not be fused', () => {
  const attributes = '__attribute__((reqd_work_group_size(8, 4, 1)))';
  const body = '(global float *p) { p[0] = p[1] * p[2] + p[3]; }';
  const modes = (module: Module) => module.executionModes.map((m) => m.mode);
  expect(modes(lower(`${attributes} kernel void k${body}`))).toEqual([ExecutionMode.LocalSize]);
  expect(modes(lower(`#pragma OPENCL FP_CONTRACT OFF\nkernel void k${body}`))).toEqual([
    ExecutionMode.ContractionOff,
  ]);
});

test('argument information is kept as strings', () => {
  const module = lower('typedef float T; kernel void k(global const T *restrict p, int n) {}');
  expect(stringsOf(module)).toEqual([
    'kernel_arg_type.k.T*,int,',
    'kernel_arg_base_type.k.float*,,',
    'kernel_arg_type_qual.k.restrict const,,',
  ]);
});

test('what cannot trap is selected, what may is branched to', () => {
  const of = (side: string) =>
    opsOf(lower(`kernel void k(global int *p, int n) { p[0] = n ? n + 1 : ${side}; }`));
  expect(of('n * 2')).not.toContain(Op.BranchConditional);
  expect(of('p[n]')).toContain(Op.BranchConditional);
  expect(of('7 / n')).toContain(Op.BranchConditional);
});

test('a long chain of operators needs no deep stack', () => {
  const sum = Array.from({ length: 3500 }, (_, i) => `x * ${i}`).join(' + ');
  const or = Array.from({ length: 3000 }, (_, i) => `p[${i}]`).join(' || ');
  expect(() => lower(`kernel void k(global int *p, int x) { p[0] = ${sum}; p[1] = ${or}; }`)).not.toThrow();
});

test('what is not supported is a diagnostic', () => {
  const text =
    'int call(int (^b)(int)) { return b(1); } kernel void k(global int *p) { p[0] = call(^(int x) { return x; }); }';
  const { module, log } = compile({ name: 'a.cl', text, options: '-cl-std=CL2.0' });
  expect(module).toBeUndefined();
  expect(log).toMatch(/a\.cl:1:\d+: error: /);
});

testWith('spirv-val').each(['', '-cl-opt-disable', '-g', '-cl-fast-relaxed-math'])(
  'valid with "%s"',
  (options) => {
    const text = `
    typedef union { int i; struct { char a; short b; } s; long l; } U;
    constant U table[2] = { { 1 }, { .s = { 2, 3 } } };
    U next(U u) { u.i++; return u; }
    float8 widen(float3 v) { return (float8)(v, v.zyx, 1, 2); }
    kernel void k(global int *p, U u, global float8 *f, float3 v) {
      for (int i = 0; i < 3; i++) { if (p[i] && p[i + 1]) goto out; u = next(i & 1 ? u : table[i]); }
    out:
      p[0] = u.s.b;
      f[0] = widen(v) * 2;
    }`;
    expect(spirvVal(encode(lower(text, `-cl-std=CL1.2 ${options}`)))).toBe('');
  },
);

test('what folding makes unreachable leaves no names and no decorations', () => {
  const module = lower(
    'kernel void k(global int *p, global float *q) { if (sizeof(int) == 3) { int x = convert_int_sat(q[1]); p[1] = x; } }',
  );
  expect(validate(module)).toBeUndefined();
  expect(opsOf(module)).toEqual([Op.Return]);
  expect(module.annotations.some((i) => i.operands[1] === Decoration.SaturatedConversion)).toBe(false);
});

test('a copy of a union is as aligned as both its places', () => {
  const module = lower(`typedef union { ulong w[2]; uint4 v; } U;
    typedef struct __attribute__((packed)) { char a; U u; struct { U inner; char c; } s; } P;
    typedef struct __attribute__((packed)) { char a; union { ulong8 a[3]; uint b; } large; } L;
    kernel void k(global U *to, global P *p, global L *l) {
      to[0] = p->u;
      p->u = to[1];
      to[2] = to[3];
      U wide __attribute__((aligned(64))) = to[4];
      p[1].s.inner = p[2].u;
      to[5].v = (to[6], p[1].u).v;
      l->large.a[1] = 5;
    }`);
  const all = module.functions.flatMap((f) => f.blocks.flatMap((block) => block.instructions));
  const copies = all.filter(({ op }) => op === Op.CopyMemorySized);
  expect(copies.map(({ operands }) => operands[4])).toEqual([1, 1, 16, 16, 1]);
  const vectors = all.filter(({ op }) => op === Op.Load || op === Op.Store);
  expect(vectors.map(({ operands }) => operands.at(-1))).toEqual([1, 16, 1]);
});

test("an initializer with its own variable's address is refused, and others are not", () => {
  const node = 'typedef struct node { float v; constant struct node *next; } node;';
  const use = 'kernel void k(global float *o) { o[0] = list[0].next->v; }';
  const logOf = (declarations: string) =>
    compile({
      name: 'a.cl',
      text: `${node}\n${declarations}\n${use}`,
      options: '-cl-std=CL3.0',
      target: 'spir',
    }).log;
  const refused =
    /a\.cl:\d+:\d+: error: the address of '(list|other)' in its own initializer is not supported/;
  expect(logOf('constant node list[2] = { { 1, &list[1] }, { 2, 0 } };')).toMatch(refused);
  expect(
    logOf(
      'extern constant node other; constant node list[1] = { 1, &other }; constant node other = { 2, list };',
    ),
  ).toMatch(refused);
  expect(
    logOf('constant node other = { 2, 0 }; constant node list[2] = { { 1, &other }, { 3, &other } };'),
  ).toBe('');
});
