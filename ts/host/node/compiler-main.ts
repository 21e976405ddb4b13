// SPDX-License-Identifier: MIT
// The entry point of the compiler's thread where there is no bundle to load; scripts/build.mjs makes dist/compiler.cjs of it.
import { serveCompiler } from './serve-compiler';

serveCompiler();
