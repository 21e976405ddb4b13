// SPDX-License-Identifier: MIT
//
// The code for branches and loops in which lanes may diverge, as structure.ts calls it.
import { splitLanes } from './divergent-branch';
import type { BranchEmitters } from './structure';
import { emitGuard, emitUnmaskedLoop, tilesBySide } from './unmasked-copies';

export const BRANCHES: BranchEmitters = {
  splitLanes,
  guard: emitGuard,
  unmaskedLoop: emitUnmaskedLoop,
  tilesBySide,
};
