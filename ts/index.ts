// SPDX-License-Identifier: MIT
//
// The package's entry for Node.js: the machine's drivers and the software device.
import { prepareApi } from './api/prepare';
import type { RuntimeOptions } from './api/runtime';
import { createNativeBackend } from './backend/native';
import * as threads from './backend/native/thread-placer';
import { NullBackend } from './backend/null/null-backend';
import { type BackendMaker, createRegistry } from './backend/registry';
import { SoftwareBackend } from './backend/software';
import type { Toolchain } from './backend/software/build/toolchain';
import type { Host } from './base/host';
import { ErrorCode } from './cl/constants.gen';
import { OpenCLError } from './cl/opencl-error';
import { processSettings } from './host/node/environment';
import { NodeHost } from './host/node/node-host';

export * from './api/public';
export * from './flow/public';

function refuseSetting(problem: string): never {
  // V8 keeps ten frames, and more than these may be between the script's call and where a setting is first read.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 50;
  try {
    throw new OpenCLError(ErrorCode.INVALID_VALUE, 'clGetPlatformIDs', problem);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** The compiler and the JIT are most of the code. They are loaded for the first program. */
const loadToolchain = (host: Host): Toolchain =>
  (require('./host/node/toolchain-main') as typeof import('./host/node/toolchain-main')).defaultToolchain(
    host,
  );

const makers = (toolchain: (host: Host) => Toolchain): readonly BackendMaker[] => [
  {
    kind: 'native',
    make: ({ settings }) => createNativeBackend(settings.openclLibrary, () => settings.remoteTimeout),
  },
  { kind: 'software', make: (host) => new SoftwareBackend(host, toolchain) },
  { kind: 'null', make: () => new NullBackend() },
];

/** The same, but each call is recorded (docs/adr/0032-traces-by-decoration.md). */
function tracedMakers(host: Host, options: RuntimeOptions): readonly BackendMaker[] {
  const { decorateBackend, decorateHost, decorateToolchain, startTrace } =
    require('./host/node/trace-main') as typeof import('./host/node/trace-main');
  const trace = startTrace(host, options.trace, options.onTrace);
  decorateHost(host, trace);
  return makers((toolHost) => decorateToolchain(loadToolchain(toolHost), trace)).map(({ kind, make }) => ({
    kind,
    make: (backendHost) => decorateBackend(make(backendHost), trace),
  }));
}

prepareApi((options = {}) => {
  const host = new NodeHost(processSettings(refuseSetting), threads);
  const { trace = host.settings.trace, onTrace } = options;
  const isTraced = trace !== undefined || onTrace !== undefined;
  return createRegistry(host, isTraced ? tracedMakers(host, { trace, onTrace }) : makers(loadToolchain));
});
