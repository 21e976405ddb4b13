// SPDX-License-Identifier: MIT
import { interchanged, type KernelSignature, subGroupSizeFor } from '../../../base/kernel-abi';
import { ErrorCode } from '../../../cl/constants.gen';
import { OpenCLError } from '../../../cl/opencl-error';
import type { Triple } from '../../../device/workers/groups';
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
  const dimensions = global.length;
  checkGlobal(kernel, global, offset);
  if (!local) checkRequiredDivides(kernel, global);
  const chosen = local ?? chooseLocalSize(kernel, global, code);
  checkLocal(kernel, global, chosen, local !== undefined);
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

/** Rows of an interchanged kernel that are shorter have few vectors, or none. */
const SHORT_ROW = 16;

/** The code for a launch's range, where compiled code of the given kind would run otherwise. */
export function codeForRange(
  { executable, signature }: KernelCode,
  [x = 1, y = 1]: readonly number[],
  code: CodeKind,
): CodeKind {
  const isShort = y < SHORT_ROW && y < x;
  return isShort && executable.kernel(signature.name, code).interchanged ? 'rows' : code;
}

/** The range as an interchanged kernel runs it. */
export function interchange({ dimensions, global, local, offset, groups }: ResolvedRange): ResolvedRange {
  return {
    dimensions,
    global: interchanged(global),
    local: interchanged(local),
    offset: interchanged(offset),
    groups: interchanged(groups),
  };
}

function refuse({ signature }: KernelCode, code: ErrorCode, why: string): never {
  throw new OpenCLError(code, 'clEnqueueNDRangeKernel', `kernel '${signature.name}': ${why}`);
}

function checkGlobal(
  kernel: KernelCode,
  global: readonly number[],
  offset: readonly number[] | undefined,
): void {
  const dimensions = global.length;
  if (dimensions < 1 || dimensions > 3)
    refuse(kernel, ErrorCode.INVALID_WORK_DIMENSION, `${dimensions} dimensions`);
  for (let d = 0; d < dimensions; d++) {
    if (global[d]! > MAX_SIZE)
      refuse(
        kernel,
        ErrorCode.INVALID_GLOBAL_WORK_SIZE,
        `${global[d]} work-items in dimension ${d} are more than 2^32 - 1`,
      );
    if ((offset?.[d] ?? 0) + global[d]! > MAX_SIZE + 1)
      refuse(
        kernel,
        ErrorCode.INVALID_GLOBAL_OFFSET,
        'offset and size exceed the device’s size_t of 32 bits',
      );
  }
}

/** Where groups are of one size, the size that a kernel requires has to divide the global one. */
function checkRequiredDivides(kernel: KernelCode, global: readonly number[]): void {
  const { requiredLocalSize: required } = kernel.signature;
  if (!required || !kernel.executable.uniformWorkGroups) return;
  if (global.some((size, d) => size % required[d]! !== 0))
    refuse(
      kernel,
      ErrorCode.INVALID_WORK_GROUP_SIZE,
      `the required work-group size ${required.join('×')} does not divide the global size ${global.join('×')}`,
    );
}

function checkLocal(
  kernel: KernelCode,
  global: readonly number[],
  local: readonly number[],
  isGiven: boolean,
): void {
  const { requiredLocalSize: required, requiredSubGroupSize } = kernel.signature;
  let items = 1;
  for (let d = 0; d < global.length; d++) {
    const size = local[d]!;
    items *= size;
    if (size < 1) refuse(kernel, ErrorCode.INVALID_WORK_GROUP_SIZE, 'a local size of 0');
    if (size > MAX_WORK_GROUP_SIZE)
      refuse(
        kernel,
        ErrorCode.INVALID_WORK_ITEM_SIZE,
        `a local size of ${size} exceeds ${MAX_WORK_GROUP_SIZE}`,
      );
    if (required && size !== required[d])
      refuse(
        kernel,
        ErrorCode.INVALID_WORK_GROUP_SIZE,
        `the kernel requires the local size ${required.join('×')}, not ${local.join('×')}`,
      );
    if (isGiven && kernel.executable.uniformWorkGroups && global[d]! % size !== 0)
      refuse(
        kernel,
        ErrorCode.INVALID_WORK_GROUP_SIZE,
        `the local size ${local.join('×')} does not divide the global size ${global.join('×')}; ` +
          'programs of OpenCL C 2.0 and later may do that',
      );
  }
  if (items > MAX_WORK_GROUP_SIZE)
    refuse(
      kernel,
      ErrorCode.INVALID_WORK_GROUP_SIZE,
      `${items} work-items per group exceed ${MAX_WORK_GROUP_SIZE}`,
    );
  if (requiredSubGroupSize && subGroupSizeFor(kernel.signature, local) !== requiredSubGroupSize)
    refuse(
      kernel,
      ErrorCode.INVALID_WORK_GROUP_SIZE,
      `the kernel requires sub-groups of ${requiredSubGroupSize} work-items, which extend along x; ` +
        `make the first number of the local size ${local.join('×')} a multiple of that`,
    );
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
  const binary = executable.kernel(signature.name, codeForRange(kernel, global, code));
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
