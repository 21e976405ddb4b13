// SPDX-License-Identifier: MIT

import { defaultToolchain } from '../backend/software/build/default-toolchain';
import { NodeHost } from '../host/node/node-host';
import type { Tools } from './compile/jit-text';

/** The compiler, SPIR-V's tools and the JIT as the software device uses them. */
export function tools(): Tools {
  const host = new NodeHost();
  return { host, toolchain: defaultToolchain(host) };
}
