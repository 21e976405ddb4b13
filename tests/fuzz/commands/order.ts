// SPDX-License-Identifier: MIT
//
// The order that a program needs: which earlier commands each command must wait for, so that commands that touch the same bytes run
// in the order of the steps. Others are free. Says also whether a program is defined at all.
import { type Touched, touched, touchedBy } from './effects';
import { updated } from './expected';
import { type Bytes, bytesAt, overlap } from './places';
import { type Abilities, isFilled, type Memory, type Program, type Step, type StepOf } from './program';
import { placesOf } from './uses';

export interface Ordered {
  /** The steps that a step waits for; a negative number -q - 1 stands for a marker on queue q, to be enqueued before. */
  readonly waits: ReadonlyMap<number, readonly number[]>;
  /** The last step that waits for the event of a step. */
  readonly lastUse: ReadonlyMap<number, number>;
  readonly memories: ReadonlyMap<number, Memory>;
  /** The steps whose commands fail, because they wait for a user event that does. */
  readonly failed: ReadonlySet<number>;
}

/** A command that was enqueued. */
interface Node {
  readonly step: number;
  readonly queue: number;
  readonly gates: readonly number[];
  /** Whether the program is defined if it fails. */
  readonly mayFail: boolean;
  readonly bit: bigint;
  /** The commands and user events that are complete before it starts. */
  before: bigint;
  /** The same on a device whose queues are all in order. */
  behind: bigint;
  readonly hasEvent: boolean;
  touched: Touched;
}

interface OpenMap {
  readonly place: Bytes;
  readonly writes: boolean;
}

interface QueueState {
  readonly outOfOrder: boolean;
  /** All its commands with what is before them. */
  all: bigint;
  allBehind: bigint;
  /** What is complete before its next command starts. */
  first: bigint;
  /** Whether recorded commands were enqueued: emulated ones have barriers before them, and so wait for more than they need. */
  replays: boolean;
}

const NOTHING: Touched = { reads: [], writes: [] };

class Orderer {
  readonly failed = new Set<number>();
  readonly memories = new Map<number, Memory>();
  readonly waits = new Map<number, number[]>();
  readonly lastUse = new Map<number, number>();
  private readonly nodes: Node[] = [];
  private readonly byStep = new Map<number, Node>();
  private readonly queues = new Map<number, QueueState>();
  private readonly gates = new Map<number, { bit: bigint; open: boolean }>();
  private readonly maps = new Map<number, OpenMap>();
  private readonly records = new Map<
    number,
    { step: StepOf<'record'>; touched: Touched; uses: readonly number[] }
  >();
  private readonly unmapped = new Set<number>();
  private readonly failedGates = new Set<number>();
  /** Memories that were released. */
  private readonly freed = new Set<number>();
  private readonly released = new Set<number>();
  private bits = 0n;
  /** What the host knows to be complete. */
  private done = 0n;

  constructor(
    program: Program,
    private readonly abilities: Abilities,
  ) {
    for (const { id, outOfOrder } of program.queues)
      this.queues.set(id, { outOfOrder, all: 0n, allBehind: 0n, first: 0n, replays: false });
  }

  /** Why the program is not defined, or undefined. */
  add(step: Step): string | undefined {
    switch (step.op) {
      case 'memory':
        this.memories.set(step.memory.id, step.memory);
        if (!isFilled(step.memory)) return undefined;
        return this.enqueue(step, step.queue, { reads: [], writes: [whole(step.memory)] }, [], true);
      case 'command':
        return (
          this.enqueue(step, step.queue, touched(this.memories, step.work), step.gates, !step.silent) ??
          (step.sync ? this.wait(this.byStep.get(step.id)!) : undefined)
        );
      case 'batch': {
        const each = step.launches.map((launch) => touchedBy(this.memories, launch));
        return this.enqueue(step, step.queue, united(each), undefined, false);
      }
      case 'map': {
        const place = bytesAt(this.memories, step.place);
        const writes = step.mode !== 'read';
        const found = this.enqueue(step, step.queue, access(place, writes), step.gates, true);
        this.maps.set(step.id, { place, writes });
        return found;
      }
      case 'unmap': {
        const { place, writes } = this.maps.get(step.map)!;
        this.maps.delete(step.map);
        this.unmapped.add(step.map);
        this.lastUse.set(step.map, step.id);
        const found = this.wait(this.byStep.get(step.map)!);
        return found ?? this.enqueue(step, step.queue, access(place, writes), step.gates, true);
      }
      case 'marker':
      case 'barrier':
        return this.fence(step);
      case 'record':
        this.record(step);
        return undefined;
      case 'update':
        this.record(updated(this.records.get(step.record)!.step, step));
        return undefined;
      case 'replay':
        return this.replay(step);
      case 'gate':
        this.gates.set(step.id, { bit: this.newBit(), open: false });
        return undefined;
      case 'open': {
        const gate = this.gates.get(step.gate)!;
        gate.open = true;
        this.done |= gate.bit;
        return step.fails ? this.fail(step.gate) : undefined;
      }
      case 'wait': {
        const node = this.byStep.get(step.step);
        if (!node?.hasEvent) return undefined;
        if (this.unmapped.has(node.step)) return `step ${step.id} waits for a mapping that is over`;
        this.lastUse.set(node.step, step.id);
        return this.wait(node);
      }
      case 'release':
        this.freed.add(step.memory);
        return undefined;
      case 'release queue':
        this.released.add(step.queue);
        return undefined;
      case 'finish': {
        const queue = this.queues.get(step.queue)!;
        if (this.isHeld(queue.all | queue.allBehind)) return `step ${step.id} waits for a user event`;
        this.done |= queue.all;
        return undefined;
      }
      default:
        return undefined;
    }
  }

  private record(step: StepOf<'record'>): void {
    this.records.set(step.id, {
      step,
      touched: united(step.works.map((work) => touched(this.memories, work))),
      uses: placesOf(step),
    });
  }

  /** A command that fails has no effect: no later one waits for it. */
  private fail(gate: number): string | undefined {
    if (!this.abilities.failsAlone) return 'a user event fails';
    this.failedGates.add(gate);
    for (const node of this.nodes) {
      const waits = this.waits.get(node.step) ?? [];
      if (!node.gates.includes(gate) && !waits.some((id) => this.failed.has(id))) continue;
      if (!node.mayFail) return `step ${node.step} fails`;
      this.failed.add(node.step);
      node.touched = NOTHING;
    }
    return undefined;
  }

  private replay(step: StepOf<'replay'>): string | undefined {
    const record = this.records.get(step.record)!;
    if (!this.abilities.keepsRecorded && record.uses.some((memory) => this.freed.has(memory)))
      return `step ${step.id} uses memory that was released`;
    this.queues.get(step.queue)!.replays = true;
    return this.enqueue(step, step.queue, record.touched, step.gates, true);
  }

  private newBit(): bigint {
    return 1n << this.bits++;
  }

  /** Whether it includes a user event that is not open. */
  private isHeld(set: bigint): boolean {
    for (const { bit, open } of this.gates.values()) if (!open && (set & bit) !== 0n) return true;
    return false;
  }

  private wait(node: Node): string | undefined {
    const inOrder = this.abilities.inOrder || [...this.queues.values()].some(({ replays }) => replays);
    const held = inOrder ? node.before | node.behind : node.before;
    if (this.isHeld(held)) return `step ${node.step} is waited for, but waits for a user event`;
    this.done |= node.before | node.bit;
    return undefined;
  }

  private enqueue(
    step: Extract<Step, { queue: number }>,
    onQueue: number,
    what: Touched,
    gates: readonly number[] | undefined,
    hasEvent: boolean,
  ): string | undefined {
    for (const { place, writes } of this.maps.values())
      if (conflicts(what, access(place, writes))) return `step ${step.id} touches mapped bytes`;
    const queue = this.queues.get(onQueue)!;
    let before = this.done | queue.first;
    let behind = this.done | queue.allBehind;
    const waits: number[] = [];
    const waitFor = (node: Node): void => {
      waits.push(node.step);
      this.lastUse.set(node.step, step.id);
      before |= node.before | node.bit;
      behind |= node.behind | node.bit;
    };
    for (const id of gates ?? []) {
      const gate = this.gates.get(id);
      if (!gate) continue;
      before |= gate.bit;
      behind |= gate.bit;
    }
    for (const id of ('extra' in step && step.extra) || []) {
      const node = this.byStep.get(id);
      if (node?.hasEvent && !waits.includes(id)) waitFor(node);
    }
    for (let i = this.nodes.length - 1; i >= 0; i--) {
      const node = this.nodes[i]!;
      if ((before & node.bit) !== 0n || !conflicts(node.touched, what)) continue;
      if (node.hasEvent) waitFor(node);
      else {
        if (this.released.has(node.queue)) return `queue ${node.queue} was released: it takes no marker`;
        waits.push(-node.queue - 1);
        const other = this.queues.get(node.queue)!;
        before |= other.all;
        behind |= other.allBehind;
      }
    }
    if (waits.length > 0) this.waits.set(step.id, waits);
    const mayFail = step.op === 'command' && !step.silent;
    if (waits.some((id) => this.failed.has(id)) || gates?.some((id) => this.failedGates.has(id)))
      return `step ${step.id} waits for what has failed`;
    this.note({
      step: step.id,
      queue: onQueue,
      gates: gates ?? [],
      mayFail,
      bit: this.newBit(),
      before,
      behind,
      hasEvent,
      touched: what,
    });
    return undefined;
  }

  private note(node: Node): void {
    const queue = this.queues.get(node.queue)!;
    this.nodes.push(node);
    this.byStep.set(node.step, node);
    queue.all |= node.before | node.bit;
    queue.allBehind |= node.behind | node.bit;
    if (!queue.outOfOrder) queue.first = queue.all;
  }

  private fence(step: Extract<Step, { op: 'marker' | 'barrier' }>): string | undefined {
    const queue = this.queues.get(step.queue)!;
    const { all, allBehind } = queue;
    const found = this.enqueue(step, step.queue, NOTHING, step.gates, true);
    if (found !== undefined) return found;
    const node = this.byStep.get(step.id)!;
    // Without a wait list it waits for all.
    if (!this.waits.has(step.id) && !step.gates?.some((id) => this.gates.has(id))) {
      node.before |= all;
      node.behind |= allBehind;
    }
    queue.all |= node.before;
    if (step.op === 'barrier' || !queue.outOfOrder) queue.first |= node.before | node.bit;
    return undefined;
  }
}

const whole = (memory: Memory): Bytes => ({ owner: memory.id, runs: [[0, memory.size]] });

const access = (place: Bytes, writes: boolean): Touched =>
  writes ? { reads: [], writes: [place] } : { reads: [place], writes: [] };

const united = (each: readonly Touched[]): Touched => ({
  reads: each.flatMap(({ reads }) => reads),
  writes: each.flatMap(({ writes }) => writes),
});

const meets = (some: readonly Bytes[], others: readonly Bytes[]): boolean =>
  some.some((a) => others.some((b) => overlap(a, b)));

export function conflicts(a: Touched, b: Touched): boolean {
  return meets(a.writes, b.writes) || meets(a.writes, b.reads) || meets(a.reads, b.writes);
}

/** The order of a program, or why it is not defined. */
export function order(program: Program, abilities: Abilities): Ordered | string {
  const orderer = new Orderer(program, abilities);
  for (const step of program.steps) {
    const found = orderer.add(step);
    if (found !== undefined) return found;
  }
  return orderer;
}
