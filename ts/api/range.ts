// SPDX-License-Identifier: MIT
import { ErrorCode } from '../backend/cl.gen';
import { OpenCLError } from '../backend/opencl-error';

/** One to three sizes: a number is one dimension. */
export type Size = number | readonly number[];

export interface Range {
  /** Work-items in each dimension. */
  readonly global: Size;
  /** Work-items of one work-group in each dimension; left out, the device chooses. */
  readonly local?: Size | undefined;
  /** Added to get_global_id. */
  readonly offset?: Size | undefined;
}

export interface CheckedRange {
  readonly global: readonly number[];
  readonly local: readonly number[] | undefined;
  readonly offset: readonly number[] | undefined;
}

const asList = (size: Size): readonly number[] => (typeof size === 'number' ? [size] : size);

const isCount = (n: number): boolean => Number.isSafeInteger(n) && n >= 0;

/** A range of numbers, which most are, as it was checked last: a script that launches one again pays nothing for it. */
let known: CheckedRange = { global: [1], local: undefined, offset: undefined };

const isKnown = (checked: readonly number[] | undefined, given: Size | undefined): boolean =>
  checked === undefined ? given === undefined : checked[0] === given;

/** What can be said of an ND-range without knowing device and kernel; the rest is the backend's to refuse. */
export function checkRange(range: Range, functionName: string): CheckedRange {
  if (
    range &&
    isKnown(known.global, range.global) &&
    isKnown(known.local, range.local) &&
    isKnown(known.offset, range.offset)
  )
    return known;
  const checked = checkAnew(range, functionName);
  const { global, local, offset } = range;
  const flat = (size: Size | undefined) => size === undefined || typeof size === 'number';
  if (flat(global) && flat(local) && flat(offset)) known = checked;
  return checked;
}

function checkAnew(range: Range, functionName: string): CheckedRange {
  const given = range?.global;
  if (typeof given !== 'number' && !Array.isArray(given)) {
    throw new OpenCLError(
      ErrorCode.INVALID_GLOBAL_WORK_SIZE,
      functionName,
      'the range needs `global`: a number or up to three of them',
    );
  }
  const global = asList(given);
  if (global.length < 1 || global.length > 3) {
    throw new OpenCLError(
      ErrorCode.INVALID_WORK_DIMENSION,
      functionName,
      `a range has 1 to 3 dimensions, not ${global.length}`,
    );
  }
  if (!global.every(isCount)) {
    throw new OpenCLError(
      ErrorCode.INVALID_GLOBAL_WORK_SIZE,
      functionName,
      `global size ${global.join(' × ')} is not a size`,
    );
  }
  const local = range.local === undefined ? undefined : asList(range.local);
  if (local !== undefined) {
    if (local.length !== global.length) {
      throw new OpenCLError(
        ErrorCode.INVALID_WORK_DIMENSION,
        functionName,
        `local size has ${local.length} dimensions, global size ${global.length}`,
      );
    }
    if (!local.every((n) => isCount(n) && n > 0)) {
      throw new OpenCLError(
        ErrorCode.INVALID_WORK_GROUP_SIZE,
        functionName,
        `local size ${local.join(' × ')} is not a size`,
      );
    }
  }
  const offset = range.offset === undefined ? undefined : asList(range.offset);
  if (offset !== undefined && (offset.length !== global.length || !offset.every(isCount))) {
    const why =
      offset.length !== global.length
        ? `has ${offset.length} dimensions, global size ${global.length}`
        : 'has a part that is not a whole number from 0 on';
    throw new OpenCLError(
      ErrorCode.INVALID_GLOBAL_OFFSET,
      functionName,
      `offset ${offset.join(' × ')} ${why}`,
    );
  }
  return { global, local, offset };
}

/** One of a range's sizes by itself, as a list. */
export function checkSize(
  size: Size | undefined,
  name: string,
  functionName: string,
): readonly number[] | undefined {
  if (size === undefined) return undefined;
  const list = asList(size);
  if (list.length >= 1 && list.length <= 3 && list.every(isCount)) return list;
  const detail = `\`${name}\` has one to three sizes, not ${list.join(' × ') || 'none'}`;
  throw new OpenCLError(ErrorCode.INVALID_VALUE, functionName, detail);
}
