// SPDX-License-Identifier: MIT
//
// Kernels without barriers: a function over a range of work-items of one group, or over rows of groups where the kernel does not
// observe groups. Whole tiles run first; the scalar variant runs the rest of each row.
import { DISPATCH, MAX_WORK_GROUP_SIZE } from '../../base/kernel-abi';
import type { Steps } from '../../base/steps';
import { FunctionBuilder, ValType } from '../../wasm/function-builder';
import { Wasm } from '../../wasm/opcodes';
import { Op } from '../ir/ir';
import type { KernelPlan } from '../vectorize/kernel-plan';
import { VectorPlan } from '../vectorize/plan';
import type { Callees } from './calls';
import { WASM_TARGET } from './target';
import { integers, SCRATCH_HEADER, type Triple, Variant } from './variant';

/** Parameters of the function over a range. */
const P = {
  dispatch: 0,
  local: 1,
  scratch: 2,
  gx: 3,
  gy: 4,
  gz: 5,
  x0: 6,
  x1: 7,
  y0: 8,
  y1: 9,
  z0: 10,
  z1: 11,
} as const;
export const RANGE_PARAMS = 12;

export interface Leftovers {
  /** Function index of the scalar variant. */
  readonly scalar: number;
  /** Function index of the variant with one row. */
  readonly oneRow: number;
}

export function* rangeFunction(
  code: KernelPlan,
  lanes: number,
  rows: number,
  rest: Leftovers | undefined,
  callees: Callees,
): Steps<Variant> {
  const v = new Variant(new VectorPlan(code, lanes, rows, WASM_TARGET), {
    params: integers(RANGE_PARAMS),
    results: [],
    at: { dispatch: P.dispatch, local: P.local, scratch: P.scratch, group: [P.gx, P.gy, P.gz] },
    callees,
  });
  const { c } = v;
  const { f } = c;
  const [x, y, z] = v.items;
  f.get(P.scratch);
  f.i32(SCRATCH_HEADER);
  f.op(Wasm.i32_add);
  f.set(v.framePointer);
  v.prologue();
  const call = (target: number, x0: number, yFrom: number, yTo: () => void) => {
    for (const p of [P.dispatch, P.local, P.scratch, P.gx, P.gy, P.gz, x0, P.x1, yFrom]) f.get(p);
    yTo();
    f.get(z);
    f.get(z);
    f.i32(1);
    f.op(Wasm.i32_add);
    f.call(target);
  };
  yield* countedLoop(f, z, P.z0, P.z1, 1, function* () {
    yield* countedLoop(f, y, P.y0, P.y1, rows, function* () {
      const end = f.block();
      // An engine that hoists by itself would move what is before the loop back to where it is used.
      const isRowFirst = !c.engine.hoists;
      const begin = () => (isRowFirst ? v.environment.emit('vector') : v.environment.emit('row', 'vector'));
      const advance = () => {
        step(f, x, lanes);
        fits(f, x, P.x1, lanes);
      };
      if (isRowFirst) {
        v.environment.emit('row');
        c.invariants.openRow();
      }
      yield* countedLoop(f, x, P.x0, P.x1, lanes, function* () {
        begin();
        yield* v.region(code.regions.list[0]!, { tiles: { advance, begin, end } });
      });
      c.invariants.closeRow();
      f.end();
      if (lanes > 1 && rest) {
        f.get(x);
        f.get(P.x1);
        f.op(Wasm.i32_lt_u);
        f.if_(false);
        call(rest.scalar, x, y, () => {
          f.get(y);
          f.i32(rows);
          f.op(Wasm.i32_add);
        });
        f.end();
      }
    });
    if (rows > 1 && rest) {
      f.get(y);
      f.get(P.y1);
      f.op(Wasm.i32_lt_u);
      f.if_(false);
      call(rest.oneRow, P.x0, y, () => f.get(P.y1));
      f.end();
    }
  });
  return v;
}

/** for (at = from; at + by <= to; at += by), tested at the end; with `partial`, as long as at < to. */
export function* countedLoop(
  f: FunctionBuilder,
  at: number,
  from: number | undefined,
  to: number,
  by: number,
  body: () => Steps<void>,
  partial = false,
): Steps<void> {
  const more = () => fits(f, at, to, partial ? 1 : by);
  if (from === undefined) f.i32(0);
  else f.get(from);
  f.set(at);
  more();
  f.if_();
  const again = f.loop();
  yield* body();
  step(f, at, by);
  more();
  f.brIf(again);
  f.end();
  f.end();
}

function step(f: FunctionBuilder, at: number, by: number): void {
  f.get(at);
  f.i32(by);
  f.op(Wasm.i32_add);
  f.set(at);
}

/** Pushes whether a whole step fits. */
function fits(f: FunctionBuilder, at: number, to: number, by: number): void {
  f.get(at);
  f.i32(by);
  f.op(Wasm.i32_add);
  f.get(to);
  f.op(Wasm.i32_le_u);
}

/** Whether neighbouring groups along x or y can and should run as one. */
function isMergeable(code: KernelPlan): boolean {
  if (code.columnMajor) return false;
  const own = [
    Op.LocalId,
    Op.GroupId,
    Op.LocalSize,
    Op.LocalBase,
    Op.LocalLinearId,
    Op.SubGroupId,
    Op.NumSubGroups,
  ];
  return (
    !own.some((op) => code.environment.has(op)) && !code.signature.arguments.some((a) => a.kind === 'local')
  );
}

/** `run` of a kernel without barriers. */
export function rangeDriver(code: KernelPlan, main: number): FunctionBuilder {
  const f = new FunctionBuilder(integers(RUN_PARAMS));
  const { dispatch, count, local, scratch } = RUN;
  const group = RUN.group;
  const sizes = rangeSizes(f);
  const run = f.local(ValType.I32);
  const rows = f.local(ValType.I32);
  const rest = f.local(ValType.I32);
  const out = f.block();
  const again = f.loop();
  f.get(count);
  f.op(Wasm.i32_eqz);
  f.brIf(out);
  f.i32(1);
  f.set(run);
  f.i32(1);
  f.set(rows);
  const mergeable = isMergeable(code);
  if (mergeable) {
    // The remaining groups of this row or of the chunk, whichever are fewer; and as many whole rows of groups as the chunk has.
    f.get(sizes.groups[0]);
    f.get(group[0]);
    f.op(Wasm.i32_sub);
    f.set(run);
    f.get(count);
    f.set(rest);
    minimum(f, run, rest);
    f.get(run);
    f.get(sizes.groups[0]);
    f.op(Wasm.i32_eq);
    f.if_();
    f.get(sizes.groups[1]);
    f.get(group[1]);
    f.op(Wasm.i32_sub);
    f.set(rows);
    f.get(count);
    f.get(run);
    f.op(Wasm.i32_div_u);
    f.set(rest);
    minimum(f, rows, rest);
    f.end();
  }
  for (const p of [dispatch, local, scratch, ...group]) f.get(p);
  for (const d of [0, 1, 2]) {
    f.i32(0);
    groupSize(f, sizes, d, group[d]!, mergeable ? [run, rows][d] : undefined, rest);
  }
  f.call(main);
  f.get(count);
  f.get(run);
  f.get(rows);
  f.op(Wasm.i32_mul);
  f.op(Wasm.i32_sub);
  f.set(count);
  advanceGroup(f, sizes, run, rows);
  f.br(again);
  f.end();
  f.end();
  return f;
}

/** a = min(a, b), at least 1, so that the driver's loop ends even if a kernel has overwritten the dispatch block. */
function minimum(f: FunctionBuilder, a: number, b: number): void {
  for (const local of [a, b, a, b]) f.get(local);
  f.op(Wasm.i32_lt_u);
  f.op(Wasm.select);
  f.tee(a);
  f.get(a);
  f.op(Wasm.i32_eqz);
  f.op(Wasm.i32_or);
  f.set(a);
}

/** Parameters of `run` (kernel-abi.ts). The loop increments the ids of the group and decrements the count. */
export const RUN = { dispatch: 0, group: [1, 2, 3], count: 4, local: 5, scratch: 6 } as const;
export const RUN_PARAMS = 7;

/**
 * Locals with the sizes of the ND-range. They are read once, so that a kernel's writes cannot change the iteration over its
 * groups.
 */
export interface RangeSizes {
  /** Groups along x and y. */
  readonly groups: readonly [number, number];
  readonly global: Triple;
  readonly local: Triple;
}

export function rangeSizes(f: FunctionBuilder): RangeSizes {
  const word = (offset: number): number => {
    const local = f.local(ValType.I32);
    f.get(RUN.dispatch);
    f.memory(Wasm.i32_load, offset, 2);
    f.set(local);
    return local;
  };
  const three = (offset: number): Triple => [word(offset), word(offset + 4), word(offset + 8)];
  const local = three(DISPATCH.localSize);
  trapIfLarger(f, local, MAX_WORK_GROUP_SIZE);
  return {
    groups: [word(DISPATCH.numGroups), word(DISPATCH.numGroups + 4)],
    global: three(DISPATCH.globalSize),
    local,
  };
}

/**
 * No work-group is larger, unless a kernel has overwritten the dispatch block: then its loops over work-items might never end, on a
 * thread that nothing can stop. The product needs more than 64 bits.
 */
function trapIfLarger(f: FunctionBuilder, sizes: Triple, most: number): void {
  sizes.forEach((size, d) => {
    f.get(size);
    f.op(Wasm.f64_convert_i32_u);
    if (d > 0) f.op(Wasm.f64_mul);
  });
  f.f64(most);
  f.op(Wasm.f64_gt);
  f.if_();
  f.op(Wasm.unreachable);
  f.end();
}

/** Advances by `run` groups along x; at the end of a row by `rows` groups along y. */
export function advanceGroup(f: FunctionBuilder, { groups }: RangeSizes, run?: number, rows?: number): void {
  const [gx, gy, gz] = RUN.group;
  const add = (group: number, by: number | undefined) => {
    f.get(group);
    if (by === undefined) f.i32(1);
    else f.get(by);
    f.op(Wasm.i32_add);
    f.tee(group);
  };
  const wrap = (group: number, end: number) => {
    f.get(end);
    f.op(Wasm.i32_ge_u);
    f.if_();
    f.i32(0);
    f.set(group);
  };
  add(gx, run);
  wrap(gx, groups[0]);
  add(gy, rows);
  wrap(gy, groups[1]);
  add(gz, undefined);
  f.op(Wasm.drop);
  f.end();
  f.end();
}

/** Leaves the number of work-items along a dimension of one group, or of `run` groups, limited by the ND-range's end. */
export function groupSize(
  f: FunctionBuilder,
  sizes: RangeSizes,
  dimension: number,
  group: number,
  run: number | undefined,
  temp: number,
): void {
  const size = () => f.get(sizes.local[dimension]!);
  const whole = () => {
    size();
    if (run === undefined) return;
    f.get(run);
    f.op(Wasm.i32_mul);
  };
  f.get(sizes.global[dimension]!);
  f.get(group);
  size();
  f.op(Wasm.i32_mul);
  f.op(Wasm.i32_sub);
  f.tee(temp);
  whole();
  f.get(temp);
  whole();
  f.op(Wasm.i32_lt_u);
  f.op(Wasm.select);
}
