// SPDX-License-Identifier: MIT
import type { Host } from '../../base/host';
import { decode } from '../../spirv/decode';
import { encode } from '../../spirv/encode';
import { SpirvError } from '../../spirv/spirv-error';
import type { Toolchain } from './toolchain';

/** anycl's own compiler, SPIR-V tools and JIT. */
export function defaultToolchain(_host: Host): Toolchain {
  const missing = (what: string) => (): never => {
    throw new SpirvError(`${what} is not implemented yet`);
  };
  return {
    compile: missing('the compiler'),
    encode,
    decode,
    validate: () => undefined,
    specialize: missing('specialization'),
    link: (modules) => (modules.length === 1 ? modules[0]! : missing('linking')()),
    load: missing('the JIT'),
  };
}
