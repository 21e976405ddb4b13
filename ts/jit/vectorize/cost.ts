// SPDX-License-Identifier: MIT
//
// How many work-items go into one tile.
import type { Divergence } from '../analyses/divergence';
import type { JitOptions } from '../compiled';
import type { Func } from '../ir/ir';

export interface Tile {
  readonly lanes: number;
  readonly rows: number;
}

export function chooseTile(_func: Func, _divergence: Divergence, options: JitOptions): Tile {
  const lanes = options.lanes > 0 ? options.lanes : 8;
  return { lanes, rows: Math.max(1, options.coarsening) };
}
