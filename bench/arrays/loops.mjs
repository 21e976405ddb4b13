// SPDX-License-Identifier: MIT
//
// What arrays do, as plain loops of JavaScript. Results go to arrays that exist, so that no time goes to new memory.

export function loops({ n, floats, ints, a, b, size }) {
  const out = new Float32Array(n).fill(1);
  const words = new Int32Array(n).fill(1);
  const places = new Uint32Array(n).fill(1);
  return {
    axpy() {
      for (let k = 0; k < n; k++) out[k] = floats[k] + 2 * floats[k];
    },
    math() {
      for (let k = 0; k < n; k++) out[k] = Math.sin(floats[k]) * Math.exp(floats[k]) + Math.sqrt(floats[k]);
    },
    sum() {
      let sum = 0;
      for (let k = 0; k < n; k++) sum += floats[k];
      return sum;
    },
    dot() {
      let sum = 0;
      for (let k = 0; k < n; k++) sum += floats[k] * floats[k];
      return sum;
    },
    cumsum() {
      let sum = 0;
      for (let k = 0; k < n; k++) {
        sum = (sum + ints[k]) | 0;
        words[k] = sum;
      }
    },
    sort() {
      words.set(ints);
      words.sort();
    },
    argsort() {
      for (let k = 0; k < n; k++) places[k] = k;
      places.sort((p, q) => ints[p] - ints[q]);
    },
    compact() {
      let count = 0;
      for (let k = 0; k < n; k++) if (floats[k] > 0.5) out[count++] = floats[k];
      return count;
    },
    unique() {
      words.set(ints);
      words.sort();
      let count = 0;
      for (let k = 0; k < n; k++) if (k === 0 || words[k] !== words[k - 1]) words[count++] = words[k];
      return count;
    },
    histogram() {
      const counts = new Uint32Array(256);
      for (let k = 0; k < n; k++) counts[ints[k] & 255]++;
      return counts;
    },
    random() {
      for (let k = 0; k < n; k++) out[k] = Math.random();
    },
    matmul() {
      const c = new Float32Array(size * size);
      for (let row = 0; row < size; row++)
        for (let column = 0; column < size; column++) {
          let sum = 0;
          for (let k = 0; k < size; k++) sum += a[row * size + k] * b[k * size + column];
          c[row * size + column] = sum;
        }
    },
  };
}
