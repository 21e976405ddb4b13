// SPDX-License-Identifier: MIT
//
// The module of a kernel: one function for each variant, and `run`, which calls them.
import type { KernelModule, ModuleKind } from '../../base/kernel-abi';
import type { Steps } from '../../base/steps';
import type { FunctionBuilder } from '../../wasm/function-builder';
import { ModuleBuilder } from '../../wasm/module-builder';
import type { KernelPlan } from '../vectorize/kernel-plan';
import { privatizingDriver } from './atomics/privatized';
import { type Choice, GROUP_PARAMS, type GroupTile, groupDriver, groupFunction } from './group';
import { OutOfLine } from './out-of-line';
import { RANGE_PARAMS, RUN_PARAMS, rangeDriver, rangeFunction } from './range';
import { integers, SCRATCH_HEADER } from './variant';

/** The module of a kernel: its variants, or only the one for whole tiles, and `run`. In steps. */
export function emitSteps(
  code: KernelPlan,
  lanes: number,
  rows: number,
  kind: ModuleKind,
): Steps<KernelModule> {
  if (code.byGroups) return withBarriers(code, lanes, rows, kind);
  return kind === 'any' ? withoutBarriers(code, lanes, rows) : wholeTiles(code, lanes, rows);
}

function* wholeTiles(code: KernelPlan, lanes: number, rows: number): Steps<KernelModule> {
  const module = new ModuleBuilder(code.func.addressBits);
  const callees = new OutOfLine(module, code);
  const run = module.declare(integers(RUN_PARAMS), []);
  const main = module.declare(integers(RANGE_PARAMS), []);
  const { c, privateBytes } = yield* rangeFunction(code, lanes, rows, undefined, callees);
  module.define(main, c.f);
  yield;
  defineRun(module, run, rangeDriver(code, main), code);
  return { wasm: module.encode(), scratch: { fixed: SCRATCH_HEADER + privateBytes, perWorkItem: 0 } };
}

/** The driver of the work-groups, wrapped where atomics are privatized. */
function defineRun(module: ModuleBuilder, run: number, driver: FunctionBuilder, code: KernelPlan): void {
  module.export('run', run);
  const { privatized, signature } = code;
  if (privatized.length === 0) {
    module.define(run, driver);
    return;
  }
  const inner = module.declare(integers(RUN_PARAMS), []);
  module.define(inner, driver);
  module.define(run, privatizingDriver(inner, privatized, signature));
}

function* withoutBarriers(code: KernelPlan, lanes: number, rows: number): Steps<KernelModule> {
  const module = new ModuleBuilder(code.func.addressBits);
  const callees = new OutOfLine(module, code);
  const run = module.declare(integers(RUN_PARAMS), []);
  const scalar = module.declare(integers(RANGE_PARAMS), []);
  const oneRow = lanes > 1 ? module.declare(integers(RANGE_PARAMS), []) : scalar;
  const main = rows > 1 ? module.declare(integers(RANGE_PARAMS), []) : oneRow;
  let privateBytes = 0;
  const define = function* (index: number, l: number, r: number): Steps<void> {
    const rest = l * r > 1 ? { scalar, oneRow } : undefined;
    const variant = yield* rangeFunction(code, l, r, rest, callees);
    privateBytes = Math.max(privateBytes, variant.privateBytes);
    module.define(index, variant.c.f);
  };
  yield* define(scalar, 1, 1);
  if (lanes > 1) yield* define(oneRow, lanes, 1);
  if (rows > 1) yield* define(main, lanes, rows);
  defineRun(module, run, rangeDriver(code, main), code);
  return { wasm: module.encode(), scratch: { fixed: SCRATCH_HEADER + privateBytes, perWorkItem: 0 } };
}

function* withBarriers(code: KernelPlan, lanes: number, rows: number, kind: ModuleKind): Steps<KernelModule> {
  const module = new ModuleBuilder(code.func.addressBits);
  const callees = new OutOfLine(module, code);
  const run = module.declare(integers(RUN_PARAMS), []);
  const all = code.subGroups ? subGroupTiles(lanes) : groupTiles(lanes, rows);
  const tiles = kind === 'any' ? all : all.slice(0, 1);
  let perWorkItem = 0;
  let partial = 0;
  const choices: Choice[] = [];
  for (const tile of tiles) {
    const index = module.declare(integers(GROUP_PARAMS), []);
    const { variant, frameBytes } = yield* groupFunction(code, tile, callees);
    module.define(index, variant.c.f);
    perWorkItem = Math.max(perWorkItem, Math.ceil(frameBytes / (tile.lanes * tile.rows)));
    if (tile.partial) partial = frameBytes;
    choices.push({ index, ...tile });
  }
  defineRun(module, run, groupDriver(choices, code.zeroesLocal), code);
  return { wasm: module.encode(), scratch: { fixed: SCRATCH_HEADER + partial, perWorkItem } };
}

function groupTiles(lanes: number, rows: number): GroupTile[] {
  const all = [
    { lanes, rows },
    { lanes, rows: 1 },
    // Groups that are smaller than a wide tile do not run one by one.
    { lanes: Math.min(lanes, 8), rows: 1 },
    { lanes: 1, rows: 1 },
  ];
  return all.filter(
    (tile, i) => all.findIndex((other) => other.lanes === tile.lanes && other.rows === tile.rows) === i,
  );
}

/**
 * Full sub-groups; sub-groups with a smaller last one in each row; and single work-items (subGroupSizeFor).
 */
function subGroupTiles(lanes: number): GroupTile[] {
  return [
    { lanes, rows: 1, subGroups: true },
    { lanes, rows: 1, subGroups: true, partial: true },
    { lanes: 1, rows: 1 },
  ];
}
