// SPDX-License-Identifier: MIT
// What the programs of bench/alternatives have in common: sizes, inputs, and how a repetition is timed. pyopencl.py repeats it.

/** Elements of the triad and of the small call; columns and rows of the image and of the matrices. */
export const SIZES = { triad: 1 << 20, mandelbrot: 512, matmul: 256, call: 256 };
export const REPETITIONS = { triad: 11, mandelbrot: 5, matmul: 5, call: 101 };

/** Small numbers that floats represent exactly, and whose sums hardly depend on their order. */
export const first = (n) => Float32Array.from({ length: n }, (_, i) => (i % 17) / 16);
export const second = (n) => Float32Array.from({ length: n }, (_, i) => (i % 13) / 8);

export const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];

/** Sums as doubles. */
export const sum = (array) => array.reduce((total, value) => total + value, 0);

/**
 * Prints, for each workload, the median of its repetitions in milliseconds and the sum of its result.
 * @param workloads for each name a function that runs it once, to its end, and one that returns its result
 */
export async function measure(device, workloads) {
  const results = {};
  for (const [name, { run, result }] of Object.entries(workloads)) {
    await run();
    const times = [];
    for (let i = 0; i < REPETITIONS[name]; i++) {
      const started = performance.now();
      await run();
      times.push(performance.now() - started);
    }
    results[name] = { ms: median(times), sum: sum(await result()) };
  }
  console.log(JSON.stringify({ device, results }));
}
