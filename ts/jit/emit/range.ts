// SPDX-License-Identifier: MIT
//
// Kernels without barriers: a function over a range of work-items of one group, or of rows of groups where the kernel
// does not look at groups. Whole tiles first; what is left of a row goes to the scalar variant.
import { DISPATCH } from '../../base/kernel-abi';
import { FunctionBuilder, ValType } from '../../wasm/function-builder';
import { Wasm } from '../../wasm/opcodes';
import { Op } from '../ir/ir';
import type { Callees } from './calls';
import type { KernelCode } from './kernel-code';
import { integers, SCRATCH_HEADER, Variant } from './variant';

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

export function rangeFunction(
  code: KernelCode,
  lanes: number,
  rows: number,
  rest: Leftovers | undefined,
  callees: Callees,
): Variant {
  const v = new Variant(
    code,
    { params: integers(RANGE_PARAMS), results: [] },
    lanes,
    rows,
    { dispatch: P.dispatch, local: P.local, scratch: P.scratch, group: [P.gx, P.gy, P.gz] },
    (c) => [c.f.local(ValType.I32), c.f.local(ValType.I32), c.f.local(ValType.I32)],
    callees,
  );
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
  steps(f, z, P.z0, P.z1, 1, () => {
    steps(f, y, P.y0, P.y1, rows, () => {
      const end = f.block();
      const begin = () => v.environment.emit('vector');
      const advance = () => {
        step(f, x, lanes);
        fits(f, x, P.x1, lanes);
      };
      steps(f, x, P.x0, P.x1, lanes, () => {
        begin();
        v.region(code.regions.list[0]!, { tiles: { advance, begin, end } });
      });
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
export function steps(
  f: FunctionBuilder,
  at: number,
  from: number | undefined,
  to: number,
  by: number,
  body: () => void,
  partial = false,
): void {
  const more = () => fits(f, at, to, partial ? 1 : by);
  if (from === undefined) f.i32(0);
  else f.get(from);
  f.set(at);
  more();
  f.if_();
  const again = f.loop();
  body();
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

/** Whether groups that lie next to each other along x or y can be run as one, and should be. */
function isMergeable(code: KernelCode): boolean {
  if (code.columns) return false;
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
export function rangeDriver(code: KernelCode, main: number): FunctionBuilder {
  const f = new FunctionBuilder(Array.from({ length: 5 }, () => ValType.I32));
  const [dispatch, first, count, local, scratch] = [0, 1, 2, 3, 4];
  const i32 = () => f.local(ValType.I32);
  const end = i32();
  const group = [i32(), i32(), i32()];
  const run = i32();
  const rows = i32();
  const rest = i32();
  const word = (offset: number) => {
    f.get(dispatch);
    f.memory(Wasm.i32_load, offset, 2);
  };
  f.get(first);
  f.get(count);
  f.op(Wasm.i32_add);
  f.set(end);
  const out = f.block();
  const again = f.loop();
  f.get(first);
  f.get(end);
  f.op(Wasm.i32_ge_u);
  f.brIf(out);
  decodeGroup(f, word, first, group);
  f.i32(1);
  f.set(run);
  f.i32(1);
  f.set(rows);
  const mergeable = isMergeable(code);
  if (mergeable) {
    const left = () => {
      f.get(end);
      f.get(first);
      f.op(Wasm.i32_sub);
    };
    // The groups left in this row, or left to do; and whole rows of groups, as many as follow.
    word(DISPATCH.numGroups);
    f.get(group[0]!);
    f.op(Wasm.i32_sub);
    f.set(run);
    left();
    f.set(rest);
    minimum(f, run, rest);
    f.get(run);
    word(DISPATCH.numGroups);
    f.op(Wasm.i32_eq);
    f.if_();
    word(DISPATCH.numGroups + 4);
    f.get(group[1]!);
    f.op(Wasm.i32_sub);
    f.set(rows);
    left();
    f.get(run);
    f.op(Wasm.i32_div_u);
    f.set(rest);
    minimum(f, rows, rest);
    f.end();
  }
  for (const p of [dispatch, local, scratch, ...group]) f.get(p);
  for (const d of [0, 1, 2]) {
    f.i32(0);
    groupSize(f, word, d, group[d]!, mergeable ? [run, rows][d] : undefined, rest);
  }
  f.call(main);
  f.get(first);
  f.get(run);
  f.get(rows);
  f.op(Wasm.i32_mul);
  f.op(Wasm.i32_add);
  f.set(first);
  f.br(again);
  f.end();
  f.end();
  return f;
}

function minimum(f: FunctionBuilder, a: number, b: number): void {
  for (const local of [a, b, a, b]) f.get(local);
  f.op(Wasm.i32_lt_u);
  f.op(Wasm.select);
  f.set(a);
}

/** From a linear group number to three ids. */
export function decodeGroup(
  f: FunctionBuilder,
  word: (offset: number) => void,
  linear: number,
  group: readonly number[],
): void {
  const [gx, gy, gz] = group as [number, number, number];
  f.get(linear);
  word(DISPATCH.numGroups);
  f.op(Wasm.i32_div_u);
  f.tee(gz);
  word(DISPATCH.numGroups);
  f.op(Wasm.i32_mul);
  f.set(gx);
  f.get(linear);
  f.get(gx);
  f.op(Wasm.i32_sub);
  f.set(gx);
  f.get(gz);
  word(DISPATCH.numGroups + 4);
  f.op(Wasm.i32_rem_u);
  f.set(gy);
  f.get(gz);
  word(DISPATCH.numGroups + 4);
  f.op(Wasm.i32_div_u);
  f.set(gz);
}

/** Leaves the number of work-items along a dimension: of one group, or of `run` groups; the ND-range's end cuts it. */
export function groupSize(
  f: FunctionBuilder,
  word: (offset: number) => void,
  dimension: number,
  group: number,
  run: number | undefined,
  temp: number,
): void {
  const size = () => word(DISPATCH.localSize + dimension * 4);
  const whole = () => {
    size();
    if (run === undefined) return;
    f.get(run);
    f.op(Wasm.i32_mul);
  };
  word(DISPATCH.globalSize + dimension * 4);
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
