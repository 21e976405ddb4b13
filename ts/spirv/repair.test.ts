// SPDX-License-Identifier: MIT
//
// Modules of our compiler, broken as translators from LLVM break them.
import { compiledModule } from '../../tests/helpers/compiled-module';
import { decode } from './decode';
import { encode } from './encode';
import { Capability, Decoration, LoopControl, MemoryAccess, Op } from './grammar.gen';
import type { Block, FunctionDefinition, Id, Instruction, Module } from './module';
import { repair } from './repair';
import { validate } from './validate';

const SOURCE = `
  kernel void k(global int *out, long way, int n) {
    int kept[2] = {n, 2};
    #pragma unroll 2
    for (int i = 0; i < n; i++) {
      switch (way) { case 1: kept[0] += i; break; case 1L << 40: kept[i & 1] ^= n; break; default: out[1] = i; }
      for (int j = 0; j < i; j++) kept[1] += out[j];
    }
    out[get_global_id(0)] = kept[0] + kept[1];
  }`;

const INPUT = { name: 'k.cl', text: SOURCE, options: '-cl-opt-disable', spirvVersion: '1.4' } as const;
const compiled = (): Module => compiledModule(INPUT);
const body = (module: Module): FunctionDefinition => module.functions.find((f) => f.blocks.length > 3)!;
const mergesOf = (f: FunctionDefinition): Instruction[] =>
  f.blocks.flatMap((b) => b.instructions.filter((i) => i.op === Op.LoopMerge));
const at = (b: Block, op: Op): number => b.instructions.findIndex((i) => i.op === op);

/** Breaks a module, and expects that it is valid after its repair, and not before. */
function expectRepair(problem: string, damage: (f: FunctionDefinition, module: Module) => void): Module {
  const module = compiled();
  expect(validate(module)).toBeUndefined();
  damage(body(module), module);
  expect(validate(module)).toMatch(problem);
  repair(module);
  expect(validate(module)).toBeUndefined();
  return module;
}

test('a valid module stays as it is', () => {
  const module = compiled();
  repair(module);
  expect(module).toEqual(compiled());
});

test('blocks come after their dominators', () => {
  const before = compiled();
  const module = expectRepair('stands before its dominator', (f) => {
    f.blocks = [f.blocks[0]!, ...f.blocks.slice(1).reverse()];
  });
  const labels = (m: Module) => body(m).blocks.map((b) => b.label);
  expect(new Set(labels(module))).toEqual(new Set(labels(before)));
  expect(labels(module)[0]).toBe(labels(before)[0]);
});

test('blocks that cannot be reached stay, at the end', () => {
  const module = expectRepair('stands before its dominator', (f, m) => {
    const dead: Block = {
      label: m.bound++ as Id,
      instructions: [{ op: Op.Unreachable, type: 0 as Id, result: 0 as Id, operands: [] }],
    };
    f.blocks = [f.blocks[0]!, dead, ...f.blocks.slice(1).reverse()];
  });
  expect(body(module).blocks.at(-1)!.label).toBe(module.bound - 1);
});

test('a loop that is merged twice is merged once', () => {
  const module = expectRepair('it stands right before', (f) => {
    const header = f.blocks.find((b) => at(b, Op.LoopMerge) >= 0)!;
    header.instructions.splice(at(header, Op.LoopMerge), 0, mergesOf(f)[0]!);
  });
  expect(module).toEqual(compiled());
});

test('of the merges to one block, that which controls its loop is kept', () => {
  const [outer] = mergesOf(body(compiled()));
  expect(outer!.operands[2]).not.toBe(LoopControl.None);
  const module = expectRepair('merge block of another header already', (f) => {
    const end = f.blocks.find((b) => b.instructions.at(-1)!.op === Op.BranchConditional && !mergesOf({ ...f, blocks: [b] }).length)!; // biome-ignore format: one thought
    end.instructions.splice(-1, 0, {
      ...outer!,
      operands: [...outer!.operands.slice(0, 2), LoopControl.None],
    });
  });
  expect(mergesOf(body(module))).toContainEqual(outer);
});

test('a merge stands right before its branch', () => {
  const module = expectRepair(
    'it stands right before the OpBranch or OpBranchConditional of its block',
    (f) => {
      const header = f.blocks.find((b) => at(b, Op.LoopMerge) >= 0)!;
      header.instructions.splice(-1, 0, { op: Op.Nop, type: 0 as Id, result: 0 as Id, operands: [] });
    },
  );
  const [header] = body(module).blocks.filter((b) => at(b, Op.LoopMerge) >= 0);
  expect(header!.instructions.slice(-3).map((i) => i.op)).toEqual([Op.Nop, Op.LoopMerge, Op.Branch]);
});

test('a merge that no branch follows is dropped', () => {
  const module = expectRepair('it stands right before', (f) => {
    const [merge] = mergesOf(f);
    for (const b of f.blocks) b.instructions = b.instructions.filter((i) => i !== merge);
    f.blocks.find((b) => b.instructions.at(-1)!.op === Op.Switch)!.instructions.splice(-1, 0, merge!);
  });
  expect(mergesOf(body(module)).map((i) => i.operands[0])).not.toContain(
    mergesOf(body(compiled()))[0]!.operands[0],
  );
});

test.each([
  ['after other instructions', 0],
  ['in another block', 1],
])('variables stand at the start of their function, not %s', (_, place) => {
  const module = expectRepair('the variables of a function stand', (f) => {
    const [first] = f.blocks as [Block];
    const others = first.instructions.filter((i) => i.op !== Op.Variable);
    const isUsed = (i: Instruction) =>
      i.op !== Op.Variable || others.some((o) => o.operands.includes(i.result));
    const unused = first.instructions.filter((i) => !isUsed(i));
    expect(unused).toHaveLength(1);
    first.instructions = first.instructions.filter(isUsed);
    f.blocks[place]!.instructions.splice(-1, 0, ...unused);
  });
  const variables = (m: Module) =>
    new Set(body(m).blocks[0]!.instructions.filter((i) => i.op === Op.Variable));
  expect(variables(module)).toEqual(variables(compiled()));
});

test('what reverses bits does not need Shader', () => {
  const module = compiledModule({
    name: 'r.cl',
    text: `#pragma OPENCL EXTENSION cl_khr_extended_bit_ops : enable
      kernel void k(global uint *a) { *a = bit_reverse(*a); }`,
    options: '',
  });
  expect(module.capabilities).toContain(Capability.BitInstructions);
  module.capabilities.delete(Capability.BitInstructions);
  module.extensions.clear();
  module.capabilities.add(Capability.Shader).add(Capability.Matrix);
  expect(validate(module)).toMatch('it is of graphics');
  repair(module);
  expect(validate(module)).toBeUndefined();
});

describe('predecessors that a phi names twice', () => {
  const value = (module: Module) => module.globals.filter((i) => i.op === Op.Constant).map((i) => i.result);
  const phiOf = (m: Module) =>
    body(m)
      .blocks.flatMap((b) => b.instructions)
      .find((i) => i.op === Op.Phi)!;
  const damaged = (name: (module: Module, from: number) => number): Module => {
    const module = compiledModule({ ...INPUT, options: '' });
    const { operands } = phiOf(module);
    operands.push(name(module, operands[0]!), operands[1]!);
    expect(validate(module)).toMatch('is named twice');
    repair(module);
    return module;
  };

  test('with one value', () => {
    const module = damaged((_, from) => from);
    expect(validate(module)).toBeUndefined();
    expect(phiOf(module)).toEqual(phiOf(compiledModule({ ...INPUT, options: '' })));
  });

  test('with two values are left to the validator', () => {
    expect(validate(damaged((m, from) => value(m).find((id) => id !== from)!))).toMatch('is named twice');
  });
});

test('interfaces list what their entry points use', () => {
  const module = expectRepair('its interface does not list', (_, m) => {
    m.entryPoints[0]!.interface.length = 0;
  });
  expect(module.entryPoints).toEqual(compiled().entryPoints);
});

test('names and decorations of what does not exist are dropped', () => {
  const module = expectRepair('is not defined', (_, m) => {
    const operands = [m.bound++, Decoration.SaturatedConversion];
    m.annotations.push({ op: Op.Decorate, type: 0 as Id, result: 0 as Id, operands });
    m.debug.push({ op: Op.Name, type: 0 as Id, result: 0 as Id, operands: [m.bound++, 0x61] });
  });
  expect(module.annotations).toEqual(compiled().annotations);
  expect(module.debug).toEqual(compiled().debug);
});

test('hints that accesses do not overlap are left out', () => {
  const module = compiled();
  const [domain, scope, list] = [0, 1, 2].map(() => module.bound++ as Id) as [Id, Id, Id];
  const declare = (op: Op, result: Id, operands: number[]) =>
    module.annotations.push({ op, type: 0 as Id, result, operands });
  declare(Op.AliasDomainDeclINTEL, domain, []);
  declare(Op.AliasScopeDeclINTEL, scope, [domain]);
  declare(Op.AliasScopeListDeclINTEL, list, [scope]);
  declare(Op.DecorateId, 0 as Id, [body(module).definition.result, Decoration.NoAliasINTEL, list]);
  module.extensions.add('SPV_INTEL_memory_access_aliasing');
  module.capabilities.add(Capability.MemoryAccessAliasingINTEL);
  const { Aligned, Volatile, AliasScopeINTELMask, NoAliasINTELMask } = MemoryAccess;
  const accesses = body(module).blocks.flatMap((b) =>
    b.instructions.filter((i) => i.op === Op.Load || i.op === Op.Store),
  );
  for (const i of accesses) {
    i.operands.length = i.op === Op.Load ? 1 : 2;
    i.operands.push(Aligned | Volatile | AliasScopeINTELMask | NoAliasINTELMask, 4, list, list);
  }
  const decoded = decode(encode(module));
  repair(decoded);
  expect(validate(decoded)).toBeUndefined();
  expect(decoded.annotations).toEqual(compiled().annotations);
  const repaired = body(decoded).blocks.flatMap((b) =>
    b.instructions.filter((i) => i.op === Op.Load || i.op === Op.Store),
  );
  expect(repaired.length).toBe(accesses.length);
  for (const i of repaired)
    expect(i.operands.slice(i.op === Op.Load ? 1 : 2)).toEqual([Aligned | Volatile, 4]);
});

test('what cannot be repaired is left to the validator', () => {
  const module = compiled();
  const f = body(module);
  f.blocks[1]!.instructions = [];
  f.blocks = [f.blocks[0]!, ...f.blocks.slice(1).reverse()];
  repair(module);
  expect(validate(module)).toMatch('has no terminator');
});
