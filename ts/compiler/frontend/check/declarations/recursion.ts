// SPDX-License-Identifier: MIT
//
// Recursion, which OpenCL C does not have (6.9.i).
import type { Checker } from '../checker';
import type { FunctionEntity } from '../symbols';

/**
 * Recursion is not allowed (6.9.i): reports each function that closes a cycle. A function that enqueues a block which calls
 * that function again is not a cycle, because the block runs as a separate kernel.
 */
export function checkRecursion(c: Checker): void {
  const done = new Set<FunctionEntity>();
  const active = new Set<FunctionEntity>();
  const visit = (entity: FunctionEntity): void => {
    if (done.has(entity)) return;
    active.add(entity);
    for (const callee of c.calls.get(entity) ?? []) {
      if (active.has(callee)) c.reporter.report('recursion', callee.location, { name: callee.name });
      else visit(callee);
    }
    active.delete(entity);
    done.add(entity);
  };
  for (const entity of c.calls.keys()) visit(entity);
}
