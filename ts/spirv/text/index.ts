// SPDX-License-Identifier: MIT
export { type DisassembleOptions, disassemble } from './disassemble';
