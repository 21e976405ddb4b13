// SPDX-License-Identifier: MIT
//
// The subcommands that use devices; loaded when one of them runs.
//
// They use the API as programs do: it has to be prepared.
import '../index';

export { bench } from './bench/bench';
export { doctor, probeDrivers } from './doctor/doctor';
export { info } from './info';
export { kernels } from './kernels';
export { run } from './run/run';
