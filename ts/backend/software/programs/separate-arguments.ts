// SPDX-License-Identifier: MIT
//
// Whether the memory of a launch's arguments is separate, so that it may run code which relies on that
// (docs/adr/0047-separate-arguments.md).
import { type KernelSignature, mustBeSeparate } from '../../../base/kernel-abi';
import type { CodeKind } from './executable';
import type { ArgumentValue } from './kernel-arguments';
import type { KernelCode } from './nd-range';

/** The arguments that a launch compares. */
export interface Compared {
  /** Their indices. */
  readonly indices: readonly number[];
  /** The places in `indices` of those whose memory must be separate, one pair after another. */
  readonly pairs: readonly number[];
}

const known = new WeakMap<KernelSignature, Compared | undefined>();

/** Undefined if a kernel has no arguments that matter. */
export function comparedArguments(signature: KernelSignature): Compared | undefined {
  if (known.has(signature)) return known.get(signature);
  const { arguments: all } = signature;
  const matters = (i: number) => all.some((other, j) => j !== i && mustBeSeparate(all[i]!, other));
  const indices = [...all.keys()].filter(matters);
  const pairs = indices.flatMap((i, a) =>
    indices.flatMap((j, b) => (b > a && mustBeSeparate(all[i]!, all[j]!) ? [a, b] : [])),
  );
  const compared = indices.length > 0 ? { indices, pairs } : undefined;
  known.set(signature, compared);
  return compared;
}

/** The memory of the arguments that are compared: reused, because launches in loops compare it. */
let starts = new Float64Array(32);
let ends = new Float64Array(32);

/** Whether no two of the arguments have memory in common, of which the kernel may write one. */
function areSeparate(values: readonly (ArgumentValue | undefined)[], compared: Compared): boolean {
  const { indices, pairs } = compared;
  if (indices.length > starts.length) {
    starts = new Float64Array(indices.length);
    ends = new Float64Array(indices.length);
  }
  for (let at = 0; at < indices.length; at++) {
    const value = values[indices[at]!];
    if (value?.kind !== 'word' || value.bytes === undefined) return false;
    starts[at] = value.word;
    ends[at] = value.word + value.bytes;
  }
  for (let i = 0; i < pairs.length; i += 2) {
    const [a, b] = [pairs[i]!, pairs[i + 1]!];
    if (starts[a]! < ends[b]! && starts[b]! < ends[a]!) return false;
  }
  return true;
}

/** A kernel with the last decision about its arguments. */
export interface ComparingKernel extends KernelCode {
  readonly values: readonly (ArgumentValue | undefined)[];
  /** Counts the changes of arguments. */
  readonly version: number;
  /** Undefined if no arguments matter. */
  readonly compared: Compared | undefined;
  comparedVersion: number;
  comparedCode: CodeKind;
  /** Whether launches run the same code whatever the arguments are, when that is known. */
  onlyCode: CodeKind | 'either' | undefined;
}

/** The code for a launch with a kernel's current arguments, in a context without checks or robust access. */
export function codeForArguments(kernel: ComparingKernel): CodeKind {
  const { compared } = kernel;
  if (!compared) return 'guarded';
  if (kernel.comparedVersion === kernel.version) return kernel.comparedCode;
  kernel.onlyCode ??= kernel.executable.onlyCode(kernel.signature.name);
  if (kernel.onlyCode && kernel.onlyCode !== 'either') return kernel.onlyCode;
  kernel.comparedVersion = kernel.version;
  kernel.comparedCode = areSeparate(kernel.values, compared) ? 'separate' : 'guarded';
  return kernel.comparedCode;
}

/** The code that a kernel's properties are those of, whatever its arguments are: what launches most probably run. */
export function usualCode({ compared, executable, signature: { name } }: ComparingKernel): CodeKind {
  if (!compared) return 'guarded';
  return executable.isCompiled(name, 'guarded') && !executable.isCompiled(name, 'separate')
    ? 'guarded'
    : 'separate';
}
