// SPDX-License-Identifier: MIT
//
// The package's entry for Node.js: the machine's drivers and the software device.
import { prepareApi } from './api/prepare';
import { createNativeBackend } from './backend/native';
import { NullBackend } from './backend/null/null-backend';
import { createRegistry } from './backend/registry';
import { SoftwareBackend } from './backend/software';
import type { Toolchain } from './backend/software/toolchain';
import type { Host } from './base/host';
import { ErrorCode } from './cl/constants.gen';
import { OpenCLError } from './cl/opencl-error';
import { processSettings } from './host/node/environment';
import { NodeHost } from './host/node/node-host';

export * from './api/public';

function refuseSetting(problem: string): never {
  throw new OpenCLError(ErrorCode.INVALID_VALUE, 'clGetPlatformIDs', problem);
}

/** The compiler and the JIT are most of the code. They are loaded for the first program. */
const loadToolchain = (host: Host): Toolchain =>
  (require('./host/node/toolchain-main') as typeof import('./host/node/toolchain-main')).defaultToolchain(
    host,
  );

prepareApi(() =>
  createRegistry(new NodeHost(processSettings(refuseSetting)), [
    { kind: 'native', make: ({ settings }) => createNativeBackend(settings.openclLibrary) },
    { kind: 'software', make: (host) => new SoftwareBackend(host, loadToolchain) },
    { kind: 'null', make: () => new NullBackend() },
  ]),
);
