// SPDX-License-Identifier: MIT
//
// The declaration of a workload: its source, and a function that creates its buffers on a session and returns the launches of one
// repetition and the outputs to compare between devices.
import { readFileSync } from 'node:fs';
import { bytes, PIXELS, SIDE, square } from './inputs.mjs';

const source = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
export const bench = (name) => source(`bench/kernels/${name}.cl`);
export const example = (name) => source(`kernels/examples/${name}.cl`);

/** How outputs are compared: `exact`, or the largest relative error that the kernel's accuracy allows. */
export const exact = 0;

/** A workload of one kernel of bench/kernels: `make` gives the launches' range and arguments, and the outputs. */
export function workload(kernel, make, file = 'more') {
  return {
    source: () => bench(file),
    options: file.startsWith('cl3.0/') ? '-cl-std=CL3.0' : '',
    make(cl, kernels) {
      const { range, args, outputs, steps = [[]], ...rest } = make(cl);
      return { launches: steps.map((step) => [kernels[kernel], range, ...args, ...step]), outputs, ...rest };
    },
  };
}

/** One kernel whose arguments are inputs, one output and numbers, in this order. */
export function simple(
  file,
  kernel,
  range,
  inputs,
  output,
  numbers = [],
  tolerance = exact,
  how = undefined,
) {
  return workload(
    kernel,
    (cl) => {
      const out = cl.buffer(...output);
      return {
        range,
        args: [...inputs().map((data) => cl.buffer(data)), out, ...numbers],
        outputs: [[out, tolerance, how]],
      };
    },
    file,
  );
}

/** A filter from one image to another, with four bytes per pixel. */
export function imageFilter(kernel, format, numbers = []) {
  return workload(
    kernel,
    (cl) => {
      const shape = { width: SIDE, height: SIDE, format };
      const out = cl.image(shape);
      return {
        range: square,
        args: [cl.image(shape, bytes(PIXELS * 4, 256)), out, ...numbers],
        outputs: [[out, 1, 'absolute']],
      };
    },
    'images',
  );
}
