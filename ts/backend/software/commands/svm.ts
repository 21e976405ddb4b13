// SPDX-License-Identifier: MIT
//
// Shared virtual memory. It is always visible to host and device, so maps and migrations have nothing to do.
import { fillPattern } from '../../../device/copies';
import type { BackendSvm } from '../../backend-objects';
import { ifNotDetached, stableSource } from '../../host-memory';
import { hostBytes } from '../memory/boxes';
import { SoftwareSvm } from '../memory/memory';
import type { Preparations, Prepared } from './prepared';

const nothing = (): Prepared => ({ run: undefined, uses: [] });

const svmsAmong = (...memories: readonly (BackendSvm | ArrayBufferView)[]): SoftwareSvm[] =>
  memories.filter((memory) => memory instanceof SoftwareSvm);

export const SVM_COMMANDS: Preparations<
  'svmMemcpy' | 'svmFill' | 'svmMap' | 'svmUnmap' | 'svmFree' | 'svmMigrate'
> = {
  svmMemcpy({ to, toOffset, from, fromOffset, size }) {
    const source = ArrayBuffer.isView(from) ? stableSource(from) : from;
    const copy = (): void => hostBytes(to, toOffset, size).set(hostBytes(source, fromOffset, size));
    const intoWhole = ArrayBuffer.isView(to) ? ifNotDetached(to, copy) : copy;
    const run = ArrayBuffer.isView(source) ? ifNotDetached(source, intoWhole) : intoWhole;
    return { run, uses: svmsAmong(to, from) };
  },

  svmFill({ svm, offset, size, pattern }) {
    const own = pattern.slice();
    return { run: () => fillPattern(hostBytes(svm, offset, size), own), uses: svmsAmong(svm) };
  },

  svmFree({ svms }) {
    const run = (): void => {
      for (const svm of svms) svm.free();
    };
    return { run, uses: [] };
  },

  svmMap: nothing,
  svmUnmap: nothing,
  svmMigrate: nothing,
};
