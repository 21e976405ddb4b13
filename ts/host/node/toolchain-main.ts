// SPDX-License-Identifier: MIT
// What is loaded when a program is first built: the compiler and the JIT, and what the compiler's thread does with them.
export { defaultToolchain } from '../../backend/software/build/default-toolchain';
export { serveCompiler } from './serve-compiler';
