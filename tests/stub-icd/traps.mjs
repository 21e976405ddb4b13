// SPDX-License-Identifier: MIT
//
// A kernel traps on the software device after a driver has compiled, with a handler of memory faults as LLVM's: it leaves the default
// action, which ends the process, for the next fault.
//
//     node traps.mjs build|buildSync
import { open } from '../../dist/index.mjs';
import { direct, lost, must, software } from './stub-driver.mjs';

const [method] = process.argv.slice(2);
const program = lost.createContext().createProgram('kernel void k(global int *p) { }');
direct('faults');
await program[method]();

const session = await open({ device: software.devices[0] });
const { kernels } = await session.build('kernel void k(global int *p) { p[0x20000000] = 1; }');
const error = await kernels.k.run({ global: 64 }, session.buffer(4)).catch((error) => error);
must(/trapped: memory access out of bounds/.test(error?.message), `not the error of a trap: ${error}`);
session.close();
console.log('ok');
