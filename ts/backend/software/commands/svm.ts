// SPDX-License-Identifier: MIT
//
// Shared virtual memory. It is always visible to host and device, so maps and migrations have nothing to do.

import { atOnce, NOTHING, onBytes } from '../../../device/commands/host-work';
import { fillPattern } from '../../../device/memory/copies';
import type { BackendSvm } from '../../backend-objects';
import { intact, stableSource } from '../../host-memory';
import { hostBytes } from '../memory/boxes';
import { SoftwareSvm } from '../memory/svm';
import type { Preparations, Prepared } from './prepared';

const nothing = (): Prepared => ({ work: NOTHING, uses: [] });

const svmsAmong = (...memories: readonly (BackendSvm | ArrayBufferView)[]): SoftwareSvm[] =>
  memories.filter((memory) => memory instanceof SoftwareSvm);

export const SVM_COMMANDS: Preparations<
  'svmMemcpy' | 'svmFill' | 'svmMap' | 'svmUnmap' | 'svmFree' | 'svmMigrate'
> = {
  svmMemcpy({ to, toOffset, from, fromOffset, size }) {
    const source = ArrayBuffer.isView(from) ? stableSource(from) : from;
    const copy = (at: number, bytes: number): void =>
      hostBytes(to, toOffset + at, bytes).set(hostBytes(source, fromOffset + at, bytes));
    const checks = [to, source].filter((end) => ArrayBuffer.isView(end)).map(intact);
    const isIntact = (): boolean => checks.every((check) => check());
    const [start, target] = [hostBytes(source, fromOffset, size), hostBytes(to, toOffset, size)];
    const backwards = start.buffer === target.buffer && target.byteOffset > start.byteOffset;
    return { work: onBytes(size, copy, isIntact, backwards), uses: svmsAmong(to, from) };
  },

  svmFill({ svm, offset, size, pattern }) {
    const own = pattern.slice();
    const fill = (at: number, bytes: number): void => fillPattern(hostBytes(svm, offset + at, bytes), own);
    return { work: onBytes(size, fill), uses: svmsAmong(svm) };
  },

  svmFree({ svms }) {
    const run = (): void => {
      for (const svm of svms) svm.free();
    };
    return { work: atOnce(run), uses: [] };
  },

  svmMap: nothing,
  svmUnmap: nothing,
  svmMigrate: nothing,
};
