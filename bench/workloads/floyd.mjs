// SPDX-License-Identifier: MIT
//
// Shortest paths in place, a launch for each node that they may pass.
import { exact, workload } from './define.mjs';
import { integers } from './inputs.mjs';

/** Paths between `side` nodes, of distances below `most`, through the first `launches` of them. */
export const floyd = ({ kernel = 'floyd', file, side, most, launches }) =>
  workload(
    kernel,
    (cl) => {
      const distances = integers(side * side, most);
      const d = cl.buffer(distances);
      return {
        reset: () => d.write(distances),
        range: { global: [side, side] },
        args: [d, side],
        steps: Array.from({ length: launches }, (_, k) => [k]),
        outputs: [[d, exact]],
      };
    },
    file,
  );
