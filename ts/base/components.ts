// SPDX-License-Identifier: MIT

/**
 * The strongly connected components of a graph, by Tarjan's algorithm: nodes that lead to each other, or one node. Each comes after the
 * components that it leads to.
 */
export function components<T>(nodes: Iterable<T>, successors: (node: T) => readonly T[]): T[][] {
  const index = new Map<T, number>();
  const low = new Map<T, number>();
  const open: T[] = [];
  const isOpen = new Set<T>();
  const found: T[][] = [];
  const enter = (node: T) => {
    index.set(node, index.size);
    low.set(node, index.get(node)!);
    open.push(node);
    isOpen.add(node);
    return { node, successors: successors(node), next: 0 };
  };
  const lower = (node: T, to: number) => low.set(node, Math.min(low.get(node)!, to));
  const close = (node: T) => {
    if (low.get(node) !== index.get(node)) return;
    const members = open.splice(open.lastIndexOf(node));
    for (const member of members) isOpen.delete(member);
    found.push(members);
  };
  for (const root of nodes) {
    if (index.has(root)) continue;
    const stack = [enter(root)];
    while (stack.length > 0) {
      const top = stack[stack.length - 1]!;
      if (top.next < top.successors.length) {
        const to = top.successors[top.next++]!;
        if (!index.has(to)) stack.push(enter(to));
        else if (isOpen.has(to)) lower(top.node, index.get(to)!);
        continue;
      }
      stack.pop();
      close(top.node);
      const parent = stack[stack.length - 1];
      if (parent) lower(parent.node, low.get(top.node)!);
    }
  }
  return found;
}
