// SPDX-License-Identifier: MIT
//
// What arrays do, as plain loops of JavaScript: the reference of the others' results. Results go to arrays that exist, so that no
// time goes to new memory.

/** A function for each workload, which returns its result. Of random numbers there is no reference: any are right. */
export function loops({ n, floats, ints, a, b, size }) {
  const out = new Float32Array(n).fill(1);
  const words = new Int32Array(n).fill(1);
  const places = new Uint32Array(n).fill(1);
  const product = new Float32Array(size * size).fill(1);

  function order() {
    for (let k = 0; k < n; k++) places[k] = k;
    return places.sort((p, q) => ints[p] - ints[q]);
  }

  return {
    axpy() {
      for (let k = 0; k < n; k++) out[k] = floats[k] + 2 * floats[k];
      return out;
    },
    math() {
      for (let k = 0; k < n; k++) out[k] = Math.sin(floats[k]) * Math.exp(floats[k]) + Math.sqrt(floats[k]);
      return out;
    },
    sum() {
      let sum = 0;
      for (let k = 0; k < n; k++) sum += floats[k];
      return [sum];
    },
    dot() {
      let sum = 0;
      for (let k = 0; k < n; k++) sum += floats[k] * floats[k];
      return [sum];
    },
    cumsum() {
      let sum = 0;
      for (let k = 0; k < n; k++) {
        sum = (sum + ints[k]) | 0;
        words[k] = sum;
      }
      return words;
    },
    sort() {
      words.set(ints);
      return words.sort();
    },
    argsort: order,
    sortBy() {
      order();
      for (let k = 0; k < n; k++) out[k] = floats[places[k]];
      return out;
    },
    compact() {
      let count = 0;
      for (let k = 0; k < n; k++) if (floats[k] > 0.5) out[count++] = floats[k];
      return out.subarray(0, count);
    },
    unique() {
      words.set(ints);
      words.sort();
      let count = 0;
      for (let k = 0; k < n; k++) if (k === 0 || words[k] !== words[k - 1]) words[count++] = words[k];
      return words.subarray(0, count);
    },
    histogram() {
      const counts = new Uint32Array(256);
      for (let k = 0; k < n; k++) counts[ints[k] & 255]++;
      return counts;
    },
    random() {
      for (let k = 0; k < n; k++) out[k] = Math.random();
      return out;
    },
    matmul() {
      for (let row = 0; row < size; row++)
        for (let column = 0; column < size; column++) {
          let sum = 0;
          for (let k = 0; k < size; k++) sum += a[row * size + k] * b[k * size + column];
          product[row * size + column] = sum;
        }
      return product;
    },
  };
}
