// SPDX-License-Identifier: MIT
//
// Component names of vectors (6.1.7).

type Swizzle =
  | { readonly ok: true; readonly indices: readonly number[] }
  | { readonly ok: false; readonly problem: 'name'; readonly character: string }
  | { readonly ok: false; readonly problem: 'range' | 'length' };

const XYZW = 'xyzw';

const RGBA = 'rgba';

const RANGE = { ok: false, problem: 'range' } as const;

const LENGTH = { ok: false, problem: 'length' } as const;

function half(name: string, count: number): readonly number[] | undefined {
  // A vector of three is treated as one of four: stores to its fourth component are dropped, and loads of it are undefined.
  const whole = count === 3 ? 4 : count;
  const indices: number[] = [];
  for (let i = 0; i < whole / 2; i++) {
    let index: number;
    if (name === 'lo') index = i;
    else if (name === 'hi') index = i + whole / 2;
    else if (name === 'even') index = 2 * i;
    else if (name === 'odd') index = 2 * i + 1;
    else return undefined;
    indices.push(index);
  }
  return indices;
}

/** Which components of a vector of `count` the name selects. */
export function readSwizzle(name: string, count: number): Swizzle {
  const halves = half(name, count);
  if (halves) return { ok: true, indices: halves };
  const indices: number[] = [];
  if ((name[0] === 's' || name[0] === 'S') && name.length > 1) {
    for (let i = 1; i < name.length; i++) {
      const index = Number.parseInt(name[i]!, 16);
      if (Number.isNaN(index)) return { ok: false, problem: 'name', character: name[i]! };
      indices.push(index);
    }
  } else {
    const letters = XYZW.includes(name[0]!) ? XYZW : RGBA;
    for (let i = 0; i < name.length; i++) {
      const index = letters.indexOf(name[i]!);
      if (index < 0) return { ok: false, problem: 'name', character: name[i]! };
      indices.push(index);
    }
  }
  if (indices.some((index) => index >= count)) return RANGE;
  const { length } = indices;
  const fits = length <= 4 || length === 8 || length === 16;
  return fits ? { ok: true, indices } : LENGTH;
}
