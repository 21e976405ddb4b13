// SPDX-License-Identifier: MIT
//
// What the examples share: the device from `--device SEL`, their kernel's source, and the report at the end.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { OpenCLError, open } from 'anycl';

/** Opens the device that the command line names and builds kernels/examples/NAME.cl. */
export async function setUp(name, options = {}) {
  const { values: flags } = parseArgs({
    options: { device: { type: 'string' }, out: { type: 'string' }, ...options },
  });
  const cl = await open(flags.device === undefined ? {} : { device: flags.device }).catch((error) => {
    console.error(error.message);
    process.exit(error instanceof OpenCLError ? 3 : 70);
  });
  const started = performance.now();
  const program = await cl.build(
    readFileSync(new URL(`../../kernels/examples/${name}.cl`, import.meta.url), 'utf8'),
  );
  return { cl, flags, kernels: program.kernels, buildMs: performance.now() - started };
}

/** Prints the work, the device, and how long the command of `event` took there. */
export function report(what, { cl, buildMs }, event) {
  const kernel = event.profile.durationMs.toFixed(3);
  console.log(
    `${what}\n  on ${cl.device} (${cl.device.type}): build ${buildMs.toFixed(1)} ms, kernel ${kernel} ms`,
  );
}

/** Ends the example with a message and exit status 1 unless the result is right. */
export function check(right, what) {
  if (right) return;
  console.error(`wrong result: ${what}`);
  process.exit(1);
}
