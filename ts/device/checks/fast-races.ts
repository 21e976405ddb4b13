// SPDX-License-Identifier: MIT
//
// Contents and races in WebAssembly: `WrittenBytes` and `Races.access` for accesses that are not a fault.
import { type Expr, emit, i32, i32x4, type Operand, set, v128 } from '../../wasm/expressions';
import { type FunctionBuilder, type Label, ValType } from '../../wasm/function-builder';
import { type CheckCode, load, loadVector, type Space, state, store } from './fast-code';
import {
  ACCESS,
  FEW,
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
  const { needsContents, givesContents } = shape;
  if (!needsContents && !givesContents) return;
  if (space === 'global') code.passOnIf(i32.eqz(isWritten(shape)));
  else emitOwners(code, shape, space, start, item);
}

/** Contents of a group's memory. */
function emitOwners(code: CheckCode, shape: SiteShape, space: Space, start: number, item: number): void {
  const { f } = code;
  const { needsContents, givesContents } = shape;
  const { owner } = code.locals('owner');
  const own = space === 'local' ? state(STATE.localOwner) : i32.add(state(STATE.privateOwner), item);
  set(f, owner, own);
  if (needsContents)
    code.eachGranule(shape, 'owners', start, (at) => code.passOnIf(i32.ne(load(at, 0), owner)));
  if (givesContents) code.eachGranule(shape, 'owners', start, (at) => store(f, at, 0, owner));
}

const isWritten = ({ region }: SiteShape): Expr<'i32'> =>
  i32.and(load(i32.const(region), REGION_ENTRY.flags), i32.const(IS.written));

/** Passes on unless all granules of global memory that an access needs are known to have contents. */
export function emitHasContents(code: CheckCode, shape: SiteShape, start: number): void {
  unlessWritten(code, shape, () =>
    code.eachGranule(shape, 'global', start, (granule) => hasContents(code, granule)),
  );
}

/** What is only needed where not all of the memory has contents, which is decided at run time. */
function unlessWritten(code: CheckCode, shape: SiteShape, check: () => void): void {
  emit(code.f, i32.eqz(isWritten(shape)));
  code.f.if_();
  check();
  code.f.end();
}

/** Passes on unless a granule is known to have contents since the launch began. */
function hasContents(code: CheckCode, granule: number): void {
  code.passOnIf(i32.lt_s(word(granule, GRANULE.contents), raceState('global', RACE_STATE.launch)));
}

/** Looks for conflicts and records an access of a kind, if there is one; contents before. */
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
  const { needsContents, givesContents } = shape;
  const hasOwners = space === 'local' && (needsContents || givesContents);
  if (hasOwners) emitOwners(code, shape, space, start, item);
  if (hasOwners && kind === undefined) return;
  set(f, stamp, i32.or(raceState(space, RACE_STATE.now), item));
  code.eachGranule(shape, space === 'local' ? 'fewLocal' : 'fewGlobal', start, (few, number) => {
    const done = f.block();
    emitFew(code, shape, space, few, stamp, kind, done);
    const { granule } = code.locals('granule');
    code.wordsOf(space, number, granule);
    moveFew(code, space, few, granule);
    if (space === 'global' && (needsContents || givesContents))
      unlessWritten(code, shape, () => hasContents(code, granule));
    if (kind !== undefined) {
      set(f, own, i32x4.splat(stamp));
      passOnConflicts(code, shape, space, granule, GRANULE.write, own, LANES_OF_WRITES[kind]!);
      if (kind === KIND.write || kind === KIND.atomic)
        passOnConflicts(code, shape, space, granule, GRANULE.read, own, [0, 1, 2]);
      RECORDS[kind]!(code, shape, granule, stamp, space);
    }
    f.end();
  });
}

/** The stamp from which on the accesses in the table of few are not all ordered with the next one. */
const firstStamp = (space: Shared): Expr<'i32'> =>
  raceState(space, space === 'local' ? RACE_STATE.time : RACE_STATE.launch);

/** `ACCESS`. The site is the first parameter. */
const accessOf = (marks: number): Expr<'i32'> =>
  i32.or(
    i32.mul((f) => f.get(0), i32.const(ACCESS.site)),
    i32.const(marks),
  );

/** Records an access to a granule that has few, and leaves `done`; does nothing where its other words are needed. */
function emitFew(
  code: CheckCode,
  shape: SiteShape,
  space: Shared,
  few: number,
  stamp: number,
  kind: number | undefined,
  done: Label,
): void {
  if (kind !== KIND.read && kind !== KIND.write) return;
  const { f } = code;
  const { known, access } = code.locals('known', 'access');
  const taken = f.block();
  const unless = (condition: Expr<'i32'>): void => {
    emit(f, condition);
    f.brIf(taken);
  };
  if (space === 'global' && (shape.needsContents || shape.givesContents)) unless(i32.eqz(isWritten(shape)));
  set(f, known, load(few, FEW.stamp * 4));
  emit(f, i32.lt_s(known, firstStamp(space)));
  f.if_();
  store(f, few, FEW.stamp * 4, stamp);
  store(f, few, FEW.access * 4, accessOf(kind === KIND.write ? ACCESS.isWrite : 0));
  f.br(done);
  f.end();
  set(f, access, load(few, FEW.access * 4));
  unless(i32.and(access, i32.const(ACCESS.isElsewhere)));
  if (kind === KIND.write) {
    unless(i32.ne(known, stamp));
    unless(i32.ge_s(load(few, FEW.second * 4), firstStamp(space)));
    store(f, few, FEW.access * 4, accessOf(ACCESS.isWrite));
    f.br(done);
  } else {
    emit(f, i32.eq(known, stamp));
    f.brIf(done);
    unless(i32.and(access, i32.const(ACCESS.isWrite)));
    emitSecondRead(code, shape, space, { few, stamp, known, access }, done);
  }
  f.end();
}

/** `Races.recordRead`, for a read of another work-item or time than the first one. */
function emitSecondRead(
  code: CheckCode,
  { keepsReads }: SiteShape,
  space: Shared,
  { few, stamp, known, access }: Readonly<Record<'few' | 'stamp' | 'known' | 'access', number>>,
  done: Label,
): void {
  const { f } = code;
  const site = (g: FunctionBuilder): void => g.get(0);
  const record = (): void => {
    store(f, few, FEW.second * 4, stamp);
    store(f, few, FEW.secondSite * 4, site);
    f.br(done);
  };
  const doneIfSecondSite = (): void => {
    emit(f, i32.eq(load(few, FEW.secondSite * 4), site));
    f.brIf(done);
  };
  if (keepsReads && space === 'global') {
    emit(f, i32.and(access, i32.const(ACCESS.isFinal)));
    f.if_();
    emit(f, i32.eq(access, accessOf(ACCESS.isFinal)));
    f.brIf(done);
    doneIfSecondSite();
    record();
    f.end();
  }
  emit(f, i32.ge_s(known, raceState(space, RACE_STATE.time)));
  f.if_();
  if (keepsReads) {
    emit(f, i32.ge_s(load(few, FEW.second * 4), raceState(space, RACE_STATE.time)));
    f.if_();
    emit(f, i32.eq(access, accessOf(0)));
    f.brIf(done);
    doneIfSecondSite();
    f.end();
  }
  record();
  f.end();
  if (!keepsReads || space === 'local') return;
  emit(f, i32.lt_s(known, raceState(space, RACE_STATE.group)));
  f.if_();
  store(f, few, FEW.access * 4, i32.or(access, i32.const(ACCESS.isFinal)));
  record();
  f.end();
}

/** `Races.moveFew` */
function moveFew(code: CheckCode, space: Shared, few: number, granule: number): void {
  const { f } = code;
  const { known, access, second } = code.locals('known', 'access', 'second');
  const put = (at: number, stamp: number, site: Operand<'i32'>): void => {
    store(f, granule, at * 4, stamp);
    store(f, granule, (at + GRANULE.toSite) * 4, site);
  };
  const site = i32.shr_u(access, i32.const(Math.log2(ACCESS.site)));
  const secondSite = load(few, FEW.secondSite * 4);
  set(f, known, load(few, FEW.stamp * 4));
  set(f, access, load(few, FEW.access * 4));
  emit(
    f,
    i32.and(i32.ge_s(known, firstStamp(space)), i32.eqz(i32.and(access, i32.const(ACCESS.isElsewhere)))),
  );
  f.if_();
  set(f, second, load(few, FEW.second * 4));
  emit(f, i32.and(access, i32.const(ACCESS.isWrite)));
  f.if_();
  put(GRANULE.write, known, site);
  f.else_();
  emit(f, i32.and(access, i32.const(ACCESS.isFinal)));
  f.if_();
  put(GRANULE.foreignRead, known, site);
  put(GRANULE.read, second, secondSite);
  f.else_();
  put(GRANULE.read, known, site);
  emit(f, i32.ge_s(second, firstStamp(space)));
  f.if_();
  put(GRANULE.secondRead, second, secondSite);
  f.end();
  f.end();
  f.end();
  f.end();
  store(f, few, FEW.stamp * 4, firstStamp(space));
  store(f, few, FEW.access * 4, i32.const(ACCESS.isElsewhere));
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

type Record_ = (code: CheckCode, shape: SiteShape, granule: number, stamp: number, space: Shared) => void;

const RECORDS: Readonly<Record<number, Record_>> = {
  [KIND.read]: recordRead,
  [KIND.write]: (code, _, granule, stamp) => record(code, granule, GRANULE.write, stamp),
  [KIND.atomic]: recordAtomic,
  [KIND.atomicRead]: (code, _, granule, stamp) => record(code, granule, GRANULE.atomicRead, stamp),
};

function record({ f }: CheckCode, granule: number, at: number, stamp: Operand<'i32'>): void {
  store(f, granule, at * 4, stamp);
  // The site is the first parameter.
  store(f, granule, (at + GRANULE.toSite) * 4, 0);
}

function recordRead(
  code: CheckCode,
  { keepsReads }: SiteShape,
  granule: number,
  stamp: number,
  space: Shared,
): void {
  const { f } = code;
  const { known } = code.locals('known');
  const siteAt = (at: number) => word(granule, at + GRANULE.toSite);
  const isSiteOf = (at: number) => i32.eq(siteAt(at), (g: FunctionBuilder) => g.get(0));
  const done = f.block();
  set(f, known, word(granule, GRANULE.read));
  emit(f, i32.eq(known, stamp));
  f.brIf(done);
  if (keepsReads && space === 'global') {
    emit(f, i32.ge_s(word(granule, GRANULE.foreignRead), raceState(space, RACE_STATE.launch)));
    f.if_();
    emit(f, i32.or(isSiteOf(GRANULE.foreignRead), isSiteOf(GRANULE.read)));
    f.brIf(done);
    record(code, granule, GRANULE.read, stamp);
    f.br(done);
    f.end();
  }
  emit(f, i32.ge_s(known, raceState(space, RACE_STATE.time)));
  f.if_();
  if (keepsReads) {
    const isSecond = i32.ge_s(word(granule, GRANULE.secondRead), raceState(space, RACE_STATE.time));
    emit(f, i32.and(isSecond, i32.or(isSiteOf(GRANULE.read), isSiteOf(GRANULE.secondRead))));
    f.brIf(done);
  }
  record(code, granule, GRANULE.secondRead, stamp);
  f.br(done);
  f.end();
  if (space === 'global') {
    const isForeign = i32.and(
      i32.ge_s(known, raceState(space, RACE_STATE.launch)),
      i32.lt_s(known, raceState(space, RACE_STATE.group)),
    );
    emit(f, isForeign);
    f.if_();
    store(f, granule, GRANULE.foreignRead * 4, known);
    store(f, granule, (GRANULE.foreignRead + GRANULE.toSite) * 4, siteAt(GRANULE.read));
    f.end();
  }
  record(code, granule, GRANULE.read, stamp);
  store(f, granule, GRANULE.secondRead * 4, i32.const(0));
  f.end();
}

/** The first access of a time, or the second one by another work-item. */
function recordAtomic(code: CheckCode, _: SiteShape, granule: number, stamp: number, space: Shared): void {
  const { f } = code;
  const { known } = code.locals('known');
  set(f, known, word(granule, GRANULE.atomic));
  emit(f, i32.ne(known, stamp));
  f.if_();
  emit(f, i32.ge_s(known, raceState(space, RACE_STATE.time)));
  f.if_();
  record(code, granule, GRANULE.secondAtomic, stamp);
  f.else_();
  record(code, granule, GRANULE.atomic, stamp);
  store(f, granule, GRANULE.secondAtomic * 4, i32.const(0));
  f.end();
  f.end();
}
