// SPDX-License-Identifier: MIT
//
// How each value of a work-item's environment is computed: a rule for each operation.
import { DISPATCH, type KernelSignature, type PrivatizedArgument } from '../../base/kernel-abi';
import { Wasm } from '../../wasm/opcodes';
import { type PrivateLayout, roundingOf } from '../analyses/private-memory';
import { type Inst, Op, Type } from '../ir/ir';
import { JitError } from '../jit-error';
import type { Context } from './context';
import { scalarLoadOf } from './memory/addresses';

/** Locals that the driver of the work-item loops provides. */
export interface Position {
  readonly dispatch: number;
  readonly local: number;
  readonly scratch: number;
  readonly group: readonly [number, number, number];
  /** Sizes of this group. */
  readonly localSize: readonly [number, number, number];
  /** Local ids of the tile's first work-item. */
  readonly item: readonly [number, number, number];
  readonly framePointer: number;
  /** The number of the tile's lanes that are work-items, if the tile may be partial. */
  readonly active?: number;
}

/** Where a value is constant: for the whole call, for a row of vectors, or for one vector of work-items. */
export type Level = 'function' | 'row' | 'vector';

/** What the rules read. */
export interface Surroundings {
  readonly c: Context;
  readonly at: Position;
  readonly signature: KernelSignature;
  readonly privatized: readonly PrivatizedArgument[];
  readonly layout: PrivateLayout;
  /** Emits a word of the dispatch block. */
  word(offset: number): void;
}

type Dimension = 0 | 1 | 2;
type Emit = (env: Surroundings, inst: Inst, row: number) => void;

interface Rule {
  /** `function` if nothing is given. */
  readonly level?: Level | ((env: Surroundings, inst: Inst) => Level);
  /** The words of the dispatch block that the code reads in each vector. */
  readonly words?: (inst: Inst) => readonly number[];
  /** Emits the value of the first work-item in a row of the tile, as an i32 unless it is an argument. */
  readonly emit: Emit;
}

const dimensionOf = (inst: Inst): Dimension => (inst.facts.dimension ?? 0) as Dimension;

/** A word, or the word of the instruction's dimension. */
const word =
  (offset: number): Emit =>
  (env) =>
    env.word(offset);
const wordOfDimension =
  (offset: number): Emit =>
  (env, inst) =>
    env.word(offset + dimensionOf(inst) * 4);

/** Adds the instruction's offset to a base. */
const offsetFrom =
  (base: Emit): Emit =>
  (env, inst, row) => {
    const { f } = env.c;
    base(env, inst, row);
    f.i32(inst.facts.offset ?? 0);
    f.op(Wasm.i32_add);
  };

const scratch: Emit = ({ c, at }) => c.f.get(at.scratch);

const RULES: Readonly<Partial<Record<Op, Rule>>> = {
  [Op.Argument]: { emit: argument },
  [Op.LocalBase]: { emit: offsetFrom(({ c, at }) => c.f.get(at.local)) },
  [Op.ProgramBase]: { emit: offsetFrom(word(DISPATCH.programBase)) },
  [Op.ScratchBase]: { emit: scratch },
  [Op.ScratchEnd]: {
    emit: (env, inst, row) => {
      scratch(env, inst, row);
      env.word(DISPATCH.scratchBytes);
      env.c.f.op(Wasm.i32_add);
    },
  },
  [Op.Bounds]: { emit: word(DISPATCH.checks) },
  [Op.CheckBlock]: { emit: word(DISPATCH.checks) },
  [Op.Counters]: { emit: word(DISPATCH.counters) },
  [Op.EnqueueRegion]: { emit: word(DISPATCH.enqueueRegion) },
  [Op.PrivateAlloca]: {
    level: ({ layout }, inst) => (layout.interleaved.has(inst) ? 'function' : 'vector'),
    emit: (env, inst, row) => {
      if (env.layout.interleaved.has(inst)) env.c.f.i32(env.layout.offsets.get(inst)!);
      else linearFrame(env, inst, row);
    },
  },

  [Op.WorkDim]: { emit: word(DISPATCH.workDim) },
  [Op.GlobalSize]: { emit: wordOfDimension(DISPATCH.globalSize) },
  [Op.GlobalOffset]: { emit: wordOfDimension(DISPATCH.globalOffset) },
  [Op.NumGroups]: { emit: wordOfDimension(DISPATCH.numGroups) },
  [Op.EnqueuedLocalSize]: { emit: wordOfDimension(DISPATCH.localSize) },
  [Op.LocalSize]: { emit: ({ c, at }, inst) => c.f.get(at.localSize[dimensionOf(inst)]) },
  [Op.GroupId]: { emit: ({ c, at }, inst) => c.f.get(at.group[dimensionOf(inst)]) },
  [Op.LocalId]: {
    level: levelOfId,
    emit: (env, inst, row) => localId(env, dimensionOf(inst), row),
  },
  [Op.GlobalId]: {
    level: levelOfId,
    words: (inst) =>
      [DISPATCH.globalOffset, DISPATCH.localSize].map((offset) => offset + dimensionOf(inst) * 4),
    emit: (env, inst, row) => {
      const dimension = dimensionOf(inst);
      globalIndex(env, dimension, row, () => {
        env.word(DISPATCH.globalOffset + dimension * 4);
        env.c.f.op(Wasm.i32_add);
      });
    },
  },
  [Op.LocalLinearId]: {
    level: 'vector',
    emit: (env, _, row) =>
      linear(
        env,
        (i) => env.c.f.get(env.at.localSize[i]),
        (i) => localId(env, i, row),
      ),
  },
  [Op.GlobalLinearId]: {
    level: 'vector',
    words: () => [0, 4, 8].flatMap((o) => [DISPATCH.localSize + o, DISPATCH.globalSize + o]),
    emit: (env, _, row) =>
      linear(
        env,
        (i) => env.word(DISPATCH.globalSize + i * 4),
        (i) => globalIndex(env, i, row),
      ),
  },

  [Op.SubGroupSize]: {
    level: ({ at }) => (at.active === undefined ? 'function' : 'vector'),
    emit: ({ c, at }) => {
      if (at.active === undefined) c.f.i32(c.lanes);
      else c.f.get(at.active);
    },
  },
  [Op.SubGroupMaxSize]: { emit: ({ c }) => c.f.i32(c.lanes) },
  [Op.SubGroupLocalId]: { emit: ({ c }) => c.f.i32(0) },
  [Op.SubGroupId]: { level: 'vector', emit: subGroupId },
  [Op.NumSubGroups]: { emit: (env) => subGroups(env, (i) => env.c.f.get(env.at.localSize[i])) },
  [Op.EnqueuedNumSubGroups]: {
    emit: (env) => subGroups(env, (i) => env.word(DISPATCH.localSize + i * 4)),
  },
};

function levelOfId(_: Surroundings, inst: Inst): Level {
  return dimensionOf(inst) === 0 ? 'vector' : 'row';
}

function ruleOf(inst: Inst): Rule {
  const rule = RULES[inst.op];
  if (!rule) throw new JitError(`${Op[inst.op]} is not supported`);
  return rule;
}

export function levelOf(env: Surroundings, inst: Inst): Level {
  const { level = 'function' } = ruleOf(inst);
  return typeof level === 'function' ? level(env, inst) : level;
}

export const wordsOf = (inst: Inst): readonly number[] => ruleOf(inst).words?.(inst) ?? [];

/** Emits a value that is the same for all lanes, or the first lane's. */
export function emitScalar(env: Surroundings, inst: Inst, row: number): void {
  ruleOf(inst).emit(env, inst, row);
}

function localId({ c, at }: Surroundings, dimension: Dimension, row: number): void {
  c.f.get(at.item[dimension]);
  addRow(c, dimension, row);
}

/** The rows of a tile are consecutive in the second dimension. */
function addRow({ f }: Context, dimension: Dimension, row: number): void {
  if (dimension !== 1 || row === 0) return;
  f.i32(row);
  f.op(Wasm.i32_add);
}

/** A global id without the global offset, unless `addOffset` adds it. */
function globalIndex(
  env: Surroundings,
  dimension: Dimension,
  row: number,
  addOffset: () => void = () => {},
): void {
  const { c, at } = env;
  c.f.get(at.group[dimension]);
  env.word(DISPATCH.localSize + dimension * 4);
  c.f.op(Wasm.i32_mul);
  addOffset();
  c.f.get(at.item[dimension]);
  c.f.op(Wasm.i32_add);
  addRow(c, dimension, row);
}

/** The number of an id in its range: `(id(2) * size(1) + id(1)) * size(0) + id(0)`. */
function linear({ c: { f } }: Surroundings, size: (i: 0 | 1) => void, id: (i: Dimension) => void): void {
  id(2);
  size(1);
  f.op(Wasm.i32_mul);
  id(1);
  f.op(Wasm.i32_add);
  size(0);
  f.op(Wasm.i32_mul);
  id(0);
  f.op(Wasm.i32_add);
}

/** Tiles with sub-groups have one row. */
function subGroupId(env: Surroundings): void {
  const { c, at } = env;
  linear(
    env,
    (i) => (i === 0 ? subGroupsPerRow(c, () => c.f.get(at.localSize[0])) : c.f.get(at.localSize[i])),
    (i) => {
      c.f.get(at.item[i]);
      if (i > 0) return;
      c.f.i32(c.lanes);
      c.f.op(Wasm.i32_div_u);
    },
  );
}

/** Sub-groups in a row, the last of which may be smaller. */
function subGroupsPerRow({ f, lanes }: Context, size: () => void): void {
  size();
  f.i32(lanes - 1);
  f.op(Wasm.i32_add);
  f.i32(lanes);
  f.op(Wasm.i32_div_u);
}

function subGroups({ c }: Surroundings, size: (i: Dimension) => void): void {
  subGroupsPerRow(c, () => size(0));
  for (const i of [1, 2] as const) {
    size(i);
    c.f.op(Wasm.i32_mul);
  }
}

function argument({ c, at, signature, privatized }: Surroundings, inst: Inst): void {
  const { f } = c;
  const argument = signature.arguments[inst.facts.index!];
  if (!argument) throw new JitError(`kernel argument ${inst.facts.index} does not exist`);
  const copy = privatized.find((each) => each.argument === inst.facts.index);
  f.get(at.dispatch);
  if (copy) {
    f.memory(Wasm.i32_load, copy.offset + 4, 2);
    f.get(at.scratch);
    f.op(Wasm.i32_add);
    if (inst.type === Type.I64) f.op(Wasm.i64_extend_i32_u);
    return;
  }
  f.memory(scalarLoadOf(inst.type), argument.offset + (inst.facts.offset ?? 0));
  if (inst.type === Type.I1) {
    f.i32(0);
    f.op(Wasm.i32_ne);
  }
  if (argument.kind === 'local') {
    f.get(at.local);
    f.op(Wasm.i32_add);
  }
  if (inst.type === Type.I8 || inst.type === Type.I16) c.zeroExtended.add(inst.id);
}

/** Address of the copy of an allocation, contiguous per work-item, that the row's first work-item has. */
function linearFrame({ c, at, layout }: Surroundings, inst: Inst, row: number): void {
  const copies = c.lanes * c.rows;
  const item = row * c.lanes;
  c.f.get(at.framePointer);
  const rounding = roundingOf(inst);
  c.f.i32(
    layout.interleavedBytes * copies + item * layout.linearBytes + layout.offsets.get(inst)! + rounding,
  );
  c.f.op(Wasm.i32_add);
  if (rounding === 0) return;
  c.f.i32(-inst.facts.align!);
  c.f.op(Wasm.i32_and);
}

/** Emits a register of a value that the lanes have differently: addresses of private memory. */
export function emitVector({ c, at, layout }: Surroundings, inst: Inst, row: number, part: number): void {
  if (inst.op !== Op.PrivateAlloca) throw new JitError(`${Op[inst.op]} is not supported in vectors`);
  const copies = c.lanes * c.rows;
  const rounding = roundingOf(inst);
  c.f.get(at.framePointer);
  c.f.op(Wasm.i32x4_splat);
  c.constants.lanes(
    Type.I32,
    [0, 1, 2, 3].map(
      (l) =>
        layout.interleavedBytes * copies +
        (row * c.lanes + part * 4 + l) * layout.linearBytes +
        layout.offsets.get(inst)! +
        rounding,
    ),
  );
  c.f.op(Wasm.i32x4_add);
  if (rounding === 0) return;
  c.constants.splat(Type.I32, -inst.facts.align!);
  c.f.op(Wasm.v128_and);
}
