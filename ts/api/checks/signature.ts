// SPDX-License-Identifier: MIT
//
// The signature of a public method.
import type { Kind } from './kinds';

/** Parameters by name, in order; the name of a rest parameter begins with three dots. */
export type Parameters = Readonly<Record<string, Kind>>;

export interface Signature {
  /** The OpenCL function of the method; errors name it. */
  readonly functionName: string;
  readonly parameters: Parameters;
  /** The method returns a Promise: errors reject it, and nothing is thrown. */
  readonly rejects: boolean;
  /**
   * The method checks its arguments itself: scripts call it millions of times, and a wrapper would cost a
   * tenth of the call.
   */
  readonly checksItself: boolean;
  /** It also works on released objects. */
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
