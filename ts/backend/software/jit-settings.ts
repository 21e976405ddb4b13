// SPDX-License-Identifier: MIT
import type { Host } from '../../base/host';
import type { JitOptions } from '../../jit/compiled';

/** A module whose one function multiplies and adds with f32x4.relaxed_madd. */
const RELAXED_MADD = new Uint8Array([
  0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 8, 1, 0x60, 3, 0x7b, 0x7b, 0x7b, 1, 0x7b, 3, 2, 1, 0, 10, 13, 1, 11, 0,
  0x20, 0, 0x20, 1, 0x20, 2, 0xfd, 0x85, 2, 0x0b,
]);

/** How kernels are compiled on this machine. */
export function jitSettings(host: Host): JitOptions {
  const { lanes, rows } = host.settings;
  return {
    engine: { relaxedSimd: host.acceptsWasm(RELAXED_MADD), fastDot: host.architecture === 'x64' },
    lanes,
    rows,
  };
}
