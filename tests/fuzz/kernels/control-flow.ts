// SPDX-License-Identifier: MIT
//
// Random kernels of control flow alone: loops, branches, and jumps back and forth, nested, with barriers wherever all work-items of
// a group arrive. Other random kernels have such shapes too, but seldom several of them together.
import { Draft } from './draft';
import type { RandomKernel } from './model';

/** Where a statement stands. */
interface Place {
  readonly indent: string;
  readonly depth: number;
  /** All work-items of the group come here, or none. */
  readonly uniform: boolean;
  /** Whether all work-items leave the enclosing loop together; undefined outside of loops. */
  readonly loop: 'uniform' | 'divergent' | undefined;
}

/** The same in all work-items of a group. `fuel` is decremented where all of them come, so that every loop ends. */
const UNIFORM = [
  'k < 0', 'n == 7', 'n == 5', '(in[fuel & 63] & 1)', '(in[(fuel + 5) & 63] & 3) == 1', 'get_num_groups(1) == 7',
  'get_num_groups(1)', '(fuel & 1)', 'fuel % 3 == 0',
]; // biome-ignore format: a table
const DIVERGENT = ['(x & 1)', '(in[(x + s) & 63] & 1)', 'lid == 1', '(s & 2)', 'x > 2'];
const UNIFORM_COUNTS = ['in[1] & 3', 'n', '(fuel & 3)'];
const DEEPEST = 4;
const RESULT = 'out[x] = s + ((ulong)(uint)fuel << 32) + ((ulong)(uint)tries << 48);';

type Statement = (w: Shapes, place: Place) => string;

/** The kinds of statements, each as often as it is probable. */
const STATEMENTS: readonly Statement[] = [
  sum, work, work, branch, branchWithoutElse, divergentBranch, loop, divergentLoop, jumpBack, jumpBack, leaveLoop, jumpAhead,
  leaveKernel,
]; // biome-ignore format: a table

class Shapes extends Draft {
  /** Whether work-items may return one by one once `over` is set: no barrier is reached then. */
  readonly returns: boolean;

  constructor(seed: number) {
    super(seed);
    this.returns = this.chance.with(0.3);
  }
}

export function randomControlFlow(seed: number): RandomKernel {
  const w = new Shapes(seed);
  let body = '';
  while (w.budget > 0) body += statement(w, { indent: '  ', depth: 0, uniform: true, loop: undefined });
  const source = `kernel void fuzz(global const uint *in, global const float *fin, global ulong *out, global uint *slots,
                 global uchar *bytes, global ushort *shorts, global float *floats, global uint *counters,
                 global uint *same, global uint *again, local uint *loc, uint n, int k) {
  const uint x = get_global_id(1) * get_global_size(0) + get_global_id(0);
  const uint LS = get_local_size(0) * get_local_size(1);
  const uint lid = get_local_id(1) * get_local_size(0) + get_local_id(0);
  uint s = in[x & 63];
  int fuel = 20, tries = 0, over = 0;
  // statements
${body}  ${RESULT}
}
`;
  return { source, global: [6, 6, 1], local: [3, 3, 1] };
}

function statement(w: Shapes, place: Place): string {
  if (w.budget-- <= 0 || place.depth > DEEPEST) return w.chance.with(0.5) ? work(w, place) : sum(w, place);
  return w.chance.pick(STATEMENTS)(w, place);
}

/** One to three statements in a block of its own. */
function inner(w: Shapes, { indent, depth, ...place }: Place, changed: Partial<Place> = {}): string {
  const inside = { ...place, indent: `${indent}  `, depth: depth + 1, ...changed };
  return Array.from({ length: w.chance.integer(1, 3) }, () => statement(w, inside)).join('');
}

const condition = ({ chance }: Shapes, { uniform }: Place): string =>
  chance.pick(uniform ? UNIFORM : DIVERGENT);

function sum({ chance }: Shapes, { indent }: Place): string {
  return `${indent}${chance.pick(['s = s * 3 + 1;', `s += in[(s + ${chance.integer(0, 8)}) & 63];`, 's ^= x;'])}\n`;
}

/** An exchange between work-items where all of them come. */
function work(w: Shapes, place: Place): string {
  const barrier = 'barrier(CLK_LOCAL_MEM_FENCE);';
  if (!place.uniform) return sum(w, place);
  const exchange = `${barrier} loc[lid] = s; ${barrier} s += loc[(lid + 1) % LS];`;
  return `${place.indent}${w.returns ? `if (!over) { ${exchange} }` : exchange}\n`;
}

function branch(w: Shapes, place: Place): string {
  const { indent } = place;
  return `${indent}if (${condition(w, place)}) {\n${inner(w, place)}${indent}} else {\n${inner(w, place)}${indent}}\n`;
}

function branchWithoutElse(w: Shapes, place: Place): string {
  return `${place.indent}if (${w.chance.pick(UNIFORM)}) {\n${inner(w, place)}${place.indent}}\n`;
}

function divergentBranch(w: Shapes, place: Place): string {
  // No work-item may leave a loop alone that the others leave together.
  const loop = place.loop === 'uniform' ? undefined : place.loop;
  const body = inner(w, place, { uniform: false, loop });
  return `${place.indent}if (${w.chance.pick(DIVERGENT)}) {\n${body}${place.indent}}\n`;
}

function loop(w: Shapes, place: Place): string {
  const i = w.fresh('i');
  const most = place.uniform ? `(int)(${w.chance.pick(UNIFORM_COUNTS)}) && fuel-- > 0` : '(int)(x & 3)';
  const body = inner(w, place, { loop: place.uniform ? 'uniform' : 'divergent' });
  return `${place.indent}for (int ${i} = 0; ${i} < ${most}; ${i}++) {\n${body}${place.indent}}\n`;
}

function divergentLoop(w: Shapes, place: Place): string {
  const i = w.fresh('i');
  const body = inner(w, place, { uniform: false, loop: 'divergent' });
  return `${place.indent}for (int ${i} = 0; ${i} < (int)(x & 3); ${i} += 2) {\n${body}${place.indent}}\n`;
}

function jumpBack(w: Shapes, place: Place): string {
  const label = w.fresh('l');
  const again = `${place.uniform ? 'fuel-- > 0' : 'tries++ < 5'} && ${condition(w, place)}`;
  return `${place.indent}${label}: ;\n${inner(w, place)}${place.indent}if (${again}) goto ${label};\n`;
}

function jumpAhead(w: Shapes, place: Place): string {
  const label = w.fresh('l');
  return `${place.indent}if (${condition(w, place)}) goto ${label};\n${inner(w, place)}${place.indent}${label}: ;\n`;
}

function leaveLoop(w: Shapes, place: Place): string {
  const { indent, uniform, loop } = place;
  if (loop === undefined || (loop === 'uniform' && !uniform)) return sum(w, place);
  const when = w.chance.pick(loop === 'uniform' ? UNIFORM : DIVERGENT);
  return `${indent}if (${when}) ${w.chance.pick(['continue', 'break'])};\n`;
}

function leaveKernel(w: Shapes, place: Place): string {
  const { indent, uniform } = place;
  const leave = `{ ${RESULT} return; }`;
  if (!w.returns)
    return uniform ? `${indent}if (${w.chance.pick(UNIFORM)} && fuel < 12) ${leave}\n` : sum(w, place);
  if (uniform && w.chance.with(0.5)) return `${indent}if (${w.chance.pick(UNIFORM)}) over = 1;\n`;
  return `${indent}if (over && ${w.chance.pick(DIVERGENT)}) ${leave}\n`;
}
