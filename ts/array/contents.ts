// SPDX-License-Identifier: MIT
//
// The elements of a node as a whole: read, copied, viewed in another layout, and the kernels that compute them.
import { materialize } from './elementwise/elementwise';
import { Node } from './node';
import { contiguous, isDense, type Layout, sizeOf } from './shape';
import { perform, type Task } from './task';

/** The elements, row after row, in a new typed array or `into`. */
export function* elementsOf(node: Node, into?: ArrayBufferView): Task<ArrayBufferView> {
  const { space } = node;
  const size = sizeOf(node.shape);
  const view = yield* node.compute();
  // Elements that follow each other are read from where they are.
  if (isDense(view)) return yield* space.read(view.storage, view.offset, size, into);
  const storage = yield* materialize(node);
  try {
    return yield* space.read(storage, 0, size, into);
  } finally {
    storage.release();
  }
}

/** A node with the same elements in memory of its own. */
export function copyOf(node: Node): Node {
  node.checkAlive('copy');
  return new Node(node.space, node.dtype, node.shape, { kind: 'task', run: () => materialize(node) });
}

/** A node with the same elements in another layout. */
export function viewOf(node: Node, change: (layout: Layout) => Layout): Node {
  node.checkAlive();
  const { shape } = change(contiguous(node.shape));
  const { view } = node;
  const how = view
    ? { storage: view.storage.retain(), ...change(view) }
    : ({ kind: 'view', base: node, change } as const);
  return new Node(node.space, node.dtype, shape, how);
}

/** The sources of the kernels that compute a copy. */
export async function sourcesOf(node: Node): Promise<string> {
  const { space } = node;
  const sources: string[] = [];
  space.observe(sources);
  try {
    await perform(copyOf(node).compute());
  } finally {
    space.observe(undefined);
  }
  // A sort runs the same kernels once for each digit.
  return [...new Set(sources)].join('\n');
}
