// SPDX-License-Identifier: MIT
//
// Both front ends of the debugger, which are loaded when one is used.
import '../../index';

export { debugAdapter } from './adapter';
export { stepInTerminal } from './terminal';
