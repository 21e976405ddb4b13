// SPDX-License-Identifier: MIT
//
// Fuses elementwise operations into the kernel that reads their results. Every kernel of this folder reads its input through this file,
// so that a sum of products is one kernel.
import type { DType } from './dtype';
import { converted } from './elementwise/operators';
import { isNode, Node, type Operand, type Operation, type Scalar, type View } from './node';
import { broadcastTo, contiguous, isContiguous, type Layout, type Shape, sizeOf } from './shape';
import type { Space, Storage } from './space';
import type { Task } from './task';
import type { Addressing, AxisGroup, KernelWriter } from './writer';

/** Operations in one kernel: beyond that an operand is computed by itself. */
const MOST_FUSED = 40;

/** The memory that a task uses. It is kept until the task's kernels are enqueued, or the task fails. */
export class Scope {
  readonly #held: { release(): void }[] = [];
  constructor(readonly space: Space) {}

  /** Memory that is needed for the task alone. */
  temporary(dtype: DType, elements: number): Storage {
    const storage = this.space.allocate(dtype, elements);
    this.#held.push(storage);
    return storage;
  }

  /** A node's elements, in any layout. They stay there while the task waits for something else. */
  *view(node: Node): Task<View> {
    yield* node.compute();
    node.checkAlive();
    const view = node.view!;
    this.#held.push(view.storage.retain());
    return view;
  }

  /** A node that is going to be read: its owner may have its elements, and let it go, before that. */
  hold(node: Node): void {
    node.hold();
    this.#held.push({ release: () => node.drop() });
  }

  /** Takes over storage, or a node, that was made for this task. */
  keep<T extends Storage | Node>(made: T): T {
    this.#held.push(made);
    return made;
  }

  /** A node for the task alone, of elements that follow each other in memory. */
  node(storage: Storage, dtype: DType, shape: Shape): Node {
    return this.keep(new Node(this.space, dtype, shape, { storage: storage.retain(), ...contiguous(shape) }));
  }

  release(): void {
    while (this.#held.length > 0) this.#held.pop()!.release();
  }
}

/** Runs a task with a scope of its own. */
export function* scoped<T>(space: Space, run: (scope: Scope) => Task<T>): Task<T> {
  const scope = new Scope(space);
  try {
    return yield* run(scope);
  } finally {
    scope.release();
  }
}

/** The inputs of a kernel: the operations to fuse, and the arrays in memory that these read. */
export class Inputs {
  private constructor(
    private readonly operations: ReadonlyMap<Node, Operation>,
    private readonly views: ReadonlyMap<Node, View>,
  ) {}

  /** Finds out what the operands need, and computes what cannot be fused. */
  static *gather(operands: readonly Operand[], scope: Scope): Task<Inputs> {
    const operations = new Map<Node, Operation>();
    const read = new Set<Node>();
    const visit = (operand: Operand): void => {
      if (!isNode(operand) || operations.has(operand) || read.has(operand)) return;
      operand.checkAlive();
      const plan = operand.fused;
      if (!plan || operations.size >= MOST_FUSED) {
        read.add(operand);
        return;
      }
      operations.set(operand, plan);
      plan.operands.forEach(visit);
    };
    operands.forEach(visit);
    for (const node of read) scope.hold(node);
    const views = new Map<Node, View>();
    for (const node of read) views.set(node, yield* scope.view(node));
    return new Inputs(operations, views);
  }

  /** Whether every array that is read is in memory one element after the other, and as large as `shape`. */
  isLinear(shape: Shape): boolean {
    const size = sizeOf(shape);
    return [...this.views.values()].every(
      (view) => sizeOf(view.shape) === 1 || (sizeOf(view.shape) === size && isContiguous(view)),
    );
  }

  /**
   * Prepares to read the arrays at the element that the groups' variables name. The operands are broadcast to `shape`, whose axes are in
   * the order of the groups. Outputs are layouts of that shape that the kernel writes.
   */
  at(
    writer: KernelWriter,
    shape: Shape,
    groups: readonly AxisGroup[],
    outputs: readonly Layout[] = [],
  ): Reader {
    const layouts = new Map<Node, Layout>();
    for (const [node, view] of this.views) layouts.set(node, broadcastTo(view, shape, writer.name));
    const addressing = writer.addressing(shape, groups, [...layouts.values(), ...outputs]);
    return new Reader(writer, this.operations, this.views, layouts, addressing);
  }
}

/** Writes the text of operands' values, at one element. */
export class Reader {
  readonly #texts = new Map<Node | Scalar, string>();

  constructor(
    private readonly writer: KernelWriter,
    private readonly operations: ReadonlyMap<Node, Operation>,
    private readonly views: ReadonlyMap<Node, View>,
    private readonly layouts: ReadonlyMap<Node, Layout>,
    private readonly addressing: Addressing,
  ) {}

  /** Where the kernel finds the element of a layout that was given to `Inputs.at`. */
  address(layout: Layout): string {
    return this.addressing(layout);
  }

  /** The name of a variable, or a parameter, that has the operand's value. */
  value(operand: Operand): string {
    const known = this.#texts.get(operand);
    if (known) return known;
    const text = isNode(operand) ? this.#node(operand) : this.writer.number(operand);
    this.#texts.set(operand, text);
    return text;
  }

  #node(node: Node): string {
    const { writer } = this;
    const operation = this.operations.get(node);
    const name = writer.fresh('v');
    if (!operation) {
      const { storage } = this.views.get(node)!;
      const index = this.addressing(this.layouts.get(node)!);
      const load = writer.load(writer.input(storage), index, storage.dtype);
      writer.line(`const ${writer.type(node.dtype)} ${name} = ${load};`);
      return name;
    }
    const { operator, operands, computed } = operation;
    const { keeps = 0, helper } = operator;
    if (helper) writer.helper(helper);
    const texts = operands.map((operand, k) =>
      k < keeps ? this.value(operand) : this.#as(this.value(operand), operand.dtype, computed),
    );
    writer.line(`const ${writer.type(node.dtype)} ${name} = ${operator.text(texts, computed)};`);
    return name;
  }

  #as(text: string, from: DType, to: DType): string {
    const cast = converted(text, from, to);
    if (cast === text) return text;
    const name = this.writer.fresh('c');
    this.writer.line(`const ${this.writer.type(to)} ${name} = ${cast};`);
    return name;
  }
}
