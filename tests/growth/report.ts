// SPDX-License-Identifier: MIT
//
// The body of scripts/growth.mjs: doubles one shape until it takes a while, and prints a line of JSON for each size.
import { measure } from './measure';
import { SHAPES } from './shapes';

/** Sizes that take less time are mostly the JIT's warm-up. */
const MILLISECONDS = 1000;
const LARGEST = 2 ** 22;

const [name, library, limit] = process.argv.slice(2);
const shape = SHAPES[name!]!;
for (let n = shape.smallest; n <= LARGEST; n *= 2) {
  const text = shape.source(n);
  const { frontEnd, jit, output } = measure(text, library!);
  const memory = process.resourceUsage().maxRSS / 1024;
  console.log(JSON.stringify({ n, bytes: text.length, frontEnd, jit, output, memory }));
  if (frontEnd + jit > Number(limit ?? MILLISECONDS)) break;
}
