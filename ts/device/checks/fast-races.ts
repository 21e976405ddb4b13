// SPDX-License-Identifier: MIT
//
// Races in WebAssembly: `Races.access` for accesses that are in no conflict.
import { type Expr, emit, i32, i32x4, set, v128 } from '../../wasm/expressions';
import { ValType } from '../../wasm/function-builder';
import { type CheckCode, load, loadVector, store } from './fast-code';
import { GRANULE, KIND, RACE_STATE } from './shadow-layout';

/** log2 of the bytes of a granule's words. */
export const GRANULE_LOG2 = 6;

export const word = (granule: number, at: number): Expr<'i32'> => load(granule, at * 4);

/** Looks for conflicts and records an access, as `Races.access` does. */
export function emitRaces(
  code: CheckCode,
  { first, last, races, item, kind }: Record<'first' | 'last' | 'races' | 'item' | 'kind', number>,
): void {
  const { f } = code;
  const stamp = f.local(ValType.I32);
  const vectors = [0, 1, 2, 3].map(() => f.local(ValType.V128));
  const [launch, group, time, own] = vectors as [number, number, number, number];
  set(f, stamp, i32.or(load(races, RACE_STATE.time * 4), item));
  set(f, launch, loadVector(races, RACE_STATE.launch * 4));
  set(f, group, loadVector(races, RACE_STATE.group * 4));
  set(f, time, loadVector(races, RACE_STATE.time * 4));
  set(f, own, i32x4.splat(stamp));
  /** Ones where nothing orders an earlier access, perhaps. */
  const conflicts = (granule: number, at: number): Expr<'v128'> => {
    const earlier = f.local(ValType.V128);
    return (g) => {
      set(g, earlier, loadVector(granule, at * 4));
      const isOld = i32x4.lt_s(earlier, launch);
      const isOrdered = v128.andnot(i32x4.lt_s(earlier, time), i32x4.lt_s(earlier, group));
      emit(g, v128.not(v128.or(v128.or(isOld, isOrdered), i32x4.eq(earlier, own))));
    };
  };
  const some = (vector: Expr<'v128'>, lanes: readonly number[]): Expr<'i32'> => {
    const mask = [0, 1, 2, 3].map((lane) => (lanes.includes(lane) ? 0xffffffff : 0));
    return v128.any_true(v128.and(vector, (g) => g.v128(new Uint8Array(Uint32Array.from(mask).buffer))));
  };
  const record = (granule: number, at: number): void => {
    store(f, granule, at * 4, stamp);
    store(f, granule, (at + GRANULE.toSite) * 4, 0);
  };
  code.eachGranule(load(races, RACE_STATE.table * 4), GRANULE_LOG2, first, last, (granule) => {
    const writes = conflicts(granule, GRANULE.write);
    const reads = conflicts(granule, GRANULE.read);
    const cases: [number, () => void][] = [
      [
        KIND.read,
        () => {
          code.passOnIf(some(writes, [0, 1, 2]));
          recordRead(code, granule, stamp, races, record);
        },
      ],
      [
        KIND.write,
        () => {
          code.passOnIf(some(writes, [0, 1, 2, 3]));
          code.passOnIf(some(reads, [0, 1, 2]));
          record(granule, GRANULE.write);
        },
      ],
      [
        KIND.atomic,
        () => {
          code.passOnIf(some(writes, [0]));
          code.passOnIf(some(reads, [0, 1, 2]));
          recordAtomic(code, granule, stamp, races, record);
        },
      ],
      [
        KIND.atomicRead,
        () => {
          code.passOnIf(some(writes, [0]));
          record(granule, GRANULE.atomicRead);
        },
      ],
    ];
    for (const [at, [which, body]] of cases.entries()) {
      if (at < cases.length - 1) {
        emit(f, i32.eq(kind, i32.const(which)));
        f.if_();
        body();
        f.else_();
      } else body();
    }
    for (let at = 1; at < cases.length; at++) f.end();
  });
}

function recordRead(
  code: CheckCode,
  granule: number,
  stamp: number,
  races: number,
  record: (granule: number, at: number) => void,
): void {
  const { f } = code;
  const { known } = code.locals('known');
  set(f, known, word(granule, GRANULE.read));
  emit(f, i32.ne(known, stamp));
  f.if_();
  emit(f, i32.ge_s(known, load(races, RACE_STATE.time * 4)));
  f.if_();
  record(granule, GRANULE.secondRead);
  f.else_();
  const isForeign = i32.and(
    i32.ge_s(known, load(races, RACE_STATE.launch * 4)),
    i32.lt_s(known, load(races, RACE_STATE.group * 4)),
  );
  emit(f, isForeign);
  f.if_();
  store(f, granule, GRANULE.foreignRead * 4, known);
  store(f, granule, (GRANULE.foreignRead + GRANULE.toSite) * 4, word(granule, GRANULE.read + GRANULE.toSite));
  f.end();
  record(granule, GRANULE.read);
  store(f, granule, GRANULE.secondRead * 4, i32.const(0));
  f.end();
  f.end();
}

function recordAtomic(
  code: CheckCode,
  granule: number,
  stamp: number,
  races: number,
  record: (granule: number, at: number) => void,
): void {
  const { f } = code;
  const { known } = code.locals('known');
  set(f, known, word(granule, GRANULE.atomic));
  emit(f, i32.ne(known, stamp));
  f.if_();
  emit(f, i32.ge_s(known, load(races, RACE_STATE.time * 4)));
  f.if_();
  record(granule, GRANULE.secondAtomic);
  f.else_();
  record(granule, GRANULE.atomic);
  store(f, granule, GRANULE.secondAtomic * 4, i32.const(0));
  f.end();
  f.end();
}
