// SPDX-License-Identifier: MIT
//
// Checks in WebAssembly: accesses that are no fault, and need nothing but their shadow words. All others are passed on to the checks in
// TypeScript, which decide again from the start, so both may have done a part of one access: what they record is the same.
import { CHECK_CALLS, type CheckCall } from '../../base/checks';
import { emit, i32, set } from '../../wasm/expressions';
import { FunctionBuilder, ValType } from '../../wasm/function-builder';
import { ModuleBuilder } from '../../wasm/module-builder';
import { Wasm } from '../../wasm/opcodes';
import { CheckCode, isSet, load, state, store } from './fast-code';
import { emitRaces, GRANULE_LOG2, word } from './fast-races';
import { DOES, GRANULE, IS, KIND, RACE_STATE, REGION_ENTRY, SITE_ENTRY, STATE } from './shadow-layout';

/** The calls that have a part in WebAssembly. */
const FAST_CALLS = { begin, access, isUnwritten, exchanged, arrive } as const satisfies Partial<
  Record<CheckCall, (code: CheckCode) => void>
>;

/** A module with `FAST_CALLS`, which imports the calls that they pass on from `slow`; `shift` is log2 of a granule's bytes. */
export function fastChecks(shift: number): WebAssembly.Module {
  const module = new ModuleBuilder();
  const functions = Object.entries(FAST_CALLS).map(([name, write]) => {
    const { parameters, result } = CHECK_CALLS[name as keyof typeof FAST_CALLS];
    const params = [ValType.I32, ...parameters.map(() => ValType.I32)];
    const results = result ? [ValType.I32] : [];
    return { name, write, params, results, slow: module.importFunction('slow', name, params, results) };
  });
  for (const { name, write, params, results, slow } of functions) {
    const index = module.declare(params, results);
    const f = new FunctionBuilder(params, results);
    write(new CheckCode(f, shift, slow));
    module.define(index, f);
    module.export(name, index);
  }
  return new WebAssembly.Module(module.encode() as Uint8Array<ArrayBuffer>);
}

function begin(code: CheckCode): void {
  const ids = [1, 2, 3];
  code.open();
  code.passOnIf(i32.eqz(state(STATE.begun)));
  for (const [at, id] of ids.entries()) code.passOnIf(i32.ne(state(STATE.group + at), id));
  code.close(() => code.f.op(Wasm.return_));
}

function arrive(code: CheckCode): void {
  const { f } = code;
  const left = f.local(ValType.I32);
  code.open();
  code.passOnIf(i32.ne(state(STATE.barrier), 0));
  set(f, left, i32.sub(state(STATE.absent), i32.const(1)));
  code.passOnIf(i32.eqz(left));
  store(f, i32.const(0), STATE.absent * 4, left);
  code.close(() => f.op(Wasm.return_));
}

function access(code: CheckCode): void {
  const { f } = code;
  const [address, base, item] = [1, 2, 3] as const;
  const { entry, start, size, region, flags, at } = code.locals(
    'entry',
    'start',
    'size',
    'region',
    'flags',
    'at',
  );
  code.open();
  code.site(entry);
  set(f, region, load(entry, SITE_ENTRY.region));
  set(f, flags, load(region, REGION_ENTRY.flags));
  code.passOnIf(i32.and(load(entry, SITE_ENTRY.needs), i32.xor(flags, i32.const(-1))));
  set(f, start, i32.add(address, load(entry, SITE_ENTRY.offset)));
  code.passOnIf(i32.and(start, load(entry, SITE_ENTRY.mask)));
  const from = (g: FunctionBuilder): void => {
    emit(g, base);
    emit(g, load(region, REGION_ENTRY.base));
    emit(g, i32.and(flags, i32.const(IS.private)));
    g.op(Wasm.select);
  };
  set(f, at, i32.sub(start, from));
  code.passOnIf(i32.gt_u(at, load(region, REGION_ENTRY.size)));
  set(f, size, load(entry, SITE_ENTRY.size));
  code.passOnIf(i32.lt_u(i32.sub(load(region, REGION_ENTRY.size), at), size));
  contents(code, { entry, start, size, flags, item });
  code.close(() => {
    f.get(address);
    f.op(Wasm.return_);
  });
}

/** Contents and races of an access that is inside of its object. */
function contents(
  code: CheckCode,
  { entry, start, size, flags, item }: Record<'entry' | 'start' | 'size' | 'flags' | 'item', number>,
): void {
  const { f } = code;
  const { does, first, last, owner, races, needs, kind } = code.locals(
    'does',
    'first',
    'last',
    'owner',
    'races',
    'needs',
    'kind',
  );
  set(f, does, load(entry, SITE_ENTRY.does));
  code.granules(first, last, start, size);
  set(f, kind, load(entry, SITE_ENTRY.kind));
  const both = DOES.needsContents | DOES.givesContents;
  emit(f, code.isInArena(start));
  f.if_();
  set(f, owner, code.ownerOf(start, item));
  emit(f, i32.and(does, i32.const(DOES.needsContents)));
  f.if_();
  code.eachOwner(first, last, (at) => code.passOnIf(i32.ne(load(at, 0), owner)));
  f.end();
  emit(f, i32.and(does, i32.const(DOES.givesContents)));
  f.if_();
  code.eachOwner(first, last, (at) => store(f, at, 0, owner));
  f.end();
  // Private memory has no races.
  set(f, does, i32.and(does, i32.sub(i32.const(0), i32.lt_u(start, state(STATE.scratchStart)))));
  set(f, races, i32.const(STATE.races.local * 4));
  f.else_();
  set(f, races, i32.const(STATE.races.global * 4));
  set(
    f,
    needs,
    i32.and(i32.eqz(i32.and(flags, i32.const(IS.written))), isSet(i32.and(does, i32.const(both)))),
  );
  code.passOnIf(i32.and(needs, i32.eqz(i32.and(does, i32.const(DOES.races)))));
  f.end();
  emit(f, i32.and(does, i32.const(DOES.races)));
  f.if_();
  emit(f, needs);
  f.if_();
  code.eachGranule(load(races, RACE_STATE.table * 4), GRANULE_LOG2, first, last, (granule) =>
    code.passOnIf(i32.lt_s(word(granule, GRANULE.contents), load(races, RACE_STATE.launch * 4))),
  );
  f.end();
  orders(code, kind, does, races);
  emit(f, i32.eqz(i32.and(does, i32.const(DOES.isDecidedLater))));
  f.if_();
  emitRaces(code, { first, last, races, item, kind });
  f.end();
  f.end();
}

/** What ordering atomics do for the accesses of others is for TypeScript, but for the second one of a group. */
function orders(code: CheckCode, kind: number, does: number, races: number): void {
  const { f } = code;
  emit(f, i32.ge_u(kind, i32.const(KIND.atomic)));
  f.if_();
  code.passOnIf(state(STATE.fenced));
  code.passOnIf(
    i32.and(isSet(i32.and(does, i32.const(DOES.orders))), i32.eqz(load(races, RACE_STATE.hasAcquired * 4))),
  );
  f.end();
}

function exchanged(code: CheckCode): void {
  const { f } = code;
  const [address, item, isDone] = [1, 2, 3] as const;
  const { entry, start, first, last, races, kind } = code.locals(
    'entry',
    'start',
    'first',
    'last',
    'races',
    'kind',
  );
  code.open();
  code.site(entry);
  set(f, start, i32.add(address, load(entry, SITE_ENTRY.offset)));
  code.passOnIf(i32.eqz(i32.and(load(entry, SITE_ENTRY.does), i32.const(DOES.races))));
  code.passOnIf(i32.and(code.isInArena(start), i32.ge_u(start, state(STATE.scratchStart))));
  code.granules(first, last, start, load(entry, SITE_ENTRY.size));
  set(
    f,
    races,
    i32.add(
      i32.const(STATE.races.global * 4),
      i32.mul(code.isInArena(start), i32.const((STATE.races.local - STATE.races.global) * 4)),
    ),
  );
  set(f, kind, i32.sub(i32.const(KIND.atomicRead), isSet(isDone)));
  emitRaces(code, { first, last, races, item, kind });
  code.close(() => f.op(Wasm.return_));
}

function isUnwritten(code: CheckCode): void {
  const { f } = code;
  const [address, item] = [1, 2] as const;
  const { entry, start, first, last, owner, region } = code.locals(
    'entry',
    'start',
    'first',
    'last',
    'owner',
    'region',
  );
  code.open();
  code.site(entry);
  set(f, start, i32.add(address, load(entry, SITE_ENTRY.offset)));
  emit(f, code.isInArena(start));
  f.if_();
  code.granules(first, last, start, load(entry, SITE_ENTRY.size));
  set(f, owner, code.ownerOf(start, item));
  code.eachOwner(first, last, (at) => code.passOnIf(i32.ne(load(at, 0), owner)));
  f.else_();
  set(f, region, load(entry, SITE_ENTRY.region));
  code.passOnIf(i32.eqz(i32.and(load(region, REGION_ENTRY.flags), i32.const(IS.written))));
  // The bytes that faulty reads return are in no object.
  code.passOnIf(i32.ge_u(i32.sub(start, load(region, REGION_ENTRY.base)), load(region, REGION_ENTRY.size)));
  f.end();
  code.close(() => {
    f.i32(0);
    f.op(Wasm.return_);
  });
}
