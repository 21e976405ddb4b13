// SPDX-License-Identifier: MIT
import type { Host } from '../../base/host';
import { compile } from '../../compiler/compile';
import { loadProgram } from '../../jit';
import { decode } from '../../spirv/decode';
import { encode } from '../../spirv/encode';
import { SpirvError } from '../../spirv/spirv-error';
import { LIBRARY_FILE, openLibrary } from './library-file';
import type { Toolchain } from './toolchain';

/** anycl's own compiler, SPIR-V tools and JIT. */
export function defaultToolchain(host: Host): Toolchain {
  const missing = (what: string) => (): never => {
    throw new SpirvError(`${what} is not implemented yet`);
  };
  const library = openLibrary(() => host.readAsset(LIBRARY_FILE));
  return {
    compile,
    encode,
    decode,
    validate: () => undefined,
    specialize: missing('specialization'),
    link: (modules) => (modules.length === 1 ? modules[0]! : missing('linking')()),
    load: (module) => loadProgram(module, library),
  };
}
