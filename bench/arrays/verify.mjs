// SPDX-License-Identifier: MIT
//
// Compares results of the arrays' workloads with those of the loops.

/** How far results of floats may be apart, relative to the reference; integers are equal. Sums of floats depend on their order. */
const TOLERANCE = { axpy: 1e-6, math: 2e-6, sum: 1e-3, dot: 1e-3, matmul: 1e-4, sortBy: 0, compact: 0 };

/** What is wrong with a result, or undefined. */
export function difference(name, result, reference) {
  if (name === 'random') return notUniform(result);
  if (result.length !== reference.length) return `${result.length} elements, not ${reference.length}`;
  const tolerance = TOLERANCE[name] ?? 0;
  for (let k = 0; k < result.length; k++) {
    const [got, expected] = [result[k], reference[k]];
    // Written so that NaN is different.
    if (!(Math.abs(got - expected) <= tolerance * Math.abs(expected)))
      return `element ${k} is ${got}, not ${expected}`;
  }
  return undefined;
}

/** Numbers from 0 to 1, 1 excluded, spread over it evenly: each sixteenth has its share, six standard deviations more or less. */
function notUniform(result) {
  const counts = new Float64Array(16);
  for (let k = 0; k < result.length; k++) {
    const value = result[k];
    if (!(value >= 0 && value <= 1)) return `element ${k} is ${value}`;
    counts[Math.min(15, Math.floor(value * 16))]++;
  }
  const share = result.length / 16;
  const allowed = 6 * Math.sqrt(share * (15 / 16));
  const off = counts.findIndex((count) => Math.abs(count - share) > allowed);
  return off < 0 ? undefined : `${counts[off]} numbers are in sixteenth ${off}, not about ${share}`;
}
