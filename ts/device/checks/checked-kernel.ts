// SPDX-License-Identifier: MIT
//
// A checked kernel on one thread: its module with the functions that it calls, and the launch that runs.
import {
  CHECK_BLOCK,
  type CheckCall,
  type CheckImport,
  type CheckTable,
  nameOfCheck,
  readCheckImport,
} from '../../base/checks';
import { DISPATCH } from '../../base/kernel-abi';
import type { KernelFunction } from '../workers/kernel-function';
import { GroupStop } from './barriers';
import { CheckedLaunch } from './checked-launch';
import { fastChecks } from './fast-checks';
import { KernelShadow, shiftOf } from './kernel-shadow';
import { ShadowMemory } from './shadow-memory';
import { ShadowTables } from './shadow-tables';

export interface CheckedCode {
  readonly module: WebAssembly.Module;
  readonly memory: WebAssembly.Memory;
  readonly checks: CheckTable;
}

/** Each kernel has its own state, so races between launches are found only if they launch the same kernel. */
export function instantiateChecked(code: CheckedCode, clock: () => bigint): KernelFunction {
  const { module, memory, checks } = code;
  const shadow = new KernelShadow(
    checks,
    ShadowTables.canHold(checks) ? ShadowMemory.shared() : new ShadowMemory(),
  );
  let number = -1;
  let launch: CheckedLaunch | undefined;
  const slow = answersOf(() => launch!);
  const imports = { env: { memory, clock }, check: answersFor(importsOf(module), shadow, checks, slow) };
  const run = new WebAssembly.Instance(module, imports).exports.run as KernelFunction;

  return (dispatch, x, y, z, groupCount, local, scratch) => {
    const bytes = new Uint8Array(memory.buffer);
    const words = new Uint32Array(memory.buffer);
    const block = words[(dispatch + DISPATCH.checks) >>> 2]!;
    const current = words[(block + CHECK_BLOCK.launch) >>> 2]!;
    if (!launch || current !== number) {
      number = current;
      const end = scratch + words[(dispatch + DISPATCH.scratchBytes) >>> 2]!;
      launch = new CheckedLaunch(bytes, words, dispatch, block, { local, scratch, end }, checks, shadow);
    } else launch.resume(bytes, words);
    const groups = words.subarray((dispatch + DISPATCH.numGroups) >>> 2);
    try {
      // Group by group: a failure of one does not end the others.
      for (let done = 0; done < groupCount; done++) {
        const at = x + done;
        const row = y + Math.floor(at / groups[0]!);
        oneGroup(
          run,
          dispatch,
          [at % groups[0]!, row % groups[1]!, z + Math.floor(row / groups[1]!)],
          local,
          scratch,
        );
        launch.endGroup();
      }
    } finally {
      launch.flush();
    }
  };
}

function importsOf(module: WebAssembly.Module): CheckImport[] {
  const all = WebAssembly.Module.imports(module).filter(({ module }) => module === 'check');
  return all.map(({ name }) => readCheckImport(name));
}

/** What a kernel imports: answered in WebAssembly as far as possible. */
export function answersFor(
  imports: readonly CheckImport[],
  { memory: { memory }, tables }: KernelShadow,
  table: CheckTable,
  slow: Record<CheckCall, () => number>,
): Readonly<Record<string, () => number>> {
  const all: Record<string, () => number> = {};
  for (const each of imports) all[nameOfCheck(each)] = slow[each.call];
  if (!memory) return all;
  const module = new WebAssembly.Module(
    fastChecks(imports, tables, shiftOf(table)) as Uint8Array<ArrayBuffer>,
  );
  const { exports } = new WebAssembly.Instance(module, { env: { memory }, slow });
  return { ...all, ...(exports as Record<string, () => number>) };
}

function oneGroup(
  run: KernelFunction,
  dispatch: number,
  [x, y, z]: readonly [number, number, number],
  local: number,
  scratch: number,
): void {
  try {
    run(dispatch, x, y, z, 1, local, scratch);
  } catch (error) {
    if (!(error instanceof GroupStop)) throw error;
  }
}

/** The functions that a checked kernel calls. */
export function answersOf(launch: () => CheckedLaunch): Record<CheckCall, () => number> {
  return {
    begin: (site: number, x: number, y: number, z: number, item: number) =>
      launch().begin(site, x, y, z, item),
    access: (site: number, address: number, base: number, item: number) =>
      launch().access(site, address, base, item),
    isUnwritten: (site: number, address: number, item: number) => launch().isUnwritten(site, address, item),
    stored: (site: number, origin: number, address: number, item: number) =>
      launch().stored(site, origin, address, item),
    copied: (site: number, to: number, from: number, item: number) => launch().copied(site, to, from, item),
    report: (site: number, flag: number, item: number) => launch().report(site, item, [], flag),
    reportValues: (site: number, _flag: number, item: number, ...values: bigint[]) =>
      launch().report(site, item, values),
    exchanged: (site: number, address: number, item: number, isDone: number) =>
      launch().exchanged(site, address, item, isDone),
    fence: (site: number, item: number) => launch().fence(site, item),
    subGroup: (site: number, item: number, subGroup: number, size: number) =>
      launch().subGroup(site, item, subGroup, size),
    asyncCopy: (
      site: number,
      to: number,
      from: number,
      count: number,
      stride: number,
      event: number,
      item: number,
    ) =>
      launch().asyncCopy(
        site,
        { to: to >>> 0, from: from >>> 0, count: count >>> 0, stride: stride >>> 0, event },
        item,
      ),
    waitEvents: (site: number, count: number, list: number, item: number) =>
      launch().waitEvents(site, count, list >>> 0, item),
    step: (site: number, item: number) => launch().step(site, item),
    arrive: (site: number, item: number) => launch().arrive(site, item),
  } satisfies Record<CheckCall, unknown> as unknown as Record<CheckCall, () => number>;
}
