// SPDX-License-Identifier: MIT
//
// The random program of a seed: memories, queues, and steps that use them in every way that the API has.
import { Chance } from '../chance';
import { touchedBy } from './effects';
import { KERNELS } from './kernels';
import { randomMemory } from './memories';
import { order } from './order';
import { bytesAt, overlap, wholePlace } from './places';
import type { Abilities, Launch, MapMode, Memory, Place, Program, Queue, Step } from './program';
import { randomPlace, randomWork } from './works';

type Draft = Step extends infer S ? (S extends Step ? Omit<S, 'id'> : never) : never;

interface Recorded {
  readonly id: number;
  readonly queue: number;
  /** Those that may be changed. */
  readonly launches: readonly { readonly at: number; readonly launch: Launch }[];
}

/** What the program has at the moment. */
export class Scene {
  readonly memories = new Map<number, Memory>();
  /** Memories that were not released. */
  readonly alive = new Set<number>();
  private readonly aliveQueues: Queue[] = [];
  private readonly queues: Queue[] = [];
  private readonly steps: Step[] = [];
  private readonly gates: { readonly id: number; readonly context: number }[] = [];
  private readonly maps = new Map<number, { readonly place: Place; readonly queue: number }>();
  private readonly records: Recorded[] = [];
  private readonly contexts: number;
  private ids = 0;

  constructor(
    readonly chance: Chance,
    readonly abilities: Abilities,
    private readonly isLarge: boolean,
  ) {
    this.contexts = chance.with(0.2) ? 2 : 1;
    for (let context = 0; context < this.contexts; context++) {
      const count = chance.integer(1, 3);
      for (let i = 0; i < count; i++)
        this.queues.push({ id: this.queues.length, context, outOfOrder: chance.with(0.5) });
    }
    this.aliveQueues.push(...this.queues);
  }

  program(): Program {
    const { chance } = this;
    for (let context = 0; context < this.contexts; context++)
      for (let i = chance.integer(1, 3); i > 0; i--) this.addMemory(context);
    for (let i = chance.integer(3, 45); i > 0; i--) this.addSome();
    this.end();
    return { contexts: this.contexts, queues: this.queues, closes: chance.with(0.05), steps: this.steps };
  }

  /** A live memory of a context. */
  pick<M extends Memory>(context: number, condition: (memory: Memory) => memory is M): M | undefined;
  pick(context: number, condition: (memory: Memory) => boolean): Memory | undefined;
  pick(context: number, condition: (memory: Memory) => boolean): Memory | undefined {
    const fitting = [...this.alive]
      .map((id) => this.memories.get(id)!)
      .filter((memory) => memory.context === context && condition(memory));
    return fitting.length > 0 ? this.chance.pick(fitting) : undefined;
  }

  newId(): number {
    return this.ids++;
  }

  /** Adds the step unless the program would not be defined with it. */
  private add(draft: Draft): number | undefined {
    const step = { id: this.newId(), ...draft } as Step;
    const program = { contexts: this.contexts, queues: this.queues, steps: [...this.steps, step] };
    if (typeof order(program, this.abilities) === 'string') return undefined;
    this.steps.push(step);
    return step.id;
  }

  private addMemory(context: number): void {
    const memory = randomMemory(this, context, this.isLarge);
    const queue = this.queueOf(context);
    if (!memory || !queue) return;
    if (this.add({ op: 'memory', memory, seed: this.seed(), queue: queue.id }) === undefined) return;
    this.memories.set(memory.id, memory);
    this.alive.add(memory.id);
  }

  private seed(): number {
    return this.chance.integer(1, 1 << 30);
  }

  private queueOf(context: number): Queue | undefined {
    const own = this.aliveQueues.filter((queue) => queue.context === context);
    return own.length > 0 ? this.chance.pick(own) : undefined;
  }

  private addSome(): void {
    const { chance } = this;
    const queue = chance.pick(this.aliveQueues);
    const kind = chance.integer(0, 99);
    if (kind < 55) this.addCommand(queue);
    else if (kind < 59) this.addBatch(queue);
    else if (kind < 64) this.addMap(queue);
    else if (kind < 69) this.addUnmap();
    else if (kind < 72) this.add({ op: chance.pick(['marker', 'barrier']), ...this.enqueued(queue) });
    else if (kind < 76) this.addRecord(queue);
    else if (kind < 80) this.addReplay();
    else if (kind < 83) this.addGate(queue.context);
    else if (kind < 86) this.openGate();
    else if (kind < 89) this.addWait();
    else if (kind < 91) this.add({ op: 'finish', queue: queue.id, how: chance.pick(['await', 'sync']) });
    else if (kind < 93) this.add({ op: 'turn' });
    else if (kind < 94) this.add({ op: 'flush', queue: queue.id });
    else if (kind < 97) this.addMemory(queue.context);
    else if (kind < 99) this.releaseMemory();
    else this.releaseQueue(queue);
  }

  private enqueued(queue: Queue) {
    const { chance } = this;
    const gates = this.gates.filter(({ context }) => context === queue.context && chance.with(0.25));
    const others = this.steps.filter(
      (step) => 'queue' in step && this.contextOf(step.queue) === queue.context,
    );
    return {
      queue: queue.id,
      ...(gates.length > 0 && { gates: gates.map(({ id }) => id) }),
      ...(others.length > 0 && chance.with(0.2) && { extra: [chance.pick(others).id] }),
      ...(chance.with(0.2) && { listens: true }),
      ...(chance.with(0.15) && { drops: true }),
    };
  }

  private contextOf(queue: number): number {
    return this.queues[queue]!.context;
  }

  private addCommand(queue: Queue): void {
    const { chance } = this;
    const work = randomWork(this, queue.context);
    if (!work) return;
    const sync = chance.with(0.08);
    // An event that nobody can wait for orders nothing.
    const silent = !sync && work.op === 'run' && chance.with(0.3);
    const enqueued = this.enqueued(queue);
    if (!silent) {
      this.add({ op: 'command', work, ...(sync && { sync }), ...enqueued });
      return;
    }
    const { listens: _, drops: __, ...rest } = enqueued;
    this.add({ op: 'command', work, silent, ...rest });
  }

  private addBatch(queue: Queue): void {
    if (queue.outOfOrder) return;
    const launches: Launch[] = [];
    for (let i = this.chance.integer(2, 5); i > 0; i--) {
      const work = randomWork(this, queue.context, 'run');
      if (work?.op === 'run') launches.push(work.launch);
    }
    if (launches.length > 0) this.add({ op: 'batch', queue: queue.id, launches });
  }

  private addMap(queue: Queue): void {
    const memory = this.pick(queue.context, () => true);
    if (!memory) return;
    const place = randomPlace(this.chance, memory, 'map');
    const mode = this.chance.pick<MapMode>(['read', 'write', 'read-write', 'write-invalidate']);
    const id = this.add({ op: 'map', place, mode, ...this.enqueued(queue) });
    if (id !== undefined) this.maps.set(id, { place, queue: queue.id });
  }

  private addUnmap(): void {
    const open = [...this.maps];
    if (open.length === 0) return;
    const [map, { queue }] = this.chance.pick(open);
    const other = this.queueOf(this.contextOf(queue));
    if (!other) return;
    const id = this.add({ op: 'unmap', map, seed: this.seed(), ...this.enqueued(other) });
    if (id !== undefined) this.maps.delete(map);
  }

  private addRecord(queue: Queue): void {
    const works = [];
    for (let i = this.chance.integer(1, 6); i > 0; i--) {
      const work = randomWork(this, queue.context, 'recorded');
      if (work) works.push(work);
    }
    if (works.length === 0) return;
    // In other queues a launch would need other commands to wait for.
    const mutable = this.abilities.updates && !queue.outOfOrder && this.chance.with(0.9);
    const id = this.add({
      op: 'record',
      queue: queue.id,
      works,
      outOfOrder: queue.outOfOrder,
      ...(mutable && { mutable }),
    });
    const launches = works.flatMap((work, at) =>
      mutable && work.op === 'run' ? [{ at, launch: work.launch }] : [],
    );
    if (id !== undefined) this.records.push({ id, queue: queue.id, launches });
  }

  private addUpdate(record: Recorded): boolean {
    if (record.launches.length === 0) return false;
    const { at, launch: recorded } = this.chance.pick(record.launches);
    const launch = this.launch(this.contextOf(record.queue), recorded.kernel);
    // What a change leaves out stays as it was.
    const isWhole = launch && (launch.local === undefined) === (recorded.local === undefined);
    if (!isWhole || launch.global.length !== recorded.global.length) return false;
    return this.add({ op: 'update', record: record.id, at, launch }) !== undefined;
  }

  private addReplay(): void {
    const usable = this.records.filter(({ queue }) => this.aliveQueues.some(({ id }) => id === queue));
    if (usable.length === 0) return;
    const record = this.chance.pick(usable);
    for (let left = this.chance.with(0.8) ? 6 : 0; left > 0; left--) if (this.addUpdate(record)) break;
    this.add({ op: 'replay', record: record.id, ...this.enqueued(this.queues[record.queue]!) });
  }

  private addGate(context: number): void {
    const id = this.add({ op: 'gate', context });
    if (id !== undefined) this.gates.push({ id, context });
  }

  private openGate(): void {
    if (this.gates.length === 0) return;
    const at = this.chance.integer(0, this.gates.length - 1);
    const { id } = this.gates[at]!;
    const fails = this.chance.with(0.25) && this.add({ op: 'open', gate: id, fails: true }) !== undefined;
    if (fails || this.add({ op: 'open', gate: id }) !== undefined) this.gates.splice(at, 1);
  }

  private addWait(): void {
    const commands = this.steps.filter(
      (step) =>
        'queue' in step && ['command', 'map', 'unmap', 'marker', 'barrier', 'replay'].includes(step.op),
    );
    if (commands.length === 0) return;
    const { id } = this.chance.pick(commands);
    this.add({ op: 'wait', step: id, how: this.chance.pick(['await', 'await', 'sync']) });
  }

  private releaseMemory(): void {
    const context = this.chance.integer(0, this.contexts - 1);
    const memory = this.pick(context, () => true);
    if (!memory || this.isMapped(memory)) return;
    this.add({ op: 'release', memory: memory.id });
    this.alive.delete(memory.id);
  }

  private isMapped(memory: Memory): boolean {
    return [...this.maps.values()].some(({ place }) => place.memory === memory.id);
  }

  /** Not the last one of its context, nor one with mappings or recorded commands. */
  private releaseQueue(queue: Queue): void {
    const others = this.aliveQueues.filter((other) => other.context === queue.context && other !== queue);
    if (others.length === 0) return;
    if ([...this.maps.values()].some((map) => map.queue === queue.id)) return;
    this.add({ op: 'release queue', queue: queue.id });
    this.aliveQueues.splice(this.aliveQueues.indexOf(queue), 1);
  }

  /** Opens and unmaps what is left, and reads all memories. */
  private end(): void {
    const { chance } = this;
    while (this.gates.length > 0) this.openGate();
    while (this.maps.size > 0) this.addUnmap();
    for (const id of this.alive) {
      const memory = this.memories.get(id)!;
      const queue = this.queueOf(memory.context);
      if (!queue || memory.kind === 'sub') continue;
      const how = memory.kind === 'buffer' && chance.with(0.5) ? 'new' : 'own';
      this.add({ op: 'command', work: { op: 'read', from: wholePlace(memory), how }, queue: queue.id });
    }
    if (chance.with(0.5)) return;
    for (const id of this.alive) this.add({ op: 'release', memory: id });
    for (const { id } of this.aliveQueues) this.add({ op: 'release queue', queue: id });
  }

  /** A launch of a kernel of the table, with memories of a context. */
  launch(context: number, wanted?: string): Launch | undefined {
    const { chance } = this;
    const names = Object.keys(KERNELS).filter((name) => this.abilities.images || !KERNELS[name]!.needsImages);
    const kernel = wanted ?? chance.pick(names);
    const made = KERNELS[kernel]!.launch({
      chance,
      pointer: (bytes) =>
        this.pick(context, ({ kind, size }) => kind !== 'image' && size >= Math.max(4, bytes)),
      image: (condition) =>
        this.pick(
          context,
          (memory): memory is Extract<Memory, { kind: 'image' }> =>
            memory.kind === 'image' && condition(memory),
        ),
    });
    if (!made) return undefined;
    const launch = { kernel, ...made };
    // What a kernel reads it must not write, in another order.
    const { reads, writes } = touchedBy(this.memories, launch);
    return reads.some((a) => writes.some((b) => overlap(a, b))) ? undefined : launch;
  }

  bytesAt(place: Place) {
    return bytesAt(this.memories, place);
  }
}

/** The program of a seed. One in ten has memories that are copied in steps. */
export function randomCommands(seed: number, abilities: Abilities): Program {
  const chance = new Chance(seed);
  return new Scene(chance, abilities, chance.with(0.1)).program();
}
