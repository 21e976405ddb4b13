// SPDX-License-Identifier: MIT
//
// Which loop variables of a summary depend on each other: the strongly connected components of its formulas, by Tarjan's algorithm.
// Every cycle of formulas goes through a loop's variable.
import type { AccessSummary, SummaryNode } from '../../../base/access-summary';

/** Formulas that depend on each other, as indexes of nodes. */
export interface Recurrence {
  readonly nodes: readonly number[];
  /** Those of the nodes that are loop variables. */
  readonly loops: readonly number[];
}

const found = new WeakMap<AccessSummary, ReadonlyMap<number, Recurrence>>();

/** The recurrence of each loop variable. */
export function recurrencesOf(summary: AccessSummary): ReadonlyMap<number, Recurrence> {
  const known = found.get(summary);
  if (known) return known;
  const recurrences = new Map<number, Recurrence>();
  for (const nodes of components(summary.nodes)) {
    const loops = nodes.filter((index) => summary.nodes[index]!.op === 'loop');
    for (const index of loops) recurrences.set(index, { nodes, loops });
  }
  found.set(summary, recurrences);
  return recurrences;
}

function operandsOf(node: SummaryNode): readonly number[] {
  switch (node.op) {
    case 'unknown':
    case 'constant':
    case 'argument':
    case 'id':
      return [];
    case 'loop':
      return [...node.first, ...node.next];
    case 'merge':
      return node.of;
    case 'sext':
    case 'zext':
    case 'trunc':
      return [node.a];
    default:
      return [node.a, node.b];
  }
}

/** A node whose operands are being visited. */
interface Visit {
  readonly index: number;
  readonly operands: readonly number[];
  next: number;
}

function components(nodes: readonly SummaryNode[]): number[][] {
  const result: number[][] = [];
  /** When each node was first seen, and the earliest node on the stack that it reaches. */
  const order = new Int32Array(nodes.length).fill(-1);
  const earliest = new Int32Array(nodes.length);
  const isOnStack = new Uint8Array(nodes.length);
  const stack: number[] = [];
  const visits: Visit[] = [];
  let count = 0;
  const enter = (index: number): void => {
    order[index] = earliest[index] = count++;
    isOnStack[index] = 1;
    stack.push(index);
    visits.push({ index, operands: operandsOf(nodes[index]!), next: 0 });
  };
  const reach = (from: number, to: number): void => {
    earliest[from] = Math.min(earliest[from]!, to);
  };
  for (let root = 0; root < nodes.length; root++) {
    if (order[root] !== -1) continue;
    enter(root);
    for (let visit = visits.at(-1); visit; visit = visits.at(-1)) {
      const { index, operands } = visit;
      const operand = operands[visit.next++];
      if (operand !== undefined) {
        if (order[operand] === -1) enter(operand);
        else if (isOnStack[operand]) reach(index, order[operand]!);
        continue;
      }
      visits.pop();
      const user = visits.at(-1);
      if (user) reach(user.index, earliest[index]!);
      if (earliest[index] !== order[index]) continue;
      const members = stack.splice(stack.lastIndexOf(index));
      for (const member of members) isOnStack[member] = 0;
      result.push(members);
    }
  }
  return result;
}
