// SPDX-License-Identifier: MIT
//
// Checks options. An axis in place of the options, or an option with an unknown name, would be ignored, and the result would be wrong.
import { fail, shown } from './errors';
import { checkAxis } from './shape';

/** Refuses options that are no object, and names that are not among `names`. */
export function checkOptions(options: unknown, names: readonly string[], functionName: string): void {
  if (options === undefined) return;
  if (options === null || typeof options !== 'object' || Array.isArray(options))
    fail(functionName, `options are an object, as { ${names[0]}: … }, not ${shown(options)}`);
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  const known = `there ${names.length > 1 ? 'are' : 'is'} ${names.join(', ')}`;
  fail(functionName, `there is no option '${unknown}'; ${known}`);
}

/** The axes that an option lists, from 0 on. */
export function checkAxes(axis: unknown, rank: number, functionName: string): number[] {
  if (typeof axis !== 'number' && !Array.isArray(axis))
    fail(functionName, `\`axis\` is a number or a list of numbers, not ${shown(axis)}`);
  return [axis].flat().map((each) => checkAxis(each, rank, functionName));
}
