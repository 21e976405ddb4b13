// SPDX-License-Identifier: MIT
//
// The entry for browsers: the software device on the thread that calls, and no module of Node.js.
import { prepareApi } from './api/prepare';
import { createRegistry } from './backend/registry';
import { SoftwareBackend } from './backend/software';
import { defaultToolchain } from './backend/software/build/default-toolchain';
import { BrowserHost } from './host/browser/browser-host';
import { library } from './host/browser/embedded';

export * from './api/public';
export * from './flow/public';

prepareApi(() =>
  createRegistry(new BrowserHost(library), [
    { kind: 'software', make: (host) => new SoftwareBackend(host, defaultToolchain) },
  ]),
);
