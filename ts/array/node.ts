// SPDX-License-Identifier: MIT
//
// The contents of an array: elements in memory, or how to compute them. Elementwise operations only make nodes; the kernel that
// computes a node computes all elementwise operations that it is made of.
import { ErrorCode } from '../api/public';
import type { DType } from './dtype';
import type { Operator } from './elementwise/operators';
import { fail } from './errors';
import { contiguous, isDense, type Layout, type Shape, shapeText } from './shape';
import type { Space, Storage } from './space';
import { perform, performSync, type Request, type Task, wait } from './task';

/** Elements in memory. */
export interface View extends Layout {
  readonly storage: Storage;
}

/** A number among the operands. It is an argument of the kernel, so that other numbers use the same kernel. */
export interface Scalar {
  readonly value: number | bigint;
  readonly dtype: DType;
}

export type Operand = Node | Scalar;
export const isNode = (operand: Operand): operand is Node => operand instanceof Node;

/** An elementwise operation. */
export interface Operation {
  readonly operator: Operator;
  readonly operands: readonly Operand[];
  /** The type that the operands are converted to, except those whose type the operator keeps. */
  readonly computed: DType;
}

/** How a node's elements are computed. */
export type Plan =
  /** Element by element, of operands of the same shape or ones that broadcast to it. */
  | ({ readonly kind: 'map'; readonly run: () => Task<Storage> } & Operation)
  /** The elements of another node, seen differently. */
  | { readonly kind: 'view'; readonly base: Node; readonly change: (layout: Layout) => Layout }
  /** By kernels of its own. The task returns storage that the node then owns. */
  | { readonly kind: 'task'; readonly run: () => Task<Storage> }
  /** One of several results of a task that are computed together. */
  | { readonly kind: 'part'; readonly of: Group; readonly index: number };

/** Several results of one task, which runs once for all of them. */
export class Group {
  #parts: readonly Storage[] | undefined;
  #computing: Promise<void> | undefined;
  /** The parts that nodes have taken, or were released without. The group releases its own references after the last one. */
  readonly #taken = new Set<number>();

  constructor(
    private readonly run: () => Task<readonly Storage[]>,
    private readonly count: number,
  ) {}

  *part(index: number): Task<Storage> {
    while (!this.#parts) yield* wait(this.#request());
    const storage = this.#parts[index]!.retain();
    this.leave(index);
    return storage;
  }

  /** A part that nobody is going to take (again). */
  leave(index: number): void {
    this.#taken.add(index);
    if (this.#parts && this.#taken.size === this.count) this.#drop();
  }

  #request(): Request<void> {
    return {
      later: () => {
        this.#computing ??= perform(this.#compute()).finally(() => {
          this.#computing = undefined;
        });
        return this.#computing;
      },
      now: () => performSync(this.#compute()),
    };
  }

  *#compute(): Task<void> {
    const parts = yield* this.run();
    // Computed twice, by a call that blocks while another one waits.
    if (this.#parts) return releaseAll(parts);
    this.#parts = parts;
    forgotten.register(this, parts, this);
  }

  #drop(): void {
    forgotten.unregister(this);
    releaseAll(this.#parts!);
    this.#parts = undefined;
  }
}

function releaseAll(storages: readonly Storage[]): void {
  for (const storage of storages) storage.release();
}

/** Gives memory back after a node or a group was collected. */
const forgotten = new FinalizationRegistry<readonly Storage[]>((storages) => {
  try {
    releaseAll(storages);
  } catch {
    // An error of a finalizer would end the process.
  }
});

export class Node {
  #view: View | undefined;
  #plan: Plan | undefined;
  #released = false;
  #computing: Promise<View> | undefined;
  /** How often it is computed just now: twice, where a call that blocks does not wait for another one. */
  #runs = 0;
  /** Nodes that nobody else reads: released when this one has its elements. */
  #owned: readonly Node[] = [];
  /** Who reads a node that has owners. It is released after the last of them. */
  #holders = 0;
  #hasOwners = false;

  constructor(
    readonly space: Space,
    readonly dtype: DType,
    readonly shape: Shape,
    how: View | Plan,
  ) {
    if ('kind' in how) this.#plan = how;
    else this.#adopt(how);
    made?.push(this);
  }

  /** Takes over nodes that no caller sees. Several nodes may own one. */
  own(nodes: readonly Node[]): void {
    this.#owned = nodes;
    for (const node of nodes) {
      node.#hasOwners = true;
      node.hold();
    }
    if (!this.#plan) this.#disown();
  }

  #disown(): void {
    for (const node of this.#owned) node.drop();
    this.#owned = [];
  }

  /** Keeps a node that has owners until `drop`. */
  hold(): this {
    this.#holders++;
    return this;
  }

  drop(): void {
    if (--this.#holders === 0 && this.#hasOwners) this.release();
  }

  get released(): boolean {
    return this.#released;
  }

  /** The elements, if they have been computed. */
  get view(): View | undefined {
    return this.#view;
  }

  /** The elementwise operation to fuse into a kernel; undefined where the node's own elements are to be read. */
  get fused(): Operation | undefined {
    const plan = this.#plan;
    return plan?.kind === 'map' && !this.#view ? plan : undefined;
  }

  /** Whether the elements are, or will be, one after the other in memory. */
  get dense(): boolean {
    return this.#view ? isDense(this.#view) : this.#plan?.kind !== 'view';
  }

  /** The elements in memory, in any layout. */
  *compute(): Task<View> {
    this.checkAlive();
    if (this.#view) return this.#view;
    return yield* wait(this.#request());
  }

  #request(): Request<View> {
    return {
      later: () => {
        this.#computing ??= perform(this.#run()).finally(() => {
          this.#computing = undefined;
        });
        return this.#computing;
      },
      now: () => performSync(this.#run()),
    };
  }

  *#run(): Task<View> {
    this.#runs++;
    try {
      return yield* this.#elements(this.#plan!);
    } finally {
      if (--this.#runs === 0 && !this.#plan) this.#disown();
    }
  }

  *#elements(plan: Plan): Task<View> {
    if (plan.kind === 'view') {
      const base = yield* plan.base.compute();
      plan.base.checkAlive();
      return this.#adopt({ storage: base.storage.retain(), ...plan.change(base) });
    }
    const storage = yield* plan.kind === 'part' ? plan.of.part(plan.index) : plan.run();
    // Computed twice, by a call that blocks while another one waits.
    if (this.#view) {
      storage.release();
      return this.#view;
    }
    return this.#adopt({ storage, ...contiguous(this.shape) });
  }

  #adopt(view: View): View {
    if (this.#released) {
      view.storage.release();
      return fail('array', 'the array was released while it was computed', ErrorCode.INVALID_MEM_OBJECT);
    }
    this.#view = view;
    this.#plan = undefined;
    forgotten.register(this, [view.storage], this);
    return view;
  }

  checkAlive(functionName = 'array'): void {
    if (this.#released)
      fail(
        functionName,
        `an array of shape ${shapeText(this.shape)} was released before what needs it was computed: await evaluate() first`,
        ErrorCode.INVALID_MEM_OBJECT,
      );
  }

  release(): void {
    if (this.#released) return;
    this.#released = true;
    if (this.#plan?.kind === 'part') this.#plan.of.leave(this.#plan.index);
    this.#plan = undefined;
    if (this.#runs === 0) this.#disown();
    if (!this.#view) return;
    forgotten.unregister(this);
    this.#view.storage.release();
    this.#view = undefined;
  }
}

/** The nodes that are made while `privately` runs a function. */
let made: Node[] | undefined;

/** What `make` returns, as the owner of all other nodes that it makes on the way. */
export const privately = (make: () => Node): Node => privatelyAll(make, (node) => [node]);

/** The same, of functions that return several nodes. */
export function privatelyAll<R>(make: () => R, results: (result: R) => readonly Node[]): R {
  const outer = made;
  const own: Node[] = [];
  made = own;
  try {
    const result = make();
    const seen = results(result).filter((node) => own.includes(node));
    const hidden = own.filter((node) => !seen.includes(node));
    for (const node of seen) node.own(hidden);
    outer?.push(...seen);
    return result;
  } catch (error) {
    for (const node of own) node.release();
    throw error;
  } finally {
    made = outer;
  }
}
