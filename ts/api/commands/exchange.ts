// SPDX-License-Identifier: MIT
//
// Commands that take memory from another API and give it back.

import type { Command } from '../../backend/command';
import { COMMANDS } from '../../backend/command-table';
import { handleFor } from '../internals';
import type { MemoryOperand } from './operands';

/** Another API that owns memory which OpenCL uses too. */
export type Owner = 'external' | 'gl' | 'egl';

/** For each owner: the commands that acquire memory from it and release it. */
const EXCHANGES = {
  external: { acquire: 'acquireExternal', release: 'releaseExternal' },
  gl: { acquire: 'acquireGl', release: 'releaseGl' },
  egl: { acquire: 'acquireEgl', release: 'releaseEgl' },
} as const satisfies Record<Owner, object>;

type ExchangeOp = (typeof EXCHANGES)[Owner]['acquire' | 'release'];

export function exchange(
  way: 'acquire' | 'release',
  memories: readonly MemoryOperand[],
  owner: Owner,
): Command<ExchangeOp> {
  const op = EXCHANGES[owner][way];
  return { op, memories: memories.map((memory) => memory[handleFor](COMMANDS[op].enqueuedBy)) };
}
