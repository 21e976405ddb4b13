// SPDX-License-Identifier: MIT
//
// Random calls of checks, answered with and without WebAssembly: the addresses and the reports are the same.
import {
  CHECK_BLOCK,
  CHECK_CALLS,
  type CheckCall,
  type CheckSite,
  type CheckTable,
  checkBlockLayout,
  checkImportOf,
  nameOfCheck,
  REGION,
} from '../../base/checks';
import { DISPATCH } from '../../base/kernel-abi';
import { GroupStop } from './barriers';
import { answersFor, answersOf } from './checked-kernel';
import { CheckedLaunch } from './checked-launch';
import { KernelShadow } from './kernel-shadow';
import { LOCAL_ARGUMENT } from './objects';
import { MANY_RACES } from './reports';
import { ShadowMemory } from './shadow-memory';

const ITEMS = 4;
const DISPATCH_AT = 0x11000;
const BLOCK = 0x12000;
const BITS = 0x14000;
const WRITTEN = 0x15000;
const PARTLY = 0x15100;
const ARENA = { local: 0x16000, scratch: 0x16100, end: 0x16400 };
const OBJECT_BYTES = 64;

function tableOf(granule: 1 | 4, hasAtomics = true): CheckTable {
  const sites: CheckSite[] = [{ action: 'begin' }];
  const sizes = granule === 4 ? [4, 8] : [1, 4];
  const more: Omit<CheckSite, 'action'>[] = [{}, { allGroups: true }, { allGroups: true, releases: true }];
  for (const region of [0, 1, 2, 3, -1])
    for (const size of sizes) {
      const bytes = { offset: 4, size, align: size, region };
      for (const mustBeWritten of [false, true]) sites.push({ action: 'read', ...bytes, mustBeWritten });
      sites.push({ action: 'write', ...bytes });
      if (!hasAtomics) {
        // Reads at several places.
        sites.push({ action: 'read', ...bytes, mustBeWritten: true });
        continue;
      }
      for (const each of more) sites.push({ action: 'atomic', ...bytes, ...each, mustBeWritten: true });
      sites.push({ action: 'atomic', ...bytes, changes: 'never' });
      sites.push({ action: 'atomic', ...bytes, changes: 'perhaps' });
    }
  sites.push({ action: 'barrier', orders: { local: true, global: false } });
  sites.push({ action: 'barrier', orders: { local: true, global: true } });
  sites.push({ action: 'use' });
  sites.push({ action: 'end' });
  return {
    checks: ['bounds', 'races', 'uninitialized', 'barriers'],
    granule,
    sites,
    regions: [
      { kind: 'argument', name: 'written', argument: 0 },
      { kind: 'argument', name: 'partly', argument: 1 },
      { kind: 'argument', name: 'local', argument: 2, isLocal: true },
      { kind: 'private', name: 'own', size: OBJECT_BYTES },
    ],
  };
}

type Answers = Readonly<Record<CheckCall, (...values: number[]) => number | undefined>>;

/** The functions that a kernel imports, by the names of the calls. */
class Kernel {
  launch: CheckedLaunch | undefined;
  readonly shadow: KernelShadow;
  readonly answers: Answers;

  constructor(table: CheckTable, memory: ShadowMemory) {
    this.shadow = new KernelShadow(table, memory);
    const slow = answersOf(() => this.launch!);
    const calls = Object.keys(CHECK_CALLS) as CheckCall[];
    const all = calls.flatMap((call) => table.sites.map((_, site) => checkImportOf(call, site)));
    const imports = [...new Map(all.map((each) => [nameOfCheck(each), each])).values()];
    const named = answersFor(imports, this.shadow, table, slow);
    const answer = (call: CheckCall, site: number): ((...values: number[]) => number) => {
      return named[nameOfCheck(checkImportOf(call, site))]!;
    };
    this.answers = Object.fromEntries(
      calls.map((call) => [call, (site: number, ...values: number[]) => answer(call, site)(site, ...values)]),
    ) as unknown as Answers;
  }
}

/** A launch over a memory of its own. */
class Run {
  readonly memory = new Uint8Array(0x20000);
  readonly launch: CheckedLaunch;
  private readonly words = new Uint32Array(this.memory.buffer);

  constructor(table: CheckTable, kernel: Kernel, forbidden: number) {
    const triple = (offset: number, values: readonly number[]) =>
      this.words.set(values, (DISPATCH_AT + offset) >>> 2);
    triple(DISPATCH.globalSize, [64, 1, 1]);
    triple(DISPATCH.localSize, [ITEMS, 1, 1]);
    const region = (index: number, base: number, written: number, forbids = 0) => {
      const at = (BLOCK + CHECK_BLOCK.header + index * REGION.bytes) >>> 2;
      this.words.set([base, OBJECT_BYTES, written, forbids], at);
    };
    this.words[(BLOCK + CHECK_BLOCK.regions) >>> 2] = 3;
    this.words[(BLOCK + CHECK_BLOCK.reportCapacity) >>> 2] = 0x1800;
    region(0, WRITTEN, BITS, forbidden);
    region(1, PARTLY, BITS + 8);
    region(2, 16, LOCAL_ARGUMENT);
    this.memory.fill(0xff, BITS, BITS + 9);
    this.launch = new CheckedLaunch(this.memory, this.words, DISPATCH_AT, BLOCK, ARENA, table, kernel.shadow);
    kernel.launch = this.launch;
  }

  /** Since the last call, and which bytes of the buffers have contents. */
  seen(): string {
    this.launch.flush();
    const at = (BLOCK + CHECK_BLOCK.reportBytes) >>> 2;
    const used = this.words[at]!;
    this.words[at] = 0;
    const start = BLOCK + checkBlockLayout(3).reports;
    const text = (from: number, bytes: number) =>
      Buffer.from(this.memory.subarray(from, from + bytes)).toString('latin1');
    return text(start, used) + text(BITS, 16);
  }
}

/** The result of a call, or how it has ended. */
function outcome(call: () => number | undefined): number | string | undefined {
  try {
    return call();
  } catch (error) {
    if (error instanceof GroupStop) return 'stopped';
    throw error;
  }
}

function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const BASES = [WRITTEN, PARTLY, ARENA.local + 16, ARENA.scratch, WRITTEN];

/** One call that a kernel may make, by its name and operands. */
function randomCall(table: CheckTable, next: (below: number) => number, item: number): [CheckCall, number[]] {
  const number = 1 + next(table.sites.length - 5);
  const site = table.sites[number]!;
  const region = site.region! < 0 ? next(3) : site.region!;
  const base = region === 3 ? ARENA.scratch + item * OBJECT_BYTES : BASES[region]!;
  // Mostly inside and aligned.
  const within = next(16) * 4 - 4 + (next(24) === 0 ? next(4) : 0) + (next(24) === 0 ? 64 : 0);
  const address = base + within;
  const which = next(20);
  if (site.changes === 'perhaps' && which < 10) return ['exchanged', [number, address, item, next(2)]];
  const isInside = within >= -4 && within < OBJECT_BYTES - 12;
  if (site.action === 'read' && which < 4 && isInside) return ['isUnwritten', [number, address, item]];
  if (site.action === 'write' && which === 0 && isInside) return ['stored', [number, 1, address, item]];
  if (which === 1 && next(4) === 0) return ['fence', [table.sites.length - 2, item]];
  return ['access', [number, address, base, item]];
}

for (const [granule, hasAtomics] of [
  [1, true],
  [4, true],
  [1, false],
  [4, false],
] as const)
  test(`granules of ${granule} bytes, atomics: ${hasAtomics}`, () => {
    const table = tableOf(granule, hasAtomics);
    const [barrier, end] = [table.sites.length - 4, table.sites.length - 1];
    const kernels = [new Kernel(table, ShadowMemory.shared()), new Kernel(table, new ShadowMemory())];
    let [answered, faults] = [0, 0];
    for (let seed = 1; seed <= 12; seed++) {
      const next = random(seed);
      const forbidden = next(3);
      const runs = kernels.map((kernel) => new Run(table, kernel, forbidden));
      const both = (call: CheckCall, values: readonly number[]) => {
        const [fast, slow] = kernels.map(({ answers }) => outcome(() => answers[call](...values)));
        if (next(4) !== 0) expect(fast).toBe(slow);
        else {
          const [fastly, slowly] = runs.map((run) => run.seen());
          expect({ seed, call, values, fast, seen: fastly }).toEqual({
            seed,
            call,
            values,
            fast: slow,
            seen: slowly,
          });
          faults += slowly!.includes('kind') ? 1 : 0;
        }
        answered++;
        return slow;
      };
      for (let group = 0; group < 3; group++)
        interval: for (let time = 0; time < 3; time++) {
          for (let item = 0; item < ITEMS; item++) {
            both('begin', [0, group, 0, 0, item]);
            for (let calls = next(24); calls > 0; calls--) {
              const [call, values] = randomCall(table, next, item);
              both(call, values);
              const value = next(2);
              // What the access writes: writes of equal values are not a race.
              if (call === 'access') for (const { memory } of runs) memory[values[1]! + 4] = value;
            }
          }
          const site = time === 2 ? end : barrier + next(2);
          for (let item = 0; item < ITEMS; item++)
            if (both('arrive', [next(40) === 0 ? barrier : site, item]) === 'stopped') break interval;
        }
    }
    expect(faults).toBeGreaterThan(200);
    expect(answered).toBeGreaterThan(1000);
  });

test('correct accesses are answered without TypeScript', () => {
  const table = tableOf(4);
  const kernel = new Kernel(table, ShadowMemory.shared());
  const { launch } = new Run(table, kernel, 0);
  const { answers } = kernel;
  const read = table.sites.findIndex(({ action, region }) => action === 'read' && region === 0);
  answers.begin(0, 0, 0, 0, 0);
  answers.access(read, WRITTEN, 0, 0);
  const slow = jest.spyOn(launch, 'access');
  for (let item = 0; item < ITEMS; item++) expect(answers.access(read, WRITTEN, 0, item)).toBe(WRITTEN);
  expect(slow).not.toHaveBeenCalled();
  answers.access(read, WRITTEN + OBJECT_BYTES, 0, 0);
  expect(slow).toHaveBeenCalledTimes(1);
});

test('more than many races of two sites are not looked for; others are', () => {
  const table = tableOf(4);
  const siteOf = (action: CheckSite['action'], region: number) =>
    table.sites.findIndex((site) => site.action === action && site.region === region);
  const [read, write] = [siteOf('read', 0), siteOf('write', 0)];
  // Another site of the same kind.
  const other = table.sites.findIndex((site, i) => i > read && site.action === 'read' && site.region === 0);
  const seen = [ShadowMemory.shared(), new ShadowMemory()].map((memory) => {
    const kernel = new Kernel(table, memory);
    const { answers } = kernel;
    const reports = [0, 1].map(() => {
      const run = new Run(table, kernel, 0);
      answers.begin(0, 0, 0, 0, 0);
      answers.access(write, WRITTEN, 0, 0);
      for (let i = 0; i < 3 * MANY_RACES; i++) answers.access(read, WRITTEN, 0, 1);
      const slow = jest.spyOn(run.launch, 'access');
      answers.access(read, WRITTEN, 0, 2);
      expect(slow).toHaveBeenCalledTimes(memory.memory ? 0 : 1);
      answers.access(other, WRITTEN, 0, 1);
      // The second write has reads of both sites before it.
      for (let i = 0; i < 2 * MANY_RACES; i++) {
        const value = i & 1;
        answers.access(write, WRITTEN, 0, 3);
        run.memory[WRITTEN + 4] = value;
      }
      return run.seen();
    });
    expect(reports[0]).toBe(reports[1]);
    return reports[0]!;
  });
  expect(seen[0]).toBe(seen[1]);
  const found = [...seen[0]!.matchAll(/\{.*?\}(?=[^,}]|$)/g)].map(([text]) => text);
  const raceOf = (site: number, by: number) =>
    found.find((text) => text.includes(`"site":${site},"item"`) && text.includes(`"other":{"site":${by},`));
  expect(raceOf(read, write)).toMatch(`"count":${MANY_RACES},"hasMore":true`);
  expect(raceOf(other, write)).toMatch('"count":1}');
});
