// SPDX-License-Identifier: MIT
import { type KernelSignature, subGroupSizeFor } from '../../../base/kernel-abi';
import { ErrorCode } from '../../../cl/constants.gen';
import { OpenCLError } from '../../../cl/opencl-error';
import type { Triple } from '../../../device/groups';
import { MAX_WORK_GROUP_SIZE } from '../device/limits';
import type { CodeKind, Executable } from './executable';

/** An ND-range with all sizes chosen, in three dimensions. */
export interface ResolvedRange {
  readonly dimensions: number;
  /** Three each. */
  readonly global: readonly number[];
  readonly local: readonly number[];
  readonly offset: readonly number[];
  readonly groups: Triple;
}

/** The properties that the sizes of a launch depend on. */
export interface KernelCode {
  readonly signature: KernelSignature;
  readonly executable: Executable;
}

/** The largest number that a 32-bit size_t of the device holds. */
const MAX_SIZE = 2 ** 32 - 1;

/** Checks an ND-range as clEnqueueNDRangeKernel prescribes and chooses the missing sizes. */
export function resolveNDRange(
  kernel: KernelCode,
  global: readonly number[],
  local: readonly number[] | undefined,
  offset: readonly number[] | undefined,
  code: CodeKind = 'guarded',
): ResolvedRange {
  const { name, requiredLocalSize: required } = kernel.signature;
  const dimensions = global.length;
  const fail = (code: ErrorCode, why: string): never => {
    throw new OpenCLError(code, 'clEnqueueNDRangeKernel', `kernel '${name}': ${why}`);
  };
  if (dimensions < 1 || dimensions > 3) fail(ErrorCode.INVALID_WORK_DIMENSION, `${dimensions} dimensions`);
  for (let d = 0; d < dimensions; d++) {
    if (global[d]! > MAX_SIZE)
      fail(
        ErrorCode.INVALID_GLOBAL_WORK_SIZE,
        `${global[d]} work-items in dimension ${d} are more than 2^32 - 1`,
      );
    if ((offset?.[d] ?? 0) + global[d]! > MAX_SIZE + 1) {
      fail(ErrorCode.INVALID_GLOBAL_OFFSET, 'offset and size exceed the device’s size_t of 32 bits');
    }
  }
  if (!local && required && kernel.executable.uniformWorkGroups) {
    for (let d = 0; d < dimensions; d++) {
      if (global[d]! % required[d]! !== 0) {
        fail(
          ErrorCode.INVALID_WORK_GROUP_SIZE,
          `the required work-group size ${required.join('×')} does not divide the global size ${global.join('×')}`,
        );
      }
    }
  }
  const chosen = local ?? chooseLocalSize(kernel, global, code);
  let items = 1;
  for (let d = 0; d < dimensions; d++) {
    const size = chosen[d]!;
    items *= size;
    if (size < 1) fail(ErrorCode.INVALID_WORK_GROUP_SIZE, 'a local size of 0');
    if (size > MAX_WORK_GROUP_SIZE) {
      fail(ErrorCode.INVALID_WORK_ITEM_SIZE, `a local size of ${size} exceeds ${MAX_WORK_GROUP_SIZE}`);
    }
    if (required && size !== required[d]) {
      fail(
        ErrorCode.INVALID_WORK_GROUP_SIZE,
        `the kernel requires the local size ${required.join('×')}, not ${chosen.join('×')}`,
      );
    }
    if (local && kernel.executable.uniformWorkGroups && global[d]! % size !== 0) {
      fail(
        ErrorCode.INVALID_WORK_GROUP_SIZE,
        `the local size ${chosen.join('×')} does not divide the global size ${global.join('×')}; ` +
          'programs of OpenCL C 2.0 and later may do that',
      );
    }
  }
  if (items > MAX_WORK_GROUP_SIZE) {
    fail(ErrorCode.INVALID_WORK_GROUP_SIZE, `${items} work-items per group exceed ${MAX_WORK_GROUP_SIZE}`);
  }
  const { requiredSubGroupSize } = kernel.signature;
  if (requiredSubGroupSize && subGroupSizeFor(kernel.signature, chosen) !== requiredSubGroupSize) {
    fail(
      ErrorCode.INVALID_WORK_GROUP_SIZE,
      `the kernel requires sub-groups of ${requiredSubGroupSize} work-items, which extend along x; ` +
        `make the first number of the local size ${chosen.join('×')} a multiple of that`,
    );
  }
  const three = (values: readonly number[] | undefined, filler: number): number[] =>
    [0, 1, 2].map((d) => (d < dimensions ? (values?.[d] ?? filler) : filler));
  const globals = three(global, 1);
  const locals = three(chosen, 1);
  const groupsAlong = (d: number): number => Math.ceil(globals[d]! / locals[d]!);
  return {
    dimensions,
    global: globals,
    local: locals,
    offset: three(offset, 0),
    groups: [groupsAlong(0), groupsAlong(1), groupsAlong(2)],
  };
}

/** A good local size for a range. */
export function chooseLocalSize(
  kernel: KernelCode,
  global: readonly number[],
  code: CodeKind = 'guarded',
): number[] {
  const { signature, executable } = kernel;
  const { requiredLocalSize } = signature;
  if (requiredLocalSize) return requiredLocalSize.slice(0, global.length);
  const binary = executable.kernel(signature.name, code);
  const preferred = binary.preferredLocalSize;
  const anySize = binary.groupsUnobservable === true;
  let room = MAX_WORK_GROUP_SIZE;
  return global.map((size, d) => {
    const wanted = Math.max(1, Math.min(preferred[d] ?? 1, room, size));
    const chosen = anySize ? wanted : divisorNear(size, wanted, room, executable.uniformWorkGroups);
    room = Math.max(1, Math.floor(room / chosen));
    return chosen;
  });
}

/**
 * A divisor of `size` near `wanted`: the largest one below it, or the smallest one above it if that is far smaller.
 * If no divisor is near and work-groups need not be uniform, `wanted` itself.
 */
function divisorNear(size: number, wanted: number, most: number, uniform: boolean): number {
  let below = wanted;
  while (below > 1 && size % below !== 0) below--;
  if (below * 4 > wanted) return below;
  if (!uniform) return wanted;
  for (let above = wanted + 1; above <= Math.min(most, size); above++) if (size % above === 0) return above;
  return below;
}
