// SPDX-License-Identifier: MIT

import { defaultToolchain } from '../backend/software/default-toolchain';
import type { Toolchain } from '../backend/software/toolchain';
import type { Host } from '../base/host';
import { NodeHost } from '../host/node/node-host';

/** The compiler, SPIR-V's tools and the JIT as the software device uses them. */
export function tools(): { readonly host: Host; readonly toolchain: Toolchain } {
  const host = new NodeHost();
  return { host, toolchain: defaultToolchain(host) };
}
