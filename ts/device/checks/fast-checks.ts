// SPDX-License-Identifier: MIT
//
// Checks in WebAssembly: accesses that are not a fault, and need nothing but their shadow words. All others are passed on to the checks in
// TypeScript, which decide again from the start, so both may have done a part of one access: what they record is the same. Each
// shape of site has functions of its own, which have its numbers as constants.
import {
  CHECK_CALLS,
  type CheckCall,
  type CheckImport,
  isOfSite,
  nameOfCheck,
  type SiteCall,
} from '../../base/checks';
import { i32, set } from '../../wasm/expressions';
import { FunctionBuilder, ValType } from '../../wasm/function-builder';
import { ModuleBuilder } from '../../wasm/module-builder';
import { Wasm } from '../../wasm/opcodes';
import { CheckCode, load, state, store } from './fast-code';
import { emitContents, emitHasContents, emitRaces } from './fast-races';
import { KIND, RACE_STATE, REGION_ENTRY, STATE } from './shadow-layout';
import type { ShadowTables, SiteShape } from './shadow-tables';

type Writer = (code: CheckCode, shape: SiteShape) => void;

/** The calls that have a part in WebAssembly: those of a site, and the others. */
const OF_SITES: Readonly<Record<SiteCall, Writer>> = { access, isUnwritten, exchanged };
const OF_ALL = { begin, arrive } as const satisfies Partial<Record<CheckCall, (code: CheckCode) => void>>;

/** A module that exports the imports of a kernel that it can answer, and imports the calls that it passes on from `slow`. */
export function fastChecks(imports: readonly CheckImport[], tables: ShadowTables, shift: number): Uint8Array {
  const module = new ModuleBuilder();
  const signatures = new Map<string, { params: ValType[]; results: ValType[]; slow: number }>();
  for (const name of [...Object.keys(OF_SITES), ...Object.keys(OF_ALL)] as CheckCall[]) {
    const { parameters, result } = CHECK_CALLS[name];
    const params = [ValType.I32, ...parameters.map(() => ValType.I32)];
    const results = result ? [ValType.I32] : [];
    const slow = module.importFunction('slow', name, params, results);
    signatures.set(name, { params, results, slow });
  }
  const made = new Map<string, number>();
  for (const each of imports) {
    const { call, site } = each;
    const shape = site === undefined ? undefined : tables.shapeOf(site);
    const signature = signatures.get(call);
    if (!signature || (site !== undefined && !shape)) continue;
    const key = `${call} ${shape ? JSON.stringify(shape) : ''}`;
    let index = made.get(key);
    if (index === undefined) {
      const { params, results, slow } = signature;
      index = module.declare(params, results);
      const f = new FunctionBuilder(params, results);
      const code = new CheckCode(f, shift, slow);
      if (shape && isOfSite(call)) OF_SITES[call](code, shape);
      else OF_ALL[call as keyof typeof OF_ALL](code);
      module.define(index, f);
      made.set(key, index);
    }
    module.export(nameOfCheck(each), index);
  }
  return module.encode();
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
  const { left } = code.locals('left');
  code.open();
  code.passOnIf(i32.ne(state(STATE.barrier), 0));
  set(f, left, i32.sub(state(STATE.absent), i32.const(1)));
  code.passOnIf(i32.eqz(left));
  store(f, i32.const(0), STATE.absent * 4, left);
  code.close(() => f.op(Wasm.return_));
}

function access(code: CheckCode, shape: SiteShape): void {
  const { f } = code;
  const [address, base, item] = [1, 2, 3] as const;
  const { start } = code.locals('start');
  code.open();
  code.startOf(start, address, shape);
  bounds(code, shape, start, base);
  code.bySpace(shape.space, start, (space) => {
    if (space === 'private' || !shape.races) emitContents(code, shape, space, start, item);
    else {
      orders(code, shape, space);
      emitRaces(code, shape, space, start, item, shape.isDecidedLater ? undefined : shape.kind);
    }
  });
  code.close(() => {
    f.get(address);
    f.op(Wasm.return_);
  });
}

function bounds(
  code: CheckCode,
  { space, region, needs, size, bytes }: SiteShape,
  start: number,
  base: number,
) {
  const { f } = code;
  const { at, end } = code.locals('at', 'end');
  if (space === 'private') {
    set(f, at, i32.sub(start, base));
    code.passOnIf(bytes < size ? i32.const(1) : i32.gt_u(at, i32.const(bytes - size)));
    return;
  }
  const entry = i32.const(region);
  code.passOnIf(i32.eqz(i32.and(load(entry, REGION_ENTRY.flags), i32.const(needs))));
  set(f, at, i32.sub(start, load(entry, REGION_ENTRY.base)));
  set(f, end, load(entry, REGION_ENTRY.size));
  code.passOnIf(i32.gt_u(at, end));
  code.passOnIf(i32.lt_u(i32.sub(end, at), i32.const(size)));
}

/** What ordering atomics do for the accesses of others is for TypeScript, but for the second one of a group. */
function orders(code: CheckCode, { kind, orders: isOrdering }: SiteShape, space: 'local' | 'global'): void {
  if (kind !== KIND.atomic && kind !== KIND.atomicRead) return;
  code.passOnIf(state(STATE.fenced));
  if (isOrdering) code.passOnIf(i32.eqz(state(STATE.races[space] + RACE_STATE.hasAcquired)));
}

function exchanged(code: CheckCode, shape: SiteShape): void {
  const { f } = code;
  const [address, item, isDone] = [1, 2, 3] as const;
  const { start } = code.locals('start');
  code.open();
  if (!shape.races) code.passOnIf(i32.const(1));
  code.startOf(start, address, shape);
  const only = { ...shape, needsContents: false, givesContents: false };
  code.bySpace(shape.space, start, (space) => {
    if (space === 'private') {
      code.passOnIf(i32.const(1));
      return;
    }
    f.get(isDone);
    f.if_();
    emitRaces(code, only, space, start, item, KIND.atomic);
    f.else_();
    emitRaces(code, only, space, start, item, KIND.atomicRead);
    f.end();
  });
  code.close(() => f.op(Wasm.return_));
}

function isUnwritten(code: CheckCode, shape: SiteShape): void {
  const { f } = code;
  const [address, item] = [1, 2] as const;
  const { start } = code.locals('start');
  code.open();
  code.startOf(start, address, shape);
  const reads = { ...shape, needsContents: true, givesContents: false };
  code.bySpace(shape.space, start, (space) => {
    if (space === 'global') {
      // The bytes that faulty reads return are in no object.
      const entry = i32.const(shape.region);
      const at = i32.sub(start, load(entry, REGION_ENTRY.base));
      code.passOnIf(i32.ge_u(at, load(entry, REGION_ENTRY.size)));
    }
    if (space !== 'global' || !shape.races) emitContents(code, reads, space, start, item);
    else emitHasContents(code, reads, start);
  });
  code.close(() => {
    f.i32(0);
    f.op(Wasm.return_);
  });
}
