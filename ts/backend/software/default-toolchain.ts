// SPDX-License-Identifier: MIT
import type { Host } from '../../base/host';
import { compile } from '../../compiler/compile';
import { loadProgram } from '../../jit';
import { decode } from '../../spirv/decode';
import { encode } from '../../spirv/encode';
import { link } from '../../spirv/link';
import { specialize } from '../../spirv/specialize';
import { validate } from '../../spirv/validate';
import { openLibrary } from './library-file';
import type { Toolchain } from './toolchain';

/** anycl's own compiler, SPIR-V tools and JIT. */
export function defaultToolchain(host: Host): Toolchain {
  const library = openLibrary(() => host.builtInLibrary());
  return {
    compile,
    encode,
    decode,
    validate,
    specialize,
    link,
    load: (module) => loadProgram(module, library),
  };
}
