// SPDX-License-Identifier: MIT
import { splitLanes } from './divergent-branch';
import type { BranchEmitters } from './structure';
import { emitGuard, emitUnmaskedLoop } from './unmasked-copies';

export const BRANCHES: BranchEmitters = {
  splitLanes,
  guard: emitGuard,
  unmaskedLoop: emitUnmaskedLoop,
};
