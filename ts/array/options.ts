// SPDX-License-Identifier: MIT
//
// Checks options. An axis in place of the options, or an option with an unknown name, would be ignored, and the result would be wrong.
import { optionNames, unknownName, unknownNameDetail } from '../base/option-names';
import { fail, shown } from './errors';
import { checkAxis } from './shape';

/** Refuses options that are not an object, and names that are not among `names`. */
export function checkOptions(options: unknown, names: readonly string[], functionName: string): void {
  if (options === undefined) return;
  if (options === null || typeof options !== 'object' || Array.isArray(options))
    fail(functionName, `options must be an object, such as { ${names[0]}: … }, not ${shown(options)}`);
  checkNames(options, names, 'options', functionName);
}

/** Refuses names of members that are not among `names`. `what`: the object as the error calls it. */
export function checkNames(
  object: object,
  names: readonly string[],
  what: string,
  functionName: string,
): void {
  const known = optionNames(...names);
  const unknown = unknownName(object, known);
  if (unknown !== undefined)
    fail(functionName, `\`${what}.${unknown}\` ${unknownNameDetail(unknown, known)}`);
}

/** The axes that an option lists, from 0 on. */
export function checkAxes(axis: unknown, rank: number, functionName: string): number[] {
  if (typeof axis !== 'number' && !Array.isArray(axis))
    fail(functionName, `\`axis\` must be a number or a list of numbers, not ${shown(axis)}`);
  return [axis].flat().map((each) => checkAxis(each, rank, functionName));
}
