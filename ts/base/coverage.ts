// SPDX-License-Identifier: MIT
//
// The contract of runs that count: the JIT numbers the program's basic blocks and adds to a counter of 64 bits wherever a work-item
// enters one (jit/frontend/counters.ts), the backend allocates the counters and reads them (docs/adr/0041-counted-runs.md).
import type { SourcePlace } from './checks';
import type { MemoryTraffic } from './memory-traffic';

/** What a context counts: what kernels execute, or also what their accesses cost a memory system. */
export type CoverageKind = 'lines' | 'memory';
/** The values of the context property that asks for it, by their numbers. */
export const COVERAGE_KINDS: readonly (CoverageKind | undefined)[] = [undefined, 'lines', 'memory'];
export const COVERAGE_PROPERTY = 0x414e5947;
export const COUNTER_BYTES = 8;

/** The kinds of instructions that are counted. */
export const INSTRUCTION_KINDS = [
  'integer',
  'float',
  'comparison',
  'conversion',
  'memory',
  'atomic',
  'image',
  'control',
  'call',
  'group',
  'other',
] as const;
/** A kind of instruction. */
export type InstructionKind = (typeof INSTRUCTION_KINDS)[number];

export type CountedSpace = 'private' | 'local' | 'global' | 'constant' | 'generic';

/** Loads, stores or atomics of one address space. */
export interface AccessCount {
  /** The address space of the pointer's type. */
  readonly space: CountedSpace;
  /** What the accesses do. */
  readonly access: 'load' | 'store' | 'atomic';
  /** Executed accesses; an access of a vector counts as one. */
  readonly count: number;
  /** All bytes that they accessed. */
  readonly bytes: number;
}

/** The instructions of a block from one source line; without a place, those that have no line. */
export interface CountedLine {
  readonly place: SourcePlace | undefined;
  readonly instructions: number;
}

/** A basic block of the program. */
export interface CountedBlock {
  readonly counter: number;
  readonly lines: readonly CountedLine[];
  readonly kinds: Readonly<Partial<Record<InstructionKind, number>>>;
  readonly accesses: readonly AccessCount[];
  /** Its conditional branch: the counter of each way, undefined for the one way whose count is what the others leave. */
  readonly branch?: {
    readonly place: SourcePlace | undefined;
    readonly ways: readonly (number | undefined)[];
  };
}

export interface CountedFunction {
  readonly name: string;
  readonly place: SourcePlace | undefined;
  /** The first one is the entry. */
  readonly blocks: readonly CountedBlock[];
}

/** What the counters of a program mean. */
export interface CounterTable {
  readonly counters: number;
  readonly functions: readonly CountedFunction[];
}

/** How often work-items have executed a line. */
export interface LineCoverage {
  /** As in `SourcePlace`. */
  readonly file: string;
  /** The line, from 1. */
  readonly line: number;
  /** Executions: of the block of the line that was entered most often. */
  readonly count: number;
  /** Instructions of SPIR-V that were executed for this line. */
  readonly instructions: number;
}

/** A conditional branch, and how often each of its ways was taken: of `if`, true comes first; of `switch`, the default. */
export interface BranchCoverage {
  /** Undefined in a module without lines. */
  readonly place: SourcePlace | undefined;
  /** How often each way was taken. */
  readonly taken: readonly number[];
}

/** How often work-items have called a function, or begun a kernel. */
export interface FunctionCoverage {
  /** The name in the source, or in the module. */
  readonly name: string;
  /** Undefined in a module without lines. */
  readonly place: SourcePlace | undefined;
  /** Calls; of a kernel, the work-items that began it. */
  readonly count: number;
  /** Executions of its basic blocks, in the module's order. */
  readonly blocks: readonly number[];
}

/** What the work-items of a launch have executed, of all functions of the program. */
export interface Coverage {
  /** Each line that has instructions; none in a module without lines. */
  readonly lines: readonly LineCoverage[];
  /** Each conditional branch of the module. */
  readonly branches: readonly BranchCoverage[];
  /** Each function of the module, also those that were not called. */
  readonly functions: readonly FunctionCoverage[];
  /** Executed instructions of SPIR-V, without those of the built-in library. An operation on a vector is one. */
  readonly instructions: Readonly<Record<InstructionKind, number>>;
  /** Executed accesses to memory, by address space. */
  readonly accesses: readonly AccessCount[];
  /** With `coverage: 'memory'`: what the accesses of each instruction cost. */
  readonly memory?: readonly MemoryTraffic[];
}

/** What the values of the counters say. */
export function coverageOf({ functions }: CounterTable, counts: readonly number[]): Coverage {
  const lines = new Map<string, LineCoverage>();
  const branches: BranchCoverage[] = [];
  const accesses = new Map<string, AccessCount>();
  const instructions = noInstructions();
  for (const { blocks } of functions)
    for (const block of blocks) {
      const count = counts[block.counter]!;
      for (const { place, instructions: own } of block.lines)
        if (place)
          addLine(lines, { file: place.file, line: place.line, count, instructions: own * count }, Math.max);
      for (const kind of INSTRUCTION_KINDS) instructions[kind] += (block.kinds[kind] ?? 0) * count;
      for (const each of block.accesses)
        addAccess(accesses, { ...each, count: each.count * count, bytes: each.bytes * count });
      if (block.branch) {
        const { place, ways } = block.branch;
        const known = ways.reduce<number>((sum, way) => sum + (way === undefined ? 0 : counts[way]!), 0);
        branches.push({
          place,
          taken: ways.map((way) => (way === undefined ? count - known : counts[way]!)),
        });
      }
    }
  return {
    lines: sorted(lines),
    branches,
    functions: functions.map(({ name, place, blocks }) => {
      const executed = blocks.map(({ counter }) => counts[counter]!);
      return { name, place, count: executed[0] ?? 0, blocks: executed };
    }),
    instructions,
    accesses: [...accesses.values()].filter(({ count }) => count > 0),
  };
}

/** The sum over launches of the same program. */
export function addCoverage(a: Coverage, b: Coverage): Coverage {
  const lines = new Map<string, LineCoverage>();
  for (const each of [...a.lines, ...b.lines]) addLine(lines, each, (x, y) => x + y);
  const accesses = new Map<string, AccessCount>();
  for (const each of [...a.accesses, ...b.accesses]) addAccess(accesses, each);
  const instructions = noInstructions();
  for (const kind of INSTRUCTION_KINDS) instructions[kind] = a.instructions[kind] + b.instructions[kind];
  return {
    lines: sorted(lines),
    branches: a.branches.map((branch, i) => ({ ...branch, taken: sum(branch.taken, b.branches[i]!.taken) })),
    functions: a.functions.map((each, i) => {
      const other = b.functions[i]!;
      return { ...each, count: each.count + other.count, blocks: sum(each.blocks, other.blocks) };
    }),
    instructions,
    accesses: [...accesses.values()],
    ...(a.memory && b.memory ? { memory: a.memory.concat(b.memory) } : {}),
  };
}

const sum = (a: readonly number[], b: readonly number[]) => a.map((value, i) => value + b[i]!);

const noInstructions = () =>
  Object.fromEntries(INSTRUCTION_KINDS.map((kind) => [kind, 0])) as Record<InstructionKind, number>;

function addLine(
  lines: Map<string, LineCoverage>,
  { file, line, count, instructions }: LineCoverage,
  join: (a: number, b: number) => number,
): void {
  const key = `${line} ${file}`;
  const known = lines.get(key);
  lines.set(
    key,
    known
      ? { file, line, count: join(known.count, count), instructions: known.instructions + instructions }
      : { file, line, count, instructions },
  );
}

function addAccess(accesses: Map<string, AccessCount>, each: AccessCount): void {
  const key = `${each.space} ${each.access}`;
  const known = accesses.get(key);
  accesses.set(
    key,
    known ? { ...each, count: known.count + each.count, bytes: known.bytes + each.bytes } : each,
  );
}

function sorted(lines: ReadonlyMap<string, LineCoverage>): LineCoverage[] {
  return [...lines.values()].sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1));
}
