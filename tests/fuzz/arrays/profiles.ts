// SPDX-License-Identifier: MIT
import type { Profile } from '../../../ts/array';

/** Ways to divide work that programs of arrays run with: a program of seed `s` takes the one at `s` modulo their number. */
export const PROFILES: readonly Partial<Profile>[] = [
  {},
  { style: 'lanes', units: 3 },
  { style: 'cores', units: 1 },
  { style: 'lanes', units: 2, groupSize: 16, localMemory: 4096 },
  { style: 'cores', units: 7 },
  { style: 'lanes', units: 1, groupSize: 256 },
];
