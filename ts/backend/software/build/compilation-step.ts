// SPDX-License-Identifier: MIT
//
// How the host runs steps of a compilation, by its size.
import type { Host } from '../../../base/host';
import type { BuildInput } from './build-program';
import type { BuildTools } from './toolchain';

/** Runs a step of a compilation. */
export type RunStep = <T>(step: () => T) => T;

/** Sources of fewer characters are compiled in a few milliseconds. */
const SMALL_TEXT = 20_000;
/** So many SPIR-V instructions are compiled in some tens of milliseconds. */
const SMALL_PROGRAM = 2000;

/** For building a program from its input. */
export function stepFor(
  tools: Pick<BuildTools, 'host' | 'toolchain'>,
  input: Pick<BuildInput & { kind: 'source' }, 'text'> | object,
): RunStep {
  // Loads them: while a step has set V8's flags, V8 takes no stored code.
  void tools.toolchain;
  const { host } = tools;
  if (!('text' in input)) return (step) => step();
  return input.text.length < SMALL_TEXT ? smallStep(host) : longStep(host);
}

/** For compiling kernels of a program with this many instructions. */
export const stepForKernels = (host: Host, instructions: number): RunStep =>
  instructions < SMALL_PROGRAM ? smallStep(host) : longStep(host);

const smallStep =
  (host: Host): RunStep =>
  (step) =>
    host.smallStep(step);

const longStep =
  (host: Host): RunStep =>
  (step) => {
    const end = host.beginLongStep();
    try {
      return step();
    } finally {
      end();
    }
  };
