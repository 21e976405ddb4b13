// SPDX-License-Identifier: MIT
//
// Contents and races in WebAssembly: `WrittenBytes` and `Races.access` for accesses that are no fault.
import { type Expr, emit, i32, i32x4, type Operand, set, v128 } from '../../wasm/expressions';
import { type Label, ValType } from '../../wasm/function-builder';
import { type CheckCode, load, loadVector, type Space, state, store } from './fast-code';
import {
  ALONE,
  GRANULE,
  IS,
  KIND,
  KNOWN_RACES,
  LAYOUT,
  RACE_STATE,
  REGION_ENTRY,
  STATE,
} from './shadow-layout';
import type { SiteShape } from './shadow-tables';

type Shared = Exclude<Space, 'private'>;

const word = (granule: number, at: number): Expr<'i32'> => load(granule, at * 4);
const raceState = (space: Shared, at: number): Expr<'i32'> => state(STATE.races[space] + at);

/** Contents where no races are looked for: in private memory, or at all. */
export function emitContents(
  code: CheckCode,
  shape: SiteShape,
  space: Space,
  start: number,
  item: number,
): void {
  const { f } = code;
  const { needsContents, givesContents } = shape;
  if (!needsContents && !givesContents) return;
  if (space === 'global') {
    code.passOnIf(i32.eqz(isWritten(shape)));
    return;
  }
  const { owner } = code.locals('owner');
  const own = space === 'local' ? state(STATE.localOwner) : i32.add(state(STATE.privateOwner), item);
  set(f, owner, own);
  if (needsContents)
    code.eachGranule(shape, 'owners', start, (at) => code.passOnIf(i32.ne(load(at, 0), owner)));
  if (givesContents) code.eachGranule(shape, 'owners', start, (at) => store(f, at, 0, owner));
}

const isWritten = ({ region }: SiteShape): Expr<'i32'> =>
  i32.and(load(i32.const(region), REGION_ENTRY.flags), i32.const(IS.written));

/** Passes on unless all granules of an access are known to have contents. */
export function emitHasContents(code: CheckCode, shape: SiteShape, space: Shared, start: number): void {
  unlessWritten(code, shape, space, () =>
    code.eachGranule(shape, space, start, (granule) => hasContents(code, space, granule)),
  );
}

/** What is only needed where not all of the memory has contents: in global memory, that is decided at run time. */
function unlessWritten(code: CheckCode, shape: SiteShape, space: Shared, check: () => void): void {
  if (space === 'local') {
    check();
    return;
  }
  emit(code.f, i32.eqz(isWritten(shape)));
  code.f.if_();
  check();
  code.f.end();
}

/** Passes on unless a granule is known to have contents: since the launch began, or the group in local memory. */
function hasContents(code: CheckCode, space: Shared, granule: number): void {
  const since = space === 'global' ? RACE_STATE.launch : RACE_STATE.group;
  code.passOnIf(i32.lt_s(word(granule, GRANULE.contents), raceState(space, since)));
}

/** Local memory that is written. */
function giveContents(code: CheckCode, granule: number, number: number, stamp: number): void {
  const { f } = code;
  const { at } = code.locals('at');
  emit(f, i32.lt_s(word(granule, GRANULE.contents), raceState('local', RACE_STATE.group)));
  f.if_();
  code.wordsOf('owners', number, at);
  store(f, at, 0, state(STATE.localOwner));
  store(f, granule, GRANULE.contents * 4, stamp);
  f.end();
}

/** Looks for conflicts and records an access of a kind, if there is one; `hasContents` before. */
export function emitRaces(
  code: CheckCode,
  shape: SiteShape,
  space: Shared,
  start: number,
  item: number,
  kind: number | undefined,
): void {
  const { f } = code;
  const { stamp } = code.locals('stamp');
  const own = f.local(ValType.V128);
  set(f, stamp, i32.or(raceState(space, RACE_STATE.now), item));
  set(f, own, i32x4.splat(stamp));
  const { needsContents, givesContents } = shape;
  const among = (granule: number, number: number): void => {
    if (space === 'local' && givesContents && !needsContents) giveContents(code, granule, number, stamp);
    else if (needsContents || givesContents)
      unlessWritten(code, shape, space, () => hasContents(code, space, granule));
    if (kind === undefined) return;
    passOnConflicts(code, shape, space, granule, GRANULE.write, own, LANES_OF_WRITES[kind]!);
    if (kind === KIND.write || kind === KIND.atomic)
      passOnConflicts(code, shape, space, granule, GRANULE.read, own, [0, 1, 2]);
    RECORDS[kind]!(code, granule, stamp, space);
  };
  if (space === 'local') code.eachGranule(shape, space, start, among);
  else
    code.eachGranule(shape, 'alone', start, (alone, number) => {
      const done = f.block();
      emitAlone(code, shape, alone, stamp, kind, done);
      const { granule } = code.locals('granule');
      code.wordsOf('global', number, granule);
      moveAlone(code, alone, granule);
      among(granule, number);
      f.end();
    });
}

const launchStamp = raceState('global', RACE_STATE.launch);
/** Whether a stamp of the table of only accesses is one of this launch. */
const isOfLaunch = (stamp: number): Expr<'i32'> =>
  i32.lt_u(i32.sub(stamp, launchStamp), i32.sub(i32.const(ALONE.elsewhere), launchStamp));

/** Records the only access to a granule: the first one of the launch, or another one of the same work-item and time. */
function emitAlone(
  code: CheckCode,
  shape: SiteShape,
  alone: number,
  stamp: number,
  kind: number | undefined,
  done: Label,
): void {
  if (kind !== KIND.read && kind !== KIND.write) return;
  const { f } = code;
  const { known } = code.locals('known');
  const isWrite = kind === KIND.write;
  // The site is the first parameter.
  const access = i32.or(
    i32.shl((g) => g.get(0), i32.const(1)),
    i32.const(isWrite ? 1 : 0),
  );
  const taken = f.block();
  if (shape.needsContents || shape.givesContents) {
    emit(f, i32.eqz(isWritten(shape)));
    f.brIf(taken);
  }
  set(f, known, load(alone, ALONE.stamp * 4));
  emit(f, i32.eq(known, stamp));
  f.if_();
  if (isWrite) store(f, alone, ALONE.access * 4, access);
  f.br(done);
  f.end();
  emit(f, i32.or(isOfLaunch(known), i32.eq(known, i32.add(launchStamp, i32.const(ALONE.elsewhere)))));
  f.brIf(taken);
  store(f, alone, ALONE.stamp * 4, stamp);
  store(f, alone, ALONE.access * 4, access);
  f.br(done);
  f.end();
}

/** `Races.moveAlone` */
function moveAlone(code: CheckCode, alone: number, granule: number): void {
  const { f } = code;
  const { known, at, access } = code.locals('known', 'at', 'access');
  set(f, known, load(alone, ALONE.stamp * 4));
  emit(f, isOfLaunch(known));
  f.if_();
  set(f, access, load(alone, ALONE.access * 4));
  const isWrite = i32.and(access, i32.const(1));
  // The words of writes come before those of reads.
  set(
    f,
    at,
    i32.add(granule, i32.mul(i32.sub(i32.const(1), isWrite), i32.const((GRANULE.read - GRANULE.write) * 4))),
  );
  store(f, at, GRANULE.write * 4, known);
  store(f, at, (GRANULE.write + GRANULE.toSite) * 4, i32.shr_u(access, i32.const(1)));
  f.end();
  store(f, alone, ALONE.stamp * 4, i32.add(launchStamp, i32.const(ALONE.elsewhere)));
}

/** The stamps from `GRANULE.write` on that each kind conflicts with. */
const LANES_OF_WRITES: Readonly<Record<number, readonly number[]>> = {
  [KIND.read]: [0, 1, 2],
  [KIND.write]: [0, 1, 2, 3],
  [KIND.atomic]: [0],
  [KIND.atomicRead]: [0],
};

/** Passes on if there is a conflict with one of the stamps from `at` on, unless its site is known to race with this one. */
function passOnConflicts(
  code: CheckCode,
  shape: SiteShape,
  space: Shared,
  granule: number,
  at: number,
  own: number,
  lanes: readonly number[],
): void {
  const { f } = code;
  const found = f.local(ValType.V128);
  set(f, found, conflicts(code, space, granule, at, own));
  if (shape.space === 'unknown') {
    code.passOnIf(some(found, lanes));
    return;
  }
  emit(f, some(found, lanes));
  f.if_();
  const sites = f.local(ValType.V128);
  set(f, sites, loadVector(granule, (at + GRANULE.toSite) * 4));
  // The site is the first parameter.
  const known = i32.mul((g) => g.get(0), i32.const(KNOWN_RACES.bytes));
  const { others } = code.locals('others');
  set(f, others, known);
  for (let i = 0; i < KNOWN_RACES.most; i++) {
    const other = i32x4.splat(load(others, LAYOUT.knownRaces + i * 4));
    set(f, found, v128.andnot(found, i32x4.eq(sites, other)));
  }
  code.passOnIf(some(found, lanes));
  f.end();
}

/** Zeros where something orders an earlier access, or it is the work-item's own. */
function conflicts(code: CheckCode, space: Shared, granule: number, at: number, own: number): Expr<'v128'> {
  const earlier = code.f.local(ValType.V128);
  const vector = (word: number) => loadVector(i32.const(0), (STATE.races[space] + word) * 4);
  return (f) => {
    set(f, earlier, loadVector(granule, at * 4));
    const isBefore = i32x4.lt_s(earlier, vector(RACE_STATE.time));
    // Other groups have local memory of their own.
    const isOrdered =
      space === 'local'
        ? isBefore
        : v128.or(
            i32x4.lt_s(earlier, vector(RACE_STATE.launch)),
            v128.andnot(isBefore, i32x4.lt_s(earlier, vector(RACE_STATE.group))),
          );
    emit(f, v128.not(v128.or(isOrdered, i32x4.eq(earlier, own))));
  };
}

function some(vector: Operand<'v128'>, lanes: readonly number[]): Expr<'i32'> {
  if (lanes.length === 4) return v128.any_true(vector);
  const mask = [0, 1, 2, 3].map((lane) => (lanes.includes(lane) ? 0xffffffff : 0));
  return v128.any_true(v128.and(vector, (f) => f.v128(new Uint8Array(Uint32Array.from(mask).buffer))));
}

type Record_ = (code: CheckCode, granule: number, stamp: number, space: Shared) => void;

const RECORDS: Readonly<Record<number, Record_>> = {
  [KIND.read]: recordRead,
  [KIND.write]: (code, granule, stamp) => record(code, granule, GRANULE.write, stamp),
  [KIND.atomic]: recordAtomic,
  [KIND.atomicRead]: (code, granule, stamp) => record(code, granule, GRANULE.atomicRead, stamp),
};

function record({ f }: CheckCode, granule: number, at: number, stamp: Operand<'i32'>): void {
  store(f, granule, at * 4, stamp);
  // The site is the first parameter.
  store(f, granule, (at + GRANULE.toSite) * 4, 0);
}

function recordRead(code: CheckCode, granule: number, stamp: number, space: Shared): void {
  const { f } = code;
  recordOfTwo(code, granule, GRANULE.read, GRANULE.secondRead, stamp, space, (known) => {
    if (space === 'local') return;
    const isForeign = i32.and(
      i32.ge_s(known, raceState(space, RACE_STATE.launch)),
      i32.lt_s(known, raceState(space, RACE_STATE.group)),
    );
    emit(f, isForeign);
    f.if_();
    store(f, granule, GRANULE.foreignRead * 4, known);
    const site = word(granule, GRANULE.read + GRANULE.toSite);
    store(f, granule, (GRANULE.foreignRead + GRANULE.toSite) * 4, site);
    f.end();
  });
}

function recordAtomic(code: CheckCode, granule: number, stamp: number, space: Shared): void {
  recordOfTwo(code, granule, GRANULE.atomic, GRANULE.secondAtomic, stamp, space);
}

/** Records the first access of a time, or the second one by another work-item. `replace` keeps what the first one replaces. */
function recordOfTwo(
  code: CheckCode,
  granule: number,
  first: number,
  second: number,
  stamp: number,
  space: Shared,
  replace?: (known: number) => void,
): void {
  const { f } = code;
  const { known } = code.locals('known');
  set(f, known, word(granule, first));
  emit(f, i32.ne(known, stamp));
  f.if_();
  emit(f, i32.ge_s(known, raceState(space, RACE_STATE.time)));
  f.if_();
  record(code, granule, second, stamp);
  f.else_();
  replace?.(known);
  record(code, granule, first, stamp);
  store(f, granule, second * 4, i32.const(0));
  f.end();
  f.end();
}
