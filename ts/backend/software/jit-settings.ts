// SPDX-License-Identifier: MIT
import type { Host } from '../../base/host';
import { ErrorCode } from '../../cl/constants.gen';
import { OpenCLError } from '../../cl/opencl-error';
import type { JitOptions } from '../../jit/compiled';

/** A module whose one function multiplies and adds with f32x4.relaxed_madd. */
const RELAXED_MADD = new Uint8Array([
  0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 8, 1, 0x60, 3, 0x7b, 0x7b, 0x7b, 1, 0x7b, 3, 2, 1, 0, 10, 13, 1, 11, 0,
  0x20, 0, 0x20, 1, 0x20, 2, 0xfd, 0x85, 2, 0x0b,
]);

/** 0: by the cost model. */
const LANES: readonly number[] = [0, 1, 4, 8, 16, 32];
const ROWS: readonly number[] = [0, 1, 2, 4];

/** How kernels are compiled on this machine. ANYCL_LANES and ANYCL_COARSENING overrule the cost model, for experiments. */
export function jitSettings(host: Host): JitOptions {
  return {
    engine: { relaxedSimd: host.acceptsWasm(RELAXED_MADD), fastDot: host.architecture === 'x64' },
    lanes: fromEnvironment(host, 'ANYCL_LANES', LANES),
    rows: fromEnvironment(host, 'ANYCL_COARSENING', ROWS),
  };
}

function fromEnvironment(host: Host, name: string, choices: readonly number[]): number {
  const value = Number(host.env(name) ?? 0);
  if (choices.includes(value)) return value;
  const message = `${name} is '${host.env(name)}'; it can be ${choices.slice(1).join(', ')}, or empty`;
  throw new OpenCLError(ErrorCode.INVALID_VALUE, 'clBuildProgram', message);
}
