// SPDX-License-Identifier: MIT
//
// Decides which code a launch runs.
import type { NDRange } from '../../../base/nd-range';
import type { SoftwareKernel } from '../programs/kernel';
import { codeForArguments } from '../programs/separate-arguments';
import type { LaunchCode } from '../proofs/launch-proof';

const GUARDED: LaunchCode = { code: 'guarded' };
const SEPARATE: LaunchCode = { code: 'separate' };

/** The code for a launch that starts now. */
export function codeFor(kernel: SoftwareKernel, range: NDRange): LaunchCode {
  const { device } = kernel;
  if (device.checked || device.isRobust)
    return (require('../checks') as typeof import('../checks')).provenCode(kernel, range);
  return codeForArguments(kernel) === 'separate' ? SEPARATE : GUARDED;
}
