// SPDX-License-Identifier: MIT

/**
 * Compares the outputs of a workload between devices. An output is [buffer, tolerance, how]: `relative` (default) and
 * `absolute` bound each element's difference, `fraction` the share of elements that differ at all. Returns undefined if
 * all agree, else a description of the worst.
 */
export async function compareOutputs(states) {
  const [first, ...others] = states;
  for (let i = 0; i < first.outputs.length; i++) {
    const [buffer, tolerance, how = 'relative'] = first.outputs[i];
    const expected = await buffer.read();
    for (const other of others) {
      const problem = differ(expected, await other.outputs[i][0].read(), tolerance, how);
      if (problem) return `output ${i}: ${problem}`;
    }
  }
  return undefined;
}

function differ(a, b, tolerance, how) {
  let worst = 0;
  let at = -1;
  let different = 0;
  for (let k = 0; k < a.length; k++) {
    if (a[k] === b[k] || (Number.isNaN(a[k]) && Number.isNaN(b[k]))) continue;
    different++;
    const difference = Math.abs(Number(a[k]) - Number(b[k]));
    const error =
      how === 'relative' ? difference / Math.max(Math.abs(Number(a[k])), Math.abs(Number(b[k]))) : difference;
    if (!(error <= worst)) {
      worst = error;
      at = k;
    }
  }
  if (how === 'fraction') {
    return different / a.length > tolerance ? `${different} of ${a.length} elements differ` : undefined;
  }
  return worst > tolerance || Number.isNaN(worst)
    ? `element ${at} is ${a[at]} and ${b[at]}, ${different} differ`
    : undefined;
}
