// SPDX-License-Identifier: MIT
//
// Random kernels that print, and the same in C. Work-items print in any order, so each record says whose it is:
// `@SEED.LAUNCH.ITEM;…~`. A work-item's records are in the order of its statements.
import { Chance } from '../chance';
import { type Argument, C_PRELUDE, randomArgument, randomWords } from './arguments';

export interface PrintfProgram {
  readonly seed: number;
  /** `kernel void show(global const ulong *v, int launch)` */
  readonly source: string;
  /** `static void show_SEED(int launch, int gid)`, with the words that it reads. */
  readonly c: string;
  readonly words: BigUint64Array;
  readonly global: number;
  readonly local: number;
  readonly launches: number;
  /** More than the device's buffer holds: the first records of each work-item are printed. */
  readonly overflows: boolean;
}

/** One statement in both languages. */
interface Statement {
  readonly cl: string;
  readonly c: string;
}

const PIECES = [
  '',
  '',
  ' ',
  'x=',
  '%%',
  '|',
  ', ',
  '\\n',
  '\\t',
  '%%%%',
  'é',
  '\\"',
  '\\\\',
  "'",
  '" "',
  '\\001',
];
/** Every so many programs print more than the buffer holds. */
const EACH_OVERFLOW = 16;

export function randomPrintf(seed: number): PrintfProgram {
  const chance = new Chance(seed);
  const words = randomWords(chance);
  const overflows = seed % EACH_OVERFLOW === EACH_OVERFLOW - 1;
  // What one work-item prints needs no marks in between.
  const isAlone = !overflows && chance.with(0.2);
  const local = isAlone ? 1 : chance.pick([1, 2, 4, 5, 8, 16]);
  const global = isAlone ? 1 : overflows ? local * Math.ceil(600 / local) : local * chance.integer(1, 6);
  const writer = new StatementWriter(chance, seed, isAlone);
  const body = overflows ? [flood(writer)] : writer.statements(chance.integer(2, 6), 0);
  const all = isAlone ? [writer.plain('@%d.%d.%d;'), ...body, plainEnd] : body;
  const inOwnFunction = !overflows && chance.with(0.3);
  const cl = all.map((each) => each.cl).join('');
  const head = `#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define V(i) v[((i) + gid * 5) & 63]
enum { TWO = 2 };
constant char NAME[] = "a name";
`;
  const kernel = inOwnFunction
    ? `void all(global const ulong *v, int launch, int gid) {\n${cl}}
kernel void show(global const ulong *v, int launch) { all(v, launch, get_global_id(0)); }\n`
    : `kernel void show(global const ulong *v, int launch) {\n  int gid = get_global_id(0);\n${cl}}\n`;
  return {
    seed,
    source: head + kernel,
    c: `static const ulong_ words_${seed}[] = { ${[...words].map((word) => `${word}u`).join(', ')} };
static void show_${seed}(int launch, int gid) {
  const ulong_ *v = words_${seed};
${all.map((each) => each.c).join('')}}\n`,
    words,
    global,
    local,
    launches: overflows ? 1 : chance.integer(1, 3),
    overflows,
  };
}

/** A program in C that prints what the kernels shall print. */
export function inC(programs: readonly PrintfProgram[]): string {
  const calls = programs.map(
    ({ seed, launches, global }) =>
      `  for (int launch = 0; launch < ${launches}; launch++)
    for (int gid = 0; gid < ${global}; gid++) show_${seed}(launch, gid);\n`,
  );
  return `${C_PRELUDE}static const char NAME[] = "a name";
#define V(i) v[((i) + gid * 5) & 63]
${programs.map(({ c }) => c).join('')}int main(void) {\n${calls.join('')}}\n`;
}

const plainEnd: Statement = { cl: '  printf("~");\n', c: '  printf("~");\n' };

/** Many records, of which one has vectors. */
function flood(writer: StatementWriter): Statement {
  const inner = [writer.printf(2), writer.printf(1)];
  // Of the shortest records, 240,000 are more than the buffer holds.
  const head = '  for (int j = 0; j < 200; j++) {\n';
  return {
    cl: `${head}${inner.map(({ cl }) => cl).join('')}  }\n`,
    c: `${head}${inner.map(({ c }) => c).join('')}  }\n`,
  };
}

class StatementWriter {
  private loops = 0;

  constructor(
    private readonly chance: Chance,
    private readonly seed: number,
    private readonly isAlone: boolean,
  ) {}

  statements(count: number, depth: number): Statement[] {
    return Array.from({ length: count }, () => this.statement(depth));
  }

  private statement(depth: number): Statement {
    const { chance } = this;
    if (depth === 2 || chance.with(0.6)) return this.printf();
    if (chance.with(0.15)) return { cl: depth === 0 ? '  barrier(CLK_LOCAL_MEM_FENCE);\n' : '', c: '' };
    const body = this.statements(chance.integer(1, 2), depth + 1);
    const word = `V(${chance.integer(0, 63)})`;
    const loop = `j${this.loops++}`;
    const head = chance.pick([
      `if (${word} & 1)`,
      `if (gid % 3 == ${chance.integer(0, 2)})`,
      `if (launch == ${chance.integer(0, 1)})`,
      `for (int ${loop} = 0; ${loop} < (int)(${word} & 3); ${loop}++)`,
      `for (int ${loop} = 0; ${loop} < 3; ${loop}++)`,
    ]);
    return {
      cl: `  ${head} {\n${body.map(({ cl }) => cl).join('')}  }\n`,
      c: `  ${head} {\n${body.map(({ c }) => c).join('')}  }\n`,
    };
  }

  /** `limit`: the most arguments, which are then not long. */
  printf(limit?: number): Statement {
    const { chance } = this;
    const pieces: string[] = [chance.pick(PIECES)];
    const cPieces = [...pieces];
    const args: Argument[] = [];
    const most = Math.min(limit ?? 20, chance.with(0.9) ? chance.integer(0, 4) : chance.integer(5, 20));
    while (args.length < most) {
      const argument = randomArgument(chance);
      if (limit !== undefined && /\d{3}|v16/.test(argument.format)) continue;
      const piece = chance.pick(PIECES);
      args.push(argument);
      pieces.push(argument.format, piece);
      cPieces.push(argument.cFormat, piece);
    }
    const values = args.flatMap((each) => each.values);
    const cValues = args.flatMap((each) => each.cValues);
    if (this.isAlone) return { cl: callOf(pieces.join(''), values), c: callOf(cPieces.join(''), cValues) };
    return { cl: this.marked(pieces.join(''), values), c: this.marked(cPieces.join(''), cValues) };
  }

  plain(format: string): Statement {
    const call = callOf(format, [`${this.seed}`, 'launch', 'gid']);
    return { cl: call, c: call };
  }

  private marked(format: string, values: readonly string[]): string {
    return callOf(`@%d.%d.%d;${format}~`, [`${this.seed}`, 'launch', 'gid', ...values]);
  }
}

const callOf = (format: string, values: readonly string[]) =>
  `  printf("${format}"${values.map((value) => `, ${value}`).join('')});\n`;
