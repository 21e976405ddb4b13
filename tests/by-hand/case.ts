// SPDX-License-Identifier: MIT
//
// A kernel written by hand, and what it must compute: the same in JavaScript.

import type { Session } from '../../ts';
import type { KernelValue } from '../../ts/api/objects/kernel-values';
import type { Size } from '../../ts/api/options/range';

export interface Case {
  readonly name: string;
  /** Declarations before the kernel. */
  readonly before?: string;
  /** The kernel's body: it has `o`, which holds what `in` begins with or zeros, `in`, and `g`, the work-item's id. */
  readonly body: string;
  readonly global: Size;
  readonly local?: Size;
  readonly offset?: Size;
  /** Parameters after `o` and `in`, each with a comma before it, and the values for them. */
  readonly parameters?: string;
  values?(cl: Session): KernelValue[];
  /** Words of `o`. */
  readonly words: number;
  /** Whether `o` begins with the words of `in`, which then is `o` a second time. */
  readonly same?: boolean;
  /** Changes `o` as the whole launch does. */
  reference(o: Uint32Array, input: Uint32Array): void;
}

export const sourceOf = ({ name, before = '', parameters = '', body }: Case): string =>
  `${before}\nkernel void ${name}(global uint *o, global uint *in${parameters}) { const uint g = get_global_id(0); ${body} }\n`;

/** Numbers at the limits of types, then random ones. */
export function inputWords(): Uint32Array {
  const words = new Uint32Array(1024);
  let state = 12345;
  for (let i = 0; i < words.length; i++) {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d);
    state = (Math.imul(state ^ (state >>> 12), 0x297a2d39) + 0x9e3779b9) | 0;
    words[i] = state ^ (state >>> 15);
  }
  words.set([
    0, 1, 0xffffffff, 0x80000000, 0x7fffffff, 2, 3, 31, 32, 63, 64, 0xffff, 0x8000, 0x7f, 0x80, 0xff,
  ]);
  return words;
}

/** h * 31 + v, as a uint. */
export const mix = (h: number, v: number): number => (Math.imul(h, 31) + v) >>> 0;
