// SPDX-License-Identifier: MIT
//
// The back half of the pipeline: from a kernel's IR, optimized by jit/passes, to WebAssembly.
import {
  type CollectedArgument,
  type KernelBinary,
  type KernelSignature,
  subGroupSizeOf,
} from '../base/kernel-abi';
import type { JitOptions } from './compiled';
import { analyzeKernel, codeOfOneLane } from './emit/kernel-code';
import { emitModule } from './emit/module';
import { type Func, type Inst, Op } from './ir/ir';
import { SQUARE } from './vectorize/columns';
import { chooseTile, type Tile } from './vectorize/cost';
import { remarksOn } from './vectorize/remarks';

/** Compiles a kernel. The function is changed on the way and must not be used again. */
export function generateKernel(
  func: Func,
  signature: KernelSignature,
  options: JitOptions,
  collected: readonly CollectedArgument[] = [],
): KernelBinary {
  let code = analyzeKernel(func, signature, options.engine);
  const scans = func.blocks.some((b) => b.insts.some(isScan));
  const tile = chooseTile(func, code.divergence, {
    ...options,
    ...(code.subGroups ? { lanes: subGroupSizeOf(signature) } : {}),
    ...(code.subGroups || scans ? { coarsening: 1 } : {}),
  });
  if (tile.lanes === 1) code = codeOfOneLane(code);
  return {
    signature,
    module: (kind, atomics = 'shared') =>
      emitModule(atomics === 'shared' ? code : { ...code, collected }, tile.lanes, tile.rows, kind),
    collected,
    lanes: tile.lanes,
    rows: tile.rows,
    localBytes: signature.staticLocalBytes,
    preferredLocalSize: signature.requiredLocalSize ?? preferredLocalSize(tile, code.columns),
    costPerItem: tile.costPerItem,
    printfFormats: code.printfFormats,
    remarks: () => [
      ...remarksOn(func, code.divergence, tile, tile.reasons),
      ...(code.columns
        ? [
            `${signature.name}: run in squares, as neighbours along y access neighbouring elements; with get_global_id(0) in their place they would be vectors`,
          ]
        : []),
      ...collected.map(
        ({ argument }) =>
          `${signature.name}: atomics on '${signature.arguments[argument]!.name}' are collected by each worker where no other argument reaches its memory`,
      ),
    ],
  };
}

/** Long rows, so that tails are rare; as many rows as a tile has. Or squares. */
function preferredLocalSize(tile: Tile, squares: boolean): readonly [number, number, number] {
  if (squares) return [SQUARE, SQUARE, 1];
  return [64, tile.rows, 1];
}

/** Scans take work-items in the order of their linear ids: row by row. */
function isScan(inst: Inst): boolean {
  return inst.op === Op.GroupScanInclusive || inst.op === Op.GroupScanExclusive;
}
