// SPDX-License-Identifier: MIT

import type { NDRange } from '../../base/nd-range';
import { type OptionNames, unknownName, unknownNameDetail } from '../../base/option-names';
import { ErrorCode } from '../../cl/constants.gen';
import { OpenCLError } from '../../cl/opencl-error';
import { describe, pluralize } from '../errors/describe';

/** One to three sizes: a number is one dimension. */
export type Size = number | readonly number[];

/** How many work-items a launch has, in one to three dimensions. */
export interface Range {
  /** Work-items in each dimension. */
  readonly global: Size;
  /** Work-items of one work-group in each dimension. Default: the device chooses. */
  readonly local?: Size | undefined;
  /** Added to get_global_id. */
  readonly offset?: Size | undefined;
}

const NAMES: OptionNames = {
  list: ['global', 'local', 'offset'],
  has: (name) => name === 'global' || name === 'local' || name === 'offset',
};

/** Options of launches, which enqueueNDRange takes as an argument of their own, and `run` together with the range. */
export const LAUNCH_NAMES: OptionNames = {
  list: ['waitFor', 'event', 'timeout', 'signal'],
  has: (name) => name === 'event' || name === 'waitFor' || name === 'timeout' || name === 'signal',
};

/** Other names are mistakes, such as `locl`. */
export function checkRangeNames(range: Range, functionName: string): void {
  if (typeof range !== 'object' || range === null) return;
  const unknown = unknownName(range, NAMES);
  if (unknown === undefined) return;
  const rest = LAUNCH_NAMES.has(unknown)
    ? `is an option of the argument after the range: enqueueNDRange(kernel, range, { ${unknown} })`
    : unknownNameDetail(unknown, NAMES);
  const detail = `\`range.${unknown}\` ${rest}`;
  throw new OpenCLError(ErrorCode.INVALID_VALUE, functionName, detail);
}

const asList = (size: Size): readonly number[] => (typeof size === 'number' ? [size] : size);

const isCount = (n: unknown): boolean => Number.isSafeInteger(n) && (n as number) >= 0;

/**
 * The range that was checked last, if it consists of numbers, as most do: launching it again needs no check.
 */
let known: NDRange = { global: [1], local: undefined, offset: undefined };

const isKnown = (checked: readonly number[] | undefined, given: Size | undefined): boolean =>
  checked === undefined ? given === undefined : checked[0] === given;

/** The checks of an ND-range that need neither device nor kernel; the backend makes the others. */
export function checkRange(range: Range, functionName: string): NDRange {
  if (typeof range !== 'object' || range === null) refuseRange(range, functionName);
  // Read once: a getter may answer differently the next time.
  const { global, local, offset } = range;
  if (isKnown(known.global, global) && isKnown(known.local, local) && isKnown(known.offset, offset))
    return known;
  const given = { global, local, offset };
  return remembered(given, revalidate(given, functionName));
}

function refuseRange(range: unknown, functionName: string): never {
  const detail = `\`range\` must be an object with \`global\`, not ${describe(range)}`;
  throw new OpenCLError(ErrorCode.INVALID_GLOBAL_WORK_SIZE, functionName, detail);
}

function remembered({ global, local, offset }: Range, checked: NDRange): NDRange {
  const flat = (size: Size | undefined) => size === undefined || typeof size === 'number';
  if (flat(global) && flat(local) && flat(offset)) known = checked;
  return checked;
}

function revalidate(range: Range, functionName: string): NDRange {
  const refuse = (code: ErrorCode, detail: string): never => {
    throw new OpenCLError(code, functionName, detail);
  };
  const sizes = (name: keyof Range, code: ErrorCode): readonly number[] => {
    const given: unknown = range[name];
    // A copy, which the script cannot change afterwards; of no more than is needed to see that there are too many.
    const list: readonly unknown[] = Array.isArray(given)
      ? Array.from({ length: Math.min(4, given.length) }, (_, i) => given[i])
      : [given];
    // By index: `every` would skip holes.
    for (let i = 0; i < list.length; i++) {
      if (isCount(list[i])) continue;
      const part = Array.isArray(given) ? `[${i}]` : '';
      refuse(
        code,
        `\`range.${name}${part}\` must be a whole number from 0 to 2^53 - 1, not ${describe(list[i])}`,
      );
    }
    return list as readonly number[];
  };
  const global = sizes('global', ErrorCode.INVALID_GLOBAL_WORK_SIZE);
  if (global.length < 1 || global.length > 3)
    refuse(
      ErrorCode.INVALID_WORK_DIMENSION,
      `a range has 1 to 3 dimensions, not ${global.length} (\`range.global\`)`,
    );
  const like = (name: 'local' | 'offset', code: ErrorCode, ofDimension: ErrorCode) => {
    if (range[name] === undefined) return undefined;
    const list = sizes(name, code);
    if (list.length !== global.length)
      refuse(
        ofDimension,
        `\`range.${name}\` has ${pluralize(list.length, 'dimension')}, \`range.global\` ${global.length}`,
      );
    return list;
  };
  const local = like('local', ErrorCode.INVALID_WORK_GROUP_SIZE, ErrorCode.INVALID_WORK_DIMENSION);
  if (local?.includes(0))
    refuse(
      ErrorCode.INVALID_WORK_GROUP_SIZE,
      `\`range.local\` is ${local.join(' × ')}: a work-group has at least one work-item`,
    );
  const offset = like('offset', ErrorCode.INVALID_GLOBAL_OFFSET, ErrorCode.INVALID_GLOBAL_OFFSET);
  return { global, local, offset };
}

/** One of a range's sizes as a new list: the script may change its own. */
export const ownSizes = (size: Size | undefined): readonly number[] | undefined =>
  size === undefined ? undefined : [...asList(size)];
