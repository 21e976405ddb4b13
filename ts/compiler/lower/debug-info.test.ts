// SPDX-License-Identifier: MIT

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compiledModule } from '../../../tests/helpers/compiled-module';
import { spirvVal, testWith } from '../../../tests/helpers/spirv-tools';
import { encode } from '../../spirv/encode';
import { OpenCLDebugInfo as Debug, Op } from '../../spirv/grammar.gen';
import { link } from '../../spirv/link';
import { readString } from '../../spirv/literal-string';
import type { Instruction, Module } from '../../spirv/module';
import { validate } from '../../spirv/validate';
import { compile } from '../compile';

const SOURCE = `static int square(int x) { int y = x * x; return y; }
kernel void f(global int *p, int n) {
  int sum = 0, unused = n * 3;
  for (int i = 0; i < n; i++) {
    int t = p[i];
    if (t > 3) { int u = square(t); sum += u; }
    else { sum--; }
  }
  int kept[4];
  for (int j = 0; j < 4; j++) kept[j] = sum + j;
  p[0] = kept[n & 3];
}
`;

function lower(text: string, options = '-g -cl-std=CL3.0'): Module {
  return compiledModule({ name: 'a.cl', text, options });
}

/** All debug instructions of a kind. */
function debugs(module: Module, kind: Debug): Instruction[] {
  const set = module.extInstImports.get('OpenCL.DebugInfo.100');
  const all = [
    ...module.globals,
    ...module.functions.flatMap((f) => f.blocks.flatMap((block) => block.instructions)),
  ];
  return all.filter((i) => i.op === Op.ExtInst && i.operands[0] === set && i.operands[1] === kind);
}

const text = (module: Module, id: number): string =>
  readString(module.debug.find((i) => i.result === id)!.operands, 0)!.text;

const definitionOf = (module: Module, id: number): Instruction | undefined =>
  [
    ...module.globals,
    ...module.functions.flatMap((f) => [...f.parameters, ...f.blocks.flatMap((block) => block.instructions)]),
  ].find((i) => i.result === id);

/** The DebugValue instructions of each variable, as the opcodes of the values. */
function valuesOf(module: Module): Record<string, string[]> {
  const values: Record<string, string[]> = {};
  for (const { operands } of debugs(module, Debug.DebugValue)) {
    const variable = definitionOf(module, operands[2]!)!;
    const name = text(module, variable.operands[2]!);
    values[name] ??= [];
    values[name].push(Op[definitionOf(module, operands[3]!)!.op]!);
  }
  return values;
}

test('scopes that declare something are lexical blocks, one within the other', () => {
  const module = lower(SOURCE);
  const blocks = debugs(module, Debug.DebugLexicalBlock);
  // The first loop, its body, the body of its if; the second loop. Its else declares nothing.
  expect(blocks.map(({ operands }) => [operands[3], operands[4]])).toEqual([
    [4, 3],
    [4, 31],
    [6, 16],
    [10, 3],
  ]);
  const functions = debugs(module, Debug.DebugFunction).map((i) => i.result);
  const parents = blocks.map(({ operands }) => operands[5]!);
  expect(parents.slice(1, 3)).toEqual([blocks[0]!.result, blocks[1]!.result]);
  expect(functions).toContain(parents[0]);
  expect(functions).toContain(parents[3]);
  const scopeOf = new Map(
    debugs(module, Debug.DebugLocalVariable).map((i) => [text(module, i.operands[2]!), i.operands[7]]),
  );
  expect([scopeOf.get('i'), scopeOf.get('t'), scopeOf.get('u'), scopeOf.get('j')]).toEqual(
    blocks.map((i) => i.result),
  );
  expect(functions).toContain(scopeOf.get('sum'));
});

test('each block of a function says which scope it starts in, after its phis', () => {
  const module = lower(SOURCE);
  const scopes = new Set(debugs(module, Debug.DebugScope).map((i) => i.result));
  for (const { instructions } of module.functions.flatMap((f) => f.blocks)) {
    const first = instructions.find((i) => i.op !== Op.Phi && i.op !== Op.Variable)!;
    expect(scopes.has(first.result)).toBe(true);
  }
});

test('variables that became values keep them in the debug information', () => {
  const module = lower(SOURCE);
  expect(valuesOf(module)).toMatchObject({
    p: ['FunctionParameter'],
    n: ['FunctionParameter'],
    // Set to 0; joined before the loop; increased; decreased; joined after the if.
    sum: ['Constant', 'Phi', 'IAdd', expect.any(String), 'Phi'],
    // Nothing reads it: it is described, but not computed for that.
    unused: ['Undef'],
    i: ['Constant', 'Phi', 'IAdd'],
    u: ['FunctionCall'],
  });
  expect(debugs(module, Debug.DebugDeclare).map((i) => Op[definitionOf(module, i.operands[3]!)!.op])).toEqual(
    ['Variable'],
  );
  // Without optimization each is in memory.
  expect(valuesOf(lower(SOURCE, '-g -cl-opt-disable'))).toEqual({});
});

test('variables of the program and of groups are described', () => {
  const module = lower(
    `constant float table[2] = { 1, 2 }; static constant int hidden[2] = { 3, 4 };
     kernel void f(global float *p) { local int shared[4]; shared[p[2] > 1] = 1; p[0] = table[(int)p[1] & hidden[(int)p[3]]] + shared[0]; }`,
  );
  const found = debugs(module, Debug.DebugGlobalVariable).map(({ operands }) => [
    text(module, operands[2]!),
    Op[definitionOf(module, operands[9]!)!.op],
    definitionOf(module, operands[7]!)!.operands[1] as Debug,
  ]);
  expect(found.sort()).toEqual([
    ['hidden', 'Variable', Debug.DebugCompilationUnit],
    ['shared', 'Variable', Debug.DebugFunction],
    ['table', 'Variable', Debug.DebugCompilationUnit],
  ]);
  expect(validate(module)).toBeUndefined();
});

const folders = ['tests/compile', 'tests/run', 'kernels/examples'].map((f) => join(__dirname, '../../..', f));
const corpus = folders
  .filter((folder) => existsSync(folder))
  .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
  .filter((path) => path.endsWith('.cl'));

test('the code is the same with -g as without', () => {
  const opcodes = (module: Module): number[][] => {
    const set = module.extInstImports.get('OpenCL.DebugInfo.100');
    return module.functions.flatMap((f) =>
      f.blocks.map((block) =>
        block.instructions
          .filter((i) => !(i.op === Op.ExtInst && i.operands[0] === set))
          .map((i) => i.op as number),
      ),
    );
  };
  let compared = 0;
  for (const path of corpus) {
    const source = { name: path, text: readFileSync(path, 'utf8') };
    const plain = compile({ ...source, options: '-w -cl-std=CL3.0' }).module;
    const debug = compile({ ...source, options: '-w -cl-std=CL3.0 -g' }).module;
    expect(debug === undefined).toBe(plain === undefined);
    if (!plain || !debug) continue;
    expect(opcodes(debug)).toEqual(opcodes(plain));
    expect(validate(debug)).toBeUndefined();
    compared++;
  }
  expect(compared).toBeGreaterThan(20);
});

const caller = 'int square(int x); kernel void g(global int *p) { int v = square(p[0]); p[1] = v; }';

test('modules with debug information are linked', () => {
  const linked = link([lower(SOURCE.replace('static ', '')), lower(caller)]);
  expect(validate(linked)).toBeUndefined();
  expect(debugs(linked, Debug.DebugCompilationUnit).length).toBe(2);
  expect(valuesOf(linked)).toMatchObject({ v: ['FunctionCall'] });
});

testWith('spirv-val')('spirv-val takes what was compiled and what was linked', () => {
  expect(spirvVal(encode(lower(SOURCE)))).toBe('');
  expect(spirvVal(encode(link([lower(SOURCE.replace('static ', '')), lower(caller)])))).toBe('');
});
