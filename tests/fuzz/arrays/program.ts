// SPDX-License-Identifier: MIT
//
// Random programs of arrays: each makes some arrays, applies operations to what there is, and compares all results with the reference.
// Most results stay unread until the end, so that they are computed in fused kernels.

import type { Arrays, NDArray } from '../../../ts/array';
import { Chance } from '../chance';
import { ACCUMULATIONS } from './accumulate';
import { ELEMENTWISE } from './elementwise';
import {
  element,
  FLOATS,
  INTEGERS,
  isFloat,
  type Kind,
  type Model,
  sizeOf,
  typedArray,
  type Value,
  wrap,
} from './model';
import {
  isExact,
  make,
  nameOf,
  type Operation,
  type Outcome,
  type Pair,
  type Scene,
  type Tolerance,
} from './operations';
import { ORDERS } from './order';
import { REST } from './rest';
import { VIEWS } from './views';

const GROUPS: readonly (readonly Operation[])[] = [ELEMENTWISE, VIEWS, ACCUMULATIONS, ORDERS, REST];
/** Elements of an array at most. */
const MOST = 80_000;

function shapeOf(chance: Chance): number[] {
  if (chance.with(0.12)) return [chance.pick([255, 256, 257, 4095, 16_385, 33_000, 70_001])];
  if (chance.with(0.06))
    return chance.pick([
      [3, 20_000],
      [20_000, 3],
      [130, 129],
    ]);
  return Array.from({ length: chance.integer(0, 4) }, () =>
    chance.pick([1, 1, 2, 3, 4, 5, 7, 17, 0].slice(0, chance.with(0.2) ? 9 : 8)),
  );
}

function source({ chance, nd }: Scene): Outcome {
  const dtype = chance.pick([...INTEGERS, ...FLOATS, 'float32', 'int32'] as const);
  const shape = shapeOf(chance);
  const kind: Kind = chance.pick(['small', 'small', 'special', 'wild']);
  const size = sizeOf(shape);
  if (chance.with(0.15)) {
    const value = element(chance, dtype, kind);
    const text = `full([${shape}], ${value}, ${dtype})`;
    return {
      text,
      run: () => nd.full(shape, value, dtype),
      model: make(dtype, shape, new Array<Value>(size).fill(value)),
    };
  }
  if (chance.with(0.15) && !isFloat(dtype)) {
    const [from, step] = [chance.integer(0, 5), chance.integer(1, 3)];
    const n = Math.min(size, 30);
    const data = Array.from({ length: n }, (_, k) => wrap(from + k * step, dtype));
    return {
      text: `arange(${from}, …, ${step}, ${dtype})`,
      run: () => nd.arange(from, from + n * step, step, dtype),
      model: make(dtype, [n], data),
    };
  }
  const data = Array.from({ length: size }, () => element(chance, dtype, kind));
  const model = make(dtype, shape, data);
  const run = (): NDArray => {
    const typed = typedArray(model) as Float32Array;
    return dtype === 'float16' ? nd.array(typed, shape).as('float16') : nd.array(typed, shape);
  };
  return { text: `array(${nameOf(model)}, ${kind})`, run, model };
}

/** The elements as the model has them. */
async function elementsOf({ array, model }: Pair): Promise<Value[]> {
  // Halves are computed as floats until they are in memory.
  const read = model.dtype === 'float16' ? (await array.evaluate()).as('float32') : array;
  return Array.from((await read.read()) as Iterable<Value>);
}

const same = (a: Value, b: Value): boolean => Object.is(a, b) || (Number.isNaN(a) && Number.isNaN(b));

function isClose(found: Value, wanted: Value, tolerance: Tolerance): boolean {
  if (same(found, wanted)) return true;
  if (tolerance === 'none' || typeof found === 'bigint' || typeof wanted === 'bigint') return false;
  if (tolerance === 'zeros') return found === wanted;
  const { relative, scale } = tolerance;
  // Devices may take numbers near 0 for 0.
  return (
    Math.abs(found - wanted) <= relative * Math.max(Math.abs(wanted), scale) + 2 ** -126 || found === wanted
  );
}

/** The first difference of an array from its reference, as text. */
async function differs(pair: Pair, tolerance: Tolerance): Promise<string | undefined> {
  const { array, model } = pair;
  if (array.dtype !== model.dtype || `${array.shape}` !== `${model.shape}`)
    return `is ${array.dtype}[${array.shape}] instead of ${nameOf(model)}`;
  const found = await elementsOf(pair);
  const at = found.findIndex((value, k) => !isClose(value, model.data[k]!, tolerance));
  return at < 0 ? undefined : `element ${at} is ${text(found[at]!)} instead of ${text(model.data[at]!)}`;
}
const text = (value: Value): string => (Object.is(value, -0) ? '-0' : `${value}`);

/** Whether an operation was refused as it has to be. */
async function refused({ run }: Outcome): Promise<string | undefined> {
  try {
    const array = await run();
    await array.evaluate();
    return 'was not refused';
  } catch (error) {
    const { name, code } = error as { name: string; code?: unknown };
    return name === 'OpenCLError' && code === -30 ? undefined : `throws ${error}`;
  }
}

/**
 * Runs the program of a seed: what differs, as text, or undefined. Results of floats that are not exact are compared at once, and
 * the program goes on with the device's elements.
 */
export async function runProgram(seed: number, nd: Arrays): Promise<string | undefined> {
  const chance = new Chance(seed);
  const pairs: Pair[] = [];
  const log: string[] = [];
  const scene: Scene = {
    chance,
    nd,
    pick: (condition = () => true) => {
      const fitting = pairs.filter(({ model }) => condition(model));
      return fitting.length > 0 ? chance.pick(fitting) : undefined;
    },
  };
  const fault = (what: string): string => `${what}\n  ${log.join('\n  ')}`;
  try {
    const steps = chance.integer(4, 14);
    for (let step = 0; step < steps; step++) {
      const outcome = step < 3 || chance.with(0.1) ? source(scene) : chance.pick(chance.pick(GROUPS))(scene);
      if (!outcome || (outcome.model && outcome.model.data.length > MOST)) continue;
      log.push(outcome.text);
      if (!outcome.model) {
        const found = await refused(outcome);
        if (found) return fault(found);
        continue;
      }
      const pair = await settled(await outcome.run(), outcome.model, outcome.tolerance ?? 'none');
      if (typeof pair === 'string') return fault(pair);
      pairs.push(pair);
      if (chance.with(0.1)) await Promise.all(pairs.splice(0, 1).map((each) => forget(each, pairs)));
    }
    for (const pair of pairs) {
      const found = await differs(pair, 'none');
      if (found) return fault(`${nameOf(pair.model)}: ${found}`);
    }
    return undefined;
  } catch (error) {
    return fault(`throws ${(error as Error).message.split('\n').slice(0, 4).join(' ')}`);
  } finally {
    for (const { array } of pairs) array.release();
  }
}

/** An array with a reference that is exact from here on, or what differs. */
async function settled(array: NDArray, model: Model, tolerance: Tolerance): Promise<Pair | string> {
  const pair = { array, model };
  // What is not exact may be computed in another way as a part of a larger kernel.
  if (tolerance === 'none' && (!isFloat(model.dtype) || isExact(model))) return pair;
  const found = await differs(pair, tolerance);
  if (found) return found;
  return { array, model: make(model.dtype, model.shape, await elementsOf(pair)) };
}

/** Releases an array after all others are computed: its memory is used again. */
async function forget({ array }: Pair, others: readonly Pair[]): Promise<void> {
  await Promise.all(others.map((each) => each.array.evaluate()));
  array.release();
}
