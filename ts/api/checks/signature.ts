// SPDX-License-Identifier: MIT
//
// What a public method takes.
import type { Kind } from './kinds';

/** Parameters by name, in order; the name of a rest parameter begins with three dots. */
export type Parameters = Readonly<Record<string, Kind>>;

export interface Signature {
  /** The function of OpenCL that the method is for, and that errors name. */
  readonly functionName: string;
  readonly parameters: Parameters;
  /** The method returns a Promise: that is rejected, and nothing thrown. */
  readonly rejects: boolean;
  /** The method checks by selfChecked: scripts call it by the million, and what is in front of it would cost a tenth. */
  readonly checksItself: boolean;
  /** It works on objects that were released, too. */
  readonly outlivesRelease: boolean;
}

export const call = (functionName: string, parameters: Parameters): Signature => ({
  functionName,
  parameters,
  rejects: false,
  checksItself: false,
  outlivesRelease: false,
});

export const lasting = (signature: Signature): Signature => ({ ...signature, outlivesRelease: true });

export const selfChecked = (functionName: string, parameters: Parameters): Signature => ({
  ...call(functionName, parameters),
  checksItself: true,
});

export const promise = (functionName: string, parameters: Parameters): Signature => ({
  ...call(functionName, parameters),
  rejects: true,
});

/** A class's signatures; those of static methods begin with `static `. */
export type Signatures = Readonly<Record<string, Signature>>;
