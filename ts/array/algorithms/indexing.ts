// SPDX-License-Identifier: MIT
//
// Elements by their indices: gather, scatter, histogram.
import { DTYPES, type DType, isFloat, limitsOf } from '../dtype';
import { dense, launchEach } from '../elementwise/elementwise';
import { fail } from '../errors';
import { Inputs, type Scope, scoped } from '../fusion';
import { Node } from '../node';
import { checkOptions } from '../options';
import { chunksOf } from '../profile';
import { shapeText, sizeOf } from '../shape';
import type { Space, Storage } from '../space';
import type { Task } from '../task';
import { allAxes, KernelWriter } from '../writer';

const taskNode = (space: Space, dtype: DType, shape: readonly number[], run: () => Task<Storage>): Node =>
  new Node(space, dtype, shape, { kind: 'task', run });

function checkIndices(indices: Node, functionName: string): void {
  if (isFloat(indices.dtype)) fail(functionName, `indices must be integers, not ${indices.dtype}`);
}

/** The elements of `node`, row after row, at each of the indices. */
export function gathered(node: Node, indices: Node): Node {
  checkIndices(indices, 'gather');
  if (sizeOf(node.shape) === 0 && sizeOf(indices.shape) > 0) fail('gather', 'the array has no elements');
  const { space } = node;
  return taskNode(space, node.dtype, indices.shape, () =>
    scoped(space, function* (scope) {
      const from = yield* dense(node, scope);
      const inputs = yield* Inputs.gather([indices], scope);
      const out = space.allocate(node.dtype, sizeOf(indices.shape));
      if (sizeOf(indices.shape) === 0) return out;
      try {
        yield* launchEach(space, indices.shape, inputs, [out], {
          name: 'gather',
          title: 'the elements at the indices; those out of range are the nearest ones',
          outputs: [{ name: 'out', dtype: node.dtype }],
          write: (writer, reader, index) => {
            const n = writer.int(sizeOf(node.shape), 'n');
            const value = reader.value(indices);
            if (DTYPES[indices.dtype].kind === 'signed') {
              writer.line(`long place = ${value};`);
              writer.line(`if (place < 0) place += ${n};`);
              writer.line(`place = clamp(place, 0L, (long)${n} - 1);`);
            } else writer.line(`const ulong place = min((ulong)${value}, (ulong)${n} - 1);`);
            writer.store(
              'out',
              index,
              writer.load(writer.input(from), '(size_t)place', node.dtype),
              node.dtype,
            );
          },
        });
        return out;
      } catch (error) {
        out.release();
        throw error;
      }
    }),
  );
}

/** What is done with several values for one index: the last one stays, or they are added up. */
export type ScatterMode = 'set' | 'add';

/** A copy of `node` with elements at the indices replaced, or added to. */
export function scattered(node: Node, indices: Node, values: Node, mode: ScatterMode): Node {
  checkIndices(indices, 'scatter');
  if (values.dtype !== node.dtype)
    fail(
      'scatter',
      `values of ${values.dtype} for an array of ${node.dtype}: convert them with .as('${node.dtype}')`,
    );
  if (values.shape.length > 0 && shapeText(values.shape) !== shapeText(indices.shape))
    fail(
      'scatter',
      `values of shape ${shapeText(values.shape)} for indices of shape ${shapeText(indices.shape)}`,
    );
  if (mode !== 'set' && mode !== 'add')
    fail('scatter', `\`mode\` must be 'set' or 'add', not ${JSON.stringify(mode)}`);
  if (mode === 'add' && !['int32', 'uint32', 'float32'].includes(node.dtype))
    fail('scatter', `only elements of int32, uint32 and float32 can be added, not ${node.dtype}`);
  const { space } = node;
  return taskNode(space, node.dtype, node.shape, () =>
    scoped(space, function* (scope) {
      const from = yield* dense(node, scope);
      const inputs = yield* Inputs.gather([indices, values], scope);
      const n = sizeOf(node.shape);
      const out = space.allocate(node.dtype, n);
      try {
        space.copy(from, out, n);
        if (sizeOf(indices.shape) === 0 || n === 0) return out;
        yield* launchEach(space, indices.shape, inputs, [out], {
          name: `scatter_${mode}`,
          title: `elements at the indices, those out of range left out: ${mode}`,
          outputs: [{ name: 'out', dtype: node.dtype }],
          write: (writer, reader) => {
            writer.line(`long place = (long)${reader.value(indices)};`);
            const size = writer.int(n, 'n');
            if (DTYPES[indices.dtype].kind === 'signed') writer.line(`if (place < 0) place += ${size};`);
            const value = reader.value(values);
            writer.block(`if (place >= 0 && place < ${size})`, () => {
              if (mode === 'set') writer.store('out', '(size_t)place', value, node.dtype);
              else writer.line(atomicAdd(writer, node.dtype, '&out[place]', value));
            });
          },
        });
        return out;
      } catch (error) {
        out.release();
        throw error;
      }
    }),
  );
}

function atomicAdd(writer: KernelWriter, dtype: DType, pointer: string, value: string): string {
  if (dtype !== 'float32') return `atomic_add(${pointer}, ${value});`;
  writer.helper(
    'void add_float(volatile global float *to, float value) {\n  uint old = as_uint(*to), seen;\n  while ((seen = atomic_cmpxchg((volatile global uint *)to, old, as_uint(as_float(old) + value))) != old) old = seen;\n}',
  );
  return `add_float(${pointer}, ${value});`;
}

/** The bins of a histogram. */
export interface HistogramOptions {
  /** How many bins there are. */
  readonly bins: number;
  /** Where the first bin begins; 0 by default. */
  readonly from?: number;
  /** Where the last bin ends; by default `bins`, so that integers are counted one by one. Bins are equally wide. */
  readonly to?: number;
}

/** How many elements are in each bin. Those outside are not counted. */
export function histogramOf(node: Node, options: HistogramOptions): Node {
  if (options === undefined) fail('histogram', 'give the number of bins: histogram({ bins: 10 })');
  checkOptions(options, ['bins', 'from', 'to'], 'histogram');
  const { bins, from = 0, to = bins } = options;
  if (!Number.isInteger(bins) || bins < 1 || bins > 2 ** 28)
    fail('histogram', `\`bins\` must be a whole number from 1 to ${2 ** 28}, not ${bins}`);
  if (!(Number.isFinite(from) && Number.isFinite(to) && from < to))
    fail('histogram', `\`from\` must be less than \`to\`, but they are ${from} and ${to}`);
  checkBounds(node.dtype, { bins, from, to });
  const { space } = node;
  return taskNode(space, 'uint32', [bins], () =>
    scoped(space, (scope) => countBins(space, scope, node, { bins, from, to })),
  );
}

function checkBounds(dtype: DType, { bins, from, to }: Required<HistogramOptions>): void {
  if (!isFloat(dtype) && !(Number.isInteger(from) && Number.isInteger(to)))
    fail('histogram', `the bounds of bins of ${dtype} must be whole numbers, not ${from} and ${to}`);
  // What the kernel computes the bins with: floats, or integers of 64 bits.
  const round = dtype === 'float64' ? (value: number): number => value : Math.fround;
  const fits = isFloat(dtype)
    ? Number.isFinite(round(round(to) - round(from))) && round(to) > round(from)
    : (to - from) * (bins === to - from ? 1 : bins) < 2 ** 64;
  if (!fits)
    fail(
      'histogram',
      `elements of ${dtype} cannot be divided into ${bins} bins from ${from} to ${to}: choose other bounds`,
    );
}

function* countBins(
  space: Space,
  scope: Scope,
  node: Node,
  bounds: Required<HistogramOptions>,
): Task<Storage> {
  const { bins } = bounds;
  const inputs = yield* Inputs.gather([node], scope);
  const out = space.allocate('uint32', bins);
  try {
    space.fill(out, new Uint32Array(1), bins);
    if (sizeOf(node.shape) === 0) return out;
    const alone = space.profile.style === 'cores' && bins <= PRIVATE_BINS;
    yield* (alone ? countByItems : countByGroups)(space, inputs, node, bounds, out);
    return out;
  } catch (error) {
    out.release();
    throw error;
  }
}

/** The line that reads element `r`; the name of its value. */
const elementAt = (writer: KernelWriter, inputs: Inputs, node: Node): string =>
  inputs.at(writer, node.shape, [{ variable: 'r', axes: allAxes(node.shape) }]).value(node);

/** Bins that a work-item of a processor has for itself, twice. */
const PRIVATE_BINS = 2048;
/** Elements that it counts at least. */
const LEAST_RUN = 16384;

/** A work-item for each run, with counters of its own. */
function* countByItems(
  space: Space,
  inputs: Inputs,
  node: Node,
  bounds: Required<HistogramOptions>,
  out: Storage,
): Task<void> {
  const size = sizeOf(node.shape);
  const { length: run, count } = chunksOf(size, space.profile, 4, LEAST_RUN);
  const counters = 2 ** Math.ceil(Math.log2(bounds.bins));
  const writer = new KernelWriter('histogram', 'counts elements in bins, a work-item for each run');
  writer.output(out, 'out');
  const [n, length] = [writer.int(size, 'n'), writer.int(run, 'run')];
  writer.int(bounds.bins, 'bins');
  // Neighbours are often equal: two sets of counters do not wait for each other.
  writer.line(`uint even[${counters}], odd[${counters}];`);
  writer.line('for (uint b = 0; b < bins; b++) even[b] = odd[b] = 0;');
  writer.line(
    `const uint from = get_global_id(0) * ${length}, to = min(from + (uint)${length}, (uint)${n});`,
  );
  const bin = binText(writer, node.dtype, bounds);
  const increment = (counts: string): void =>
    bin(elementAt(writer, inputs, node), (index) => `${counts}[${index}]++;`);
  writer.unrolled(4, (turn) => increment(turn % 2 === 0 ? 'even' : 'odd'));
  writer.line('for (uint b = 0; b < bins; b++) if (even[b] + odd[b]) atomic_add(&out[b], even[b] + odd[b]);');
  const kernel = yield* space.kernel(writer.source, writer.name);
  space.launch(kernel, { global: count, local: 1 }, [out], writer.values);
}

/** Groups that count with atomics: in local memory, if there is room. */
function* countByGroups(
  space: Space,
  inputs: Inputs,
  node: Node,
  bounds: Required<HistogramOptions>,
  out: Storage,
): Task<void> {
  const { bins } = bounds;
  const { profile } = space;
  const size = sizeOf(node.shape);
  const isLocal = bins * 4 <= Math.min(profile.localMemory / 2, 16384);
  const group = profile.groupSize;
  const groups = Math.min(Math.ceil(size / group), profile.units * (profile.style === 'cores' ? 4 : 16));
  const writer = new KernelWriter(
    'histogram',
    `counts elements in bins, ${isLocal ? 'in local memory first' : 'in global memory'}`,
  );
  writer.output(out, 'out');
  const n = writer.int(size, 'n');
  writer.int(bins, 'bins');
  const run = writer.int(Math.ceil(size / groups), 'run');
  writer.line('const uint id = get_local_id(0);');
  writer.line(`const uint from = get_group_id(0) * ${run}, to = min(from + (uint)${run}, (uint)${n});`);
  const target = isLocal ? 'counts' : 'out';
  if (isLocal) {
    writer.line(`local uint counts[${2 ** Math.ceil(Math.log2(bins))}];`);
    writer.line(`for (uint b = id; b < bins; b += ${group}) counts[b] = 0;`);
    writer.line('barrier(CLK_LOCAL_MEM_FENCE);');
  }
  const bin = binText(writer, node.dtype, bounds);
  writer.block(`for (uint r = from + id; r < to; r += ${group})`, () =>
    bin(elementAt(writer, inputs, node), (index) => `atomic_inc(&${target}[${index}]);`),
  );
  if (isLocal) {
    writer.line('barrier(CLK_LOCAL_MEM_FENCE);');
    writer.line(`for (uint b = id; b < bins; b += ${group}) if (counts[b]) atomic_add(&out[b], counts[b]);`);
  }
  const kernel = yield* space.kernel(writer.source, writer.name);
  space.launch(kernel, { global: groups * group, local: group }, [out], writer.values);
}

/** Lines that count a value, by the statement for its bin. Integers are placed exactly. */
function binText(writer: KernelWriter, dtype: DType, { bins, from, to }: Required<HistogramOptions>) {
  if (!isFloat(dtype)) {
    const isOne = bins === to - from;
    if (isOne && areWordsOf(dtype, from, to)) {
      const first = writer.scalar(from, from < 0 ? 'int32' : 'uint32', 'first');
      return (value: string, count: (index: string) => string): void => {
        writer.line(`const uint at = (uint)${value} - (uint)${first};`);
        writer.line(`if (at < (uint)bins) ${count('at')}`);
      };
    }
    // Compared before the subtraction, which could leave 64 bits.
    const wide = dtype === 'uint64' ? 'uint64' : 'int64';
    const [lowest, highest] = countedRange(wide, from, to);
    const [low, high] = [writer.scalar(lowest, wide, 'low'), writer.scalar(highest, wide, 'high')];
    const first = writer.scalar(BigInt.asUintN(64, BigInt(from)), 'uint64', 'first');
    const width = writer.scalar(BigInt(to) - BigInt(from), 'uint64', 'width');
    return (value: string, count: (index: string) => string): void => {
      writer.line(`const ulong at = (ulong)${value} - ${first};`);
      const place = isOne ? 'at' : `at * (ulong)bins / ${width}`;
      writer.line(`if (${value} >= ${low} && ${value} <= ${high}) ${count(place)}`);
    };
  }
  const float = dtype === 'float64' ? 'float64' : 'float32';
  const first = writer.scalar(from, float, 'first');
  const end = writer.scalar(to, float, 'end');
  const scale = writer.scalar(bins / (to - from), float, 'scale');
  return (value: string, count: (index: string) => string): void => {
    // Differences of large floats may be infinite.
    const [zero, most] = float === 'float64' ? ['0.0', '0x1p28'] : ['0.0f', '0x1p28f'];
    const place = `fmin(fmax((${value} - ${first}) * ${scale}, ${zero}), ${most})`;
    const index = `min((int)${place}, bins - 1)`;
    writer.line(`if (${value} >= ${first} && ${value} <= ${end}) ${count(index)}`);
  };
}

/** The least and the greatest integer that is counted: 1 and 0 where there is none. */
function countedRange(dtype: DType, from: number, to: number): readonly [bigint, bigint] {
  const [least, most] = limitsOf(dtype)!;
  const low = BigInt(from) > least ? BigInt(from) : least;
  const high = BigInt(to) - 1n < most ? BigInt(to) - 1n : most;
  return low <= high ? [low, high] : [1n, 0n];
}

/** Whether differences of 32 bits tell which elements are in the bins: an element below `from` differs by `to - from` or more. */
function areWordsOf(dtype: DType, from: number, to: number): boolean {
  const { bytes, kind } = DTYPES[dtype];
  if (bytes > 4) return false;
  const [least, end] = kind === 'signed' ? [-(2 ** 31), 2 ** 31] : [0, 2 ** 32];
  return from >= least && to <= end;
}
