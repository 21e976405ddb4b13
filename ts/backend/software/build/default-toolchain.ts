// SPDX-License-Identifier: MIT
import type { Host } from '../../../base/host';
import { compileSteps } from '../../../compiler/compile';
import { loadProgram } from '../../../jit';
import { copyArguments } from '../../../spirv/by-value';
import { decode } from '../../../spirv/decode';
import { encode } from '../../../spirv/encode';
import { link } from '../../../spirv/link';
import { repair } from '../../../spirv/repair';
import { specialize } from '../../../spirv/specialize';
import { openLibrary } from './library-file';
import type { Toolchain } from './toolchain';

/** anycl's own compiler, SPIR-V tools and JIT. */
export function defaultToolchain(host: Host): Toolchain {
  const library = openLibrary(() => host.builtInLibrary());
  return {
    compile: compileSteps,
    encode,
    decode,
    repair,
    copyArguments,
    // Only programs from SPIR-V are validated.
    validate: (...args) =>
      (require('../../../spirv/validate') as typeof import('../../../spirv/validate')).validate(...args),
    specialize,
    link,
    load: (module, addressBits) => loadProgram(module, library, addressBits),
  };
}
