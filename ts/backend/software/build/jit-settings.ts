// SPDX-License-Identifier: MIT
import type { Host } from '../../../base/host';
import type { JitOptions } from '../../../jit/compiled';

/**
 * A module whose one function (a: f32, c: f32, x: f64, z: f64): i32 says whether a * a + c and x * x + z, as f32x4.relaxed_madd and
 * f64x2.relaxed_madd compute them, both differ from 0.
 */
const FUSED = new Uint8Array([
  0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 9, 1, 0x60, 4, 0x7d, 0x7d, 0x7c, 0x7c, 1, 0x7f, 3, 2, 1, 0, 7, 5, 1, 1,
  0x66, 0, 0, 10, 57, 1, 55, 0, 0x20, 0, 0xfd, 0x13, 0x20, 0, 0xfd, 0x13, 0x20, 1, 0xfd, 0x13, 0xfd, 0x85, 2,
  0xfd, 0x1f, 0, 0x43, 0, 0, 0, 0, 0x5c, 0x20, 2, 0xfd, 0x14, 0x20, 2, 0xfd, 0x14, 0x20, 3, 0xfd, 0x14, 0xfd,
  0x87, 2, 0xfd, 0x21, 0, 0x44, 0, 0, 0, 0, 0, 0, 0, 0, 0x62, 0x71, 0x0b,
]);

/**
 * Whether the engine has relaxed SIMD, and whether the processor then rounds a multiplication and addition once: twice, these sums
 * are 0.
 */
function probeEngine(host: Host): { readonly relaxedSimd: boolean; readonly fusedMultiplyAdd: boolean } {
  let module: WebAssembly.Module;
  try {
    module = host.compileWasm(FUSED);
  } catch (error) {
    if (!(error instanceof WebAssembly.CompileError)) throw error;
    return { relaxedSimd: false, fusedMultiplyAdd: false };
  }
  const f = new WebAssembly.Instance(module).exports['f'] as (
    a: number,
    c: number,
    x: number,
    z: number,
  ) => number;
  const [a, x] = [1 + 2 ** -12, 1 + 2 ** -27];
  return { relaxedSimd: true, fusedMultiplyAdd: f(a, -1 - 2 ** -11, x, -1 - 2 ** -26) === 1 };
}

/** How kernels are compiled on this machine. */
export function jitSettings(host: Host): JitOptions {
  const { lanes, rows } = host.settings;
  const { relaxedSimd, fusedMultiplyAdd } = probeEngine(host);
  return {
    engine: {
      relaxedSimd,
      fusedMultiplyAdd,
      isX64: host.architecture === 'x64',
      // Processors that multiply and add in one instruction have vectors of 256 bits: Node.js does not say which have.
      wide: host.wideVectors && fusedMultiplyAdd,
      hoists: host.hoistsInvariants,
    },
    lanes,
    rows,
  };
}
