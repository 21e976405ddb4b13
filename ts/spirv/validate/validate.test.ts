// SPDX-License-Identifier: MIT
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { foreignSpirv, hasForeignCompiler } from '../../../tests/helpers/foreign-spirv';
import { testNeeding } from '../../../tests/helpers/needs';
import { decode } from '../decode';
import {
  AddressingModel,
  BuiltIn,
  Capability,
  Decoration,
  ExecutionMode,
  ExecutionModel,
  GroupOperation,
  MemoryModel,
  Op,
  OpenCLStd,
  StorageClass,
} from '../grammar.gen';
import type { Id, Instruction, Module } from '../module';
import { SpirvError } from '../spirv-error';
import { validate } from './index';

/** A module with one kernel, to be broken in one place. */
class Draft {
  private next = 1;
  readonly globals: Instruction[] = [];
  readonly void = this.define(Op.TypeVoid, 0);
  readonly int = this.define(Op.TypeInt, 0, 32, 0);
  readonly float = this.define(Op.TypeFloat, 0, 32);
  readonly bool = this.define(Op.TypeBool, 0);
  readonly int4 = this.define(Op.TypeVector, 0, this.int, 4);
  readonly pointer = this.define(Op.TypePointer, 0, StorageClass.Function, this.int);
  readonly type = this.define(Op.TypeFunction, 0, this.void);
  readonly one = this.define(Op.Constant, this.int, 1);
  readonly real = this.define(Op.Constant, this.float, 0x3f800000);
  readonly true = this.define(Op.ConstantTrue, this.bool);
  readonly vector = this.define(Op.ConstantComposite, this.int4, this.one, this.one, this.one, this.one);
  readonly function = this.id();
  readonly entry = this.id();

  id(): Id {
    return this.next++ as Id;
  }

  define(op: Op, type: number, ...operands: number[]): Id {
    const result = this.id();
    this.globals.push({ op, type: type as Id, result, operands });
    return result;
  }

  /** An instruction of the body, with a result if it has a type. */
  make(op: Op, type: number, ...operands: number[]): Instruction {
    return { op, type: type as Id, result: type ? this.id() : (0 as Id), operands };
  }

  module(...body: Instruction[]): Module {
    const blocks = [{ label: this.entry, instructions: body }];
    if (![Op.Return, Op.Branch].includes(body[body.length - 1]?.op ?? Op.Nop))
      body.push(this.make(Op.Return, 0));
    return {
      version: 0x10200,
      generator: 0,
      bound: 1000,
      capabilities: new Set([Capability.Addresses, Capability.Kernel]),
      extensions: new Set(),
      extInstImports: new Map<string, Id>(),
      addressing: 1,
      memoryModel: MemoryModel.OpenCL,
      entryPoints: [{ model: ExecutionModel.Kernel, function: this.function, name: 'k', interface: [] }],
      executionModes: [],
      debug: [],
      annotations: [],
      globals: this.globals,
      functions: [
        {
          definition: { op: Op.Function, type: this.void, result: this.function, operands: [0, this.type] },
          parameters: [],
          blocks,
        },
      ],
    };
  }
}

function copies(version: number, ...memoryOperands: number[]): (d: Draft) => Module {
  return (d) => {
    const v = d.make(Op.Variable, d.pointer, StorageClass.Function);
    const copy = d.make(Op.CopyMemory, 0, v.result, v.result, ...memoryOperands);
    return { ...d.module(v, copy), version };
  };
}

function withGroups(d: Draft, ...body: Instruction[]): Module {
  const module = d.module(...body);
  const added = [Capability.Groups, Capability.GroupNonUniformClustered];
  return { ...module, version: 0x10300, capabilities: new Set([...module.capabilities, ...added]) };
}

const rule = (build: (d: Draft) => Module) => validate(build(new Draft()));

/** The structs of arrays of structs count. */
function nestedStructs(depth: number): (d: Draft) => Module {
  return (d) => {
    let type = d.int;
    for (let i = 0; i < depth; i++)
      type = d.define(Op.TypeStruct, 0, i % 2 ? type : d.define(Op.TypeArray, 0, type, d.one));
    return d.module(d.make(Op.IAdd, d.int, d.one, d.one));
  };
}

test('a valid module is accepted', () => {
  expect(rule((d) => d.module(d.make(Op.IAdd, d.int, d.one, d.one)))).toBeUndefined();
});

test('structs nest as deep as they may', () => {
  expect(rule(nestedStructs(255))).toBeUndefined();
});

test('a copy has memory operands once, and from SPIR-V 1.4 on twice', () => {
  for (const [version, ...operands] of [
    [0x10000],
    [0x10000, 0],
    [0x10300, 2, 4],
    [0x10400, 2, 4, 2, 8],
    [0x10400, 1, 0],
  ])
    expect(rule(copies(version!, ...operands))).toBeUndefined();
});

/** The bits of a value as a pointer, or those of a pointer as a value. */
function castToPointer(version: number, value: (d: Draft) => Id): (d: Draft) => Module {
  return (d) => ({ ...d.module(d.make(Op.Bitcast, d.pointer, value(d))), version });
}

function castOfPointer(version: number, type: (d: Draft) => Id): (d: Draft) => Module {
  return (d) => {
    const v = d.make(Op.Variable, d.pointer, StorageClass.Function);
    return { ...d.module(v, d.make(Op.Bitcast, type(d), v.result)), version };
  };
}

test('pointers and integers are cast to each other, and from SPIR-V 1.5 on vectors of 32-bit integers', () => {
  for (const build of [
    castToPointer(0x10200, (d) => d.one),
    castToPointer(0x10500, (d) => d.vector),
    castOfPointer(0x10200, (d) => d.int),
    castOfPointer(0x10500, (d) => d.int4),
  ])
    expect(rule(build)).toBeUndefined();
});

test.each<[string, (d: Draft) => Module]>([
  ['Bitcast: its operand is a pointer or an integer', castToPointer(0x10200, (d) => d.real)],
  ['Bitcast: its operand is a pointer or an integer', castToPointer(0x10400, (d) => d.vector)],
  ['Bitcast: its operand is a pointer, an integer or', castToPointer(0x10500, (d) => d.real)],
  ['Bitcast: its result is a pointer or an integer', castOfPointer(0x10200, (d) => d.float)],
  ['Bitcast: its result is a pointer or an integer', castOfPointer(0x10400, (d) => d.int4)],
  ['IAdd: its operands have as many components', (d) => d.module(d.make(Op.IAdd, d.int, d.one, d.vector))],
  [
    'a second set of memory operands requires SPIR-V 1.4',
    (d) => {
      const v = d.make(Op.Variable, d.pointer, StorageClass.Function);
      return d.module(v, d.make(Op.CopyMemorySized, 0, v.result, v.result, d.one, 2, 4, 2, 4));
    },
  ],
  ['a second set of memory operands requires SPIR-V 1.4', copies(0x10300, 2, 4, 0)],
  [
    'its size is not 0 if it is a constant',
    (d) => {
      const zero = d.define(Op.ConstantNull, d.int);
      const v = d.make(Op.Variable, d.pointer, StorageClass.Function);
      return d.module(v, d.make(Op.CopyMemorySized, 0, v.result, v.result, zero));
    },
  ],
  [
    "its initializer has the pointer's pointee type",
    (d) => d.module(d.make(Op.Variable, d.pointer, StorageClass.Function, d.real)),
  ],
  ['IAdd: its operands are integers', (d) => d.module(d.make(Op.IAdd, d.int, d.one, d.real))],
  ["FAdd: its operands have the result's type", (d) => d.module(d.make(Op.FAdd, d.float, d.real, d.one))],
  ['id %99 is not defined', (d) => d.module(d.make(Op.IAdd, d.int, d.one, 99))],
  ['not an id below the bound', (d) => d.module(d.make(Op.IAdd, d.int, d.one, 1000))],
  ['the type %2 is not a value', (d) => d.module(d.make(Op.IAdd, d.int, d.one, d.int))],
  ['its type %8 is not a type', (d) => d.module(d.make(Op.IAdd, d.one, d.one, d.one))],
  ['requires one of these capabilities: Shader', (d) => d.module(d.make(Op.DPdx, d.float, d.real))],
  [
    '64 bits require the capability Float64',
    (d) => {
      d.define(Op.TypeFloat, 0, 64);
      return d.module();
    },
  ],
  [
    'vectors have 2, 3, 4, 8 or 16',
    (d) => {
      d.define(Op.TypeVector, 0, d.float, 5);
      return d.module();
    },
  ],
  [
    'declared once',
    (d) => {
      d.define(Op.TypeFloat, 0, 32);
      return d.module();
    },
  ],
  [
    'it has 1',
    (d) => {
      d.define(Op.ConstantComposite, d.int4, d.one);
      return d.module();
    },
  ],
  [
    'it has 2',
    (d) => {
      const size = d.define(Op.TypeInt, 0, 64, 0);
      const three = d.define(Op.Constant, size, 3, 0);
      d.define(Op.ConstantComposite, d.define(Op.TypeArray, 0, d.int, three), d.one, d.one);
      const module = d.module();
      return { ...module, capabilities: new Set([...module.capabilities, Capability.Int64]) };
    },
  ],
  ['the first block, %13, cannot be the target', (d) => d.module(d.make(Op.Branch, 0, d.entry))],
  ['is not a block of this function', (d) => d.module(d.make(Op.Branch, 0, d.one))],
  [
    'dominate',
    (d) => {
      const late = d.make(Op.IAdd, d.int, d.one, d.one);
      return d.module(d.make(Op.IAdd, d.int, late.result, d.one), late);
    },
  ],
  [
    'the variables of a function stand before',
    (d) =>
      d.module(d.make(Op.IAdd, d.int, d.one, d.one), d.make(Op.Variable, d.pointer, StorageClass.Function)),
  ],
  [
    "object has the pointer's pointee type",
    (d) => {
      const v = d.make(Op.Variable, d.pointer, StorageClass.Function);
      return d.module(v, d.make(Op.Store, 0, v.result, d.real));
    },
  ],
  ['component 4 is beyond', (d) => d.module(d.make(Op.CompositeExtract, d.int, d.vector, 4))],
  ['too many operands', (d) => d.module(d.make(Op.IAdd, d.int, d.one, d.one, d.one))],
  ['the operand Operand 2 is missing', (d) => d.module(d.make(Op.IAdd, d.int, d.one))],
  [
    'the condition is a boolean',
    (d) => {
      const m = d.module(d.make(Op.Return, 0));
      const other = d.id();
      m.functions[0]!.blocks[0]!.instructions = [d.make(Op.BranchConditional, 0, d.one, other, other)];
      m.functions[0]!.blocks.push({ label: other, instructions: [d.make(Op.Return, 0)] });
      return m;
    },
  ],
  [
    'its result is a float',
    (d) => withGroups(d, d.make(Op.GroupFAdd, d.int, d.one, GroupOperation.Reduce, d.one)),
  ],
  [
    "its operand 3 is of the result's type",
    (d) => withGroups(d, d.make(Op.GroupIAdd, d.int, d.one, GroupOperation.Reduce, d.real)),
  ],
  [
    'with the size of its clusters',
    (d) => withGroups(d, d.make(Op.GroupIAdd, d.int, d.one, GroupOperation.ClusteredReduce, d.one)),
  ],
  ['its operand 2 is a boolean', (d) => withGroups(d, d.make(Op.GroupAll, d.bool, d.one, d.one))],
  ['structs nest 255 deep at most, not 256', nestedStructs(256)],
  ['structure of two members', (d) => d.module(d.make(Op.UMulExtended, d.int, d.one, d.one))],
  [
    'its operands have one type',
    (d) => d.module(d.make(Op.IAddCarry, d.define(Op.TypeStruct, 0, d.int, d.int), d.one, d.vector)),
  ],
  [
    "'OpenCL.s' is not a known set",
    (d) => ({ ...d.module(), extInstImports: new Map([['OpenCL.s', d.id()]]) }),
  ],
  [
    'OpCapability Shader: it is of graphics',
    (d) => ({
      ...d.module(),
      capabilities: new Set([Capability.Addresses, Capability.Kernel, Capability.Shader]),
    }),
  ],
  [
    'requires one of these capabilities: Tessellation',
    (d) => {
      const pointer = d.define(Op.TypePointer, 0, StorageClass.Input, d.int);
      const input = d.define(Op.Variable, pointer, StorageClass.Input);
      const annotations = [d.make(Op.Decorate, 0, input, Decoration.BuiltIn, BuiltIn.TessLevelOuter)];
      return { ...d.module(), annotations };
    },
  ],
  [
    'storage class Input is read-only',
    (d) => {
      const pointer = d.define(Op.TypePointer, 0, StorageClass.Input, d.int);
      const input = d.define(Op.Variable, pointer, StorageClass.Input);
      return d.module(d.make(Op.Store, 0, input, d.one));
    },
  ],
  [
    'OpLine: its file, %2, is an OpString',
    (d) => d.module({ ...d.make(Op.IAdd, d.int, d.one, d.one), line: { file: d.int, line: 1, column: 1 } }),
  ],
  [
    'integers have 8, 16, 32 or 64 bits and the capability for it; not 8',
    (d) => {
      d.define(Op.TypeInt, 0, 8, 0);
      return d.module();
    },
  ],
  ['is of OpTypeImage', (d) => d.module(d.make(Op.ImageQueryFormat, d.int, d.one))],
  ['types and constants stand before the functions', (d) => d.module(d.make(Op.Constant, d.int, 7))],
  ['it has at least one index', (d) => d.module(d.make(Op.CompositeExtract, d.int4, d.vector))],
  [
    "its value has the pointer's pointee type",
    (d) => {
      const v = d.make(Op.Variable, d.pointer, StorageClass.Function);
      return d.module(v, d.make(Op.AtomicIAdd, d.int, v.result, d.one, d.one, d.real));
    },
  ],
  [
    "its value has the pointer's pointee type",
    (d) => {
      const v = d.make(Op.Variable, d.pointer, StorageClass.Function);
      return d.module(
        v,
        d.make(Op.AtomicCompareExchange, d.int, v.result, d.one, d.one, d.one, d.one, d.real),
      );
    },
  ],
  [
    'its pointer points to a float',
    (d) => {
      const v = d.make(Op.Variable, d.pointer, StorageClass.Function);
      const module = d.module(v, d.make(Op.AtomicFMaxEXT, d.int, v.result, d.one, d.one, d.one));
      return {
        ...module,
        capabilities: new Set([...module.capabilities, Capability.AtomicFloat32MinMaxEXT]),
        extensions: new Set(['SPV_EXT_shader_atomic_float_min_max']),
      };
    },
  ],
  [
    'its pointer points to an integer',
    (d) => {
      const float = d.define(Op.TypePointer, 0, StorageClass.Function, d.float);
      const v = d.make(Op.Variable, float, StorageClass.Function);
      return d.module(v, d.make(Op.AtomicIIncrement, d.float, v.result, d.one, d.one));
    },
  ],
  [
    'its pointer points to an integer of 32 bits',
    (d) => {
      const float = d.define(Op.TypePointer, 0, StorageClass.Function, d.float);
      const v = d.make(Op.Variable, float, StorageClass.Function);
      return d.module(v, d.make(Op.AtomicFlagClear, 0, v.result, d.one, d.one));
    },
  ],
  ['the memory model is OpenCL', (d) => ({ ...d.module(), memoryModel: MemoryModel.GLSL450 })],
  [
    "entry point 'k': %1 is not a function",
    (d) => {
      const m = d.module();
      return { ...m, entryPoints: [{ ...m.entryPoints[0]!, function: d.void }] };
    },
  ],
])('%s', (message, build) => {
  expect(rule(build)).toMatch(message);
});

const hasTools = hasForeignCompiler() && spawnSync('spirv-val', ['--version']).status === 0;

testNeeding('clang-15, llvm-spirv-15 and spirv-val', hasTools)(
  'refuses nothing that spirv-val accepts, and most of what it refuses',
  () => {
    const source = `
    struct S { float4 a; int b[3]; };
    __constant int table[4] = {1, 2, 3, 4};
    __kernel void k(__global float4 *a, struct S s, __local int *l) {
      size_t i = get_global_id(0);
      for (int j = 0; j < s.b[i & 1]; j++) a[i] += sin(s.a) * table[j & 3];
      l[get_local_id(0)] = convert_int(a[i].x);
      barrier(CLK_LOCAL_MEM_FENCE);
      switch (l[0]) { case 1: a[0] = 1; break; default: atomic_add(&l[1], 2); }
    }`;
    const original = foreignSpirv(source, { level: 0 });
    const folder = mkdtempSync(join(tmpdir(), 'anycl-'));
    const file = join(folder, 'a.spv');
    const ours = (bytes: Uint8Array): string | undefined => {
      try {
        return validate(decode(bytes));
      } catch (error) {
        if (error instanceof SpirvError) return error.message;
        throw error;
      }
    };
    expect(ours(original)).toBeUndefined();
    let seed = 99;
    const random = (n: number) => {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      return Math.floor((seed / 2 ** 32) * n);
    };
    const outcome = { refusedWrongly: [] as string[], refused: 0, missed: 0 };
    for (let round = 0; round < 120; round++) {
      const words = new Uint32Array(
        original.buffer.slice(original.byteOffset, original.byteOffset + original.length),
      );
      words[5 + random(words.length - 5)] =
        round % 2 ? words[5 + random(words.length - 5)]! : random(words[3]! + 3);
      const bytes = new Uint8Array(words.buffer);
      const mine = ours(bytes);
      writeFileSync(file, bytes);
      const accepted = spawnSync('spirv-val', [file]).status === 0;
      if (accepted && mine !== undefined) outcome.refusedWrongly.push(mine);
      if (!accepted) outcome[mine === undefined ? 'missed' : 'refused']++;
    }
    rmSync(folder, { recursive: true });
    expect(outcome.refusedWrongly).toEqual([]);
    expect(outcome.missed / (outcome.refused + outcome.missed)).toBeLessThan(0.1);
  },
);

/** A call of an instruction of OpenCL.std, whose set has id 90. */
const call = (d: Draft, result: Id, inst: OpenCLStd, ...operands: number[]) =>
  d.make(Op.ExtInst, result, 90, inst, ...operands);
const float4 = (d: Draft): Id => d.define(Op.TypeVector, 0, d.float, 4);
const undefinedOf = (d: Draft, type: Id): Id => d.define(Op.Undef, type);
const toFloat = (d: Draft): Id => undefinedOf(d, d.define(Op.TypePointer, 0, StorageClass.Function, d.float));

test.each<[string, (d: Draft, place: Id) => Instruction]>([
  ['acos: its result is a float scalar or vector', (d) => call(d, d.int, OpenCLStd.acos, d.one)],
  ['pow: its operand 1 is of the result type', (d) => call(d, d.float, OpenCLStd.pow, d.real, d.one)],
  ['s_max: its result is an integer', (d) => call(d, d.float, OpenCLStd.s_max, d.real, d.real)],
  ['u_abs: its operand 0 is of the result type', (d) => call(d, d.int, OpenCLStd.u_abs, d.vector)],
  [
    'distance: its result is a float scalar',
    (d) => {
      const type = float4(d);
      const value = undefinedOf(d, type);
      return call(d, type, OpenCLStd.distance, value, value);
    },
  ],
  [
    'distance: its operand 1 is of the type of operand 0',
    (d) => call(d, d.float, OpenCLStd.distance, d.real, undefinedOf(d, float4(d))),
  ],
  [
    'length: its operand 0 is a float scalar or vector whose components are of the result type',
    (d) => call(d, d.float, OpenCLStd.length, d.vector),
  ],
  ['cross: its result is a float vector of 3', (d) => call(d, d.float, OpenCLStd.cross, d.real, d.real)],
  [
    'ldexp: its operand 1 is a scalar or vector of 32-bit',
    (d) => call(d, d.float, OpenCLStd.ldexp, d.real, d.real),
  ],
  [
    'pown: its operand 1 is a scalar or vector of 32-bit',
    (d) => call(d, d.float, OpenCLStd.pown, d.real, d.vector),
  ],
  ['ilogb: its operand 0 is a scalar or vector of floats', (d) => call(d, d.int, OpenCLStd.ilogb, d.one)],
  ['nan: its operand 0 is a scalar or vector of integers', (d) => call(d, d.float, OpenCLStd.nan, d.real)],
  [
    'u_upsample: its operand 0 is a scalar or vector of integers, with as many components as the result and half',
    (d) => call(d, d.int, OpenCLStd.u_upsample, d.one, d.one),
  ],
  [
    'select: its operand 2 is a scalar or vector of integers, with as many components as the result and as wide',
    (d) => call(d, d.int, OpenCLStd.select, d.one, d.one, d.real),
  ],
  [
    'bitselect: its operand 1 is of the result type',
    (d) => call(d, d.int, OpenCLStd.bitselect, d.one, d.real, d.one),
  ],
  [
    "shuffle: its operand 0 is a vector of the result's components",
    (d) => call(d, d.int4, OpenCLStd.shuffle, undefinedOf(d, float4(d)), d.vector),
  ],
  [
    'shuffle2: its operand 2 is a scalar',
    (d) => call(d, d.int4, OpenCLStd.shuffle2, d.vector, d.vector, d.one),
  ],
  [
    'prefetch: its operand 0 is a pointer to CrossWorkgroup',
    (d, place) => call(d, d.void, OpenCLStd.prefetch, place, d.one),
  ],
  [
    'printf: its operand 0 is a pointer to UniformConstant',
    (d, place) => call(d, d.int, OpenCLStd.printf, place),
  ],
  [
    'vloadn: its operand 1 is a pointer to a component of the result',
    (d) => call(d, d.int4, OpenCLStd.vloadn, d.one, d.one, 4),
  ],
  [
    'vloadn: its operand 1 is a pointer to a component of the result',
    (d, place) => call(d, d.define(Op.TypeVector, 0, d.float, 2), OpenCLStd.vloadn, d.one, place, 2),
  ],
  [
    "vloadn: its operand 2 is the number of the result's components",
    (d, place) => call(d, d.int4, OpenCLStd.vloadn, d.one, place, 3),
  ],
  [
    'vloadn: its operand 0 is a size_t, an integer as wide as an address',
    (d, place) => call(d, d.int4, OpenCLStd.vloadn, d.real, place, 4),
  ],
  [
    'vstoren: its operand 1 is a size_t, an integer as wide as an address',
    (d, place) => call(d, d.void, OpenCLStd.vstoren, d.vector, d.vector, place),
  ],
  [
    'vstoren: its operand 2 is a pointer to a component of operand 0',
    (d) => call(d, d.void, OpenCLStd.vstoren, d.vector, d.one, toFloat(d)),
  ],
  [
    'vload_half: its operand 1 is a pointer to a half',
    (d, place) => call(d, d.float, OpenCLStd.vload_half, d.one, place),
  ],
  [
    'vstore_half_r: its operand 0 is a scalar of 32-bit or 64-bit floats',
    (d, place) => call(d, d.void, OpenCLStd.vstore_half_r, place, d.one, place, 0),
  ],
  [
    'modf: its operand 1 is a pointer to a value of the result type',
    (d, place) => call(d, d.float, OpenCLStd.modf, d.real, place),
  ],
  [
    'frexp: its operand 1 is a pointer to 32-bit integers',
    (d) => call(d, d.float, OpenCLStd.frexp, d.real, toFloat(d)),
  ],
])('OpenCL.std %s', (says, build) => {
  const d = new Draft();
  const place = d.make(Op.Variable, d.pointer, StorageClass.Function);
  const module = d.module(place, build(d, place.result));
  (module.extInstImports as Map<string, Id>).set('OpenCL.std', 90 as Id);
  expect(validate(module)).toContain(`OpenCL.std ${says}`);
});

test('an offset has the width of the addressing model', () => {
  const d = new Draft();
  const place = d.make(Op.Variable, d.pointer, StorageClass.Function);
  const load = d.make(Op.ExtInst, d.int4, 90, OpenCLStd.vloadn, d.one, place.result, 4);
  const module = { ...d.module(place, load), addressing: AddressingModel.Physical64 };
  (module.extInstImports as Map<string, Id>).set('OpenCL.std', 90 as Id);
  expect(validate(module)).toContain('vloadn: its operand 0 is a size_t, an integer as wide as an address');
});

test('an execution mode needs the version that has it', () => {
  const d = new Draft();
  const module = d.module();
  const executionModes = [
    { function: d.function, mode: ExecutionMode.Initializer, operands: [], ids: false },
  ];
  expect(validate({ ...module, executionModes, version: 0x10100 })).toBeUndefined();
  expect(validate({ ...module, executionModes, version: 0x10000 })).toContain('Initializer needs SPIR-V 1.1');
});

test('an OpenCL.std instruction whose pointer fits is accepted', () => {
  const d = new Draft();
  const place = d.make(Op.Variable, d.pointer, StorageClass.Function);
  const load = d.make(Op.ExtInst, d.int4, 90, OpenCLStd.vloadn, d.one, place.result, 4);
  const store = d.make(Op.ExtInst, d.void, 90, OpenCLStd.vstoren, d.vector, d.one, place.result);
  const module = d.module(place, load, store);
  (module.extInstImports as Map<string, Id>).set('OpenCL.std', 90 as Id);
  expect(validate(module)).toBeUndefined();
});
