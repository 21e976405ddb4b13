// SPDX-License-Identifier: MIT
//
// Runs a program on a device and compares everything that the host sees with the sequential model.
import type * as Anycl from '../../../ts';
import type { CommandOptions } from '../../../ts/api/objects/command-options';
import type { ContextOptions } from '../../../ts/api/options/context-options';
import {
  type AnyMemory,
  changeOf,
  enqueueWork,
  type Objects,
  pixelsOf,
  prepared,
  rangeOf,
  recordWork,
} from './api-work';
import { touched, UNTOUCHED } from './effects';
import { expectedResults, initialOf, mappedWrite } from './expected';
import { KERNELS } from './kernels';
import { conflicts, type Ordered, order } from './order';
import { boxOfPixels, bytesAt, gather, runsOfBox, scatter } from './places';
import type { Abilities, Memory, Place, Program, Step, StepOf, Work } from './program';

/** Whether rows of an image over a buffer need no padding. */
function isTight(device: Anycl.Device): boolean {
  return device.info('IMAGE_PITCH_ALIGNMENT') === 1 && device.info('IMAGE_BASE_ADDRESS_ALIGNMENT') <= 4;
}

/** Contexts with all kernels, for many programs. */
export class Bench {
  private readonly contexts: { context: Anycl.Context; kernels: Map<string, Anycl.Kernel> }[] = [];
  readonly abilities: Abilities;

  constructor(
    readonly api: typeof Anycl,
    device: Anycl.Device,
    private readonly options: ContextOptions = {},
    /** The devices of each context, among which its queues are divided: parts of the device, or others of its platform. */
    private readonly devices: readonly Anycl.Device[] = [device],
  ) {
    const platform = device.platform.name;
    const isSoftware = device.type === 'software';
    this.abilities = {
      svm: Number(device.info('SVM_CAPABILITIES')) !== 0,
      images: Boolean(device.info('IMAGE_SUPPORT')),
      imagesOver: device.extensions.includes('cl_khr_image2d_from_buffer') && isTight(device),
      updates: device.extensions.includes('cl_khr_command_buffer_mutable_dispatch'),
      align: Math.max(4, Number(device.info('MEM_BASE_ADDR_ALIGN')) / 8),
      keepsRecorded: isSoftware,
      failsAlone: isSoftware,
      inOrder: !isSoftware && !/portable/i.test(platform),
    };
  }

  context(index: number): Anycl.Context {
    return this.at(index).context;
  }

  kernel(index: number, name: string): Anycl.Kernel {
    return this.at(index).kernels.get(name)!;
  }

  /** Ends the contexts: the next program has new ones. */
  renew(): void {
    for (const { context } of this.contexts.splice(0)) context.release();
  }

  private at(index: number) {
    while (this.contexts.length <= index) {
      const context = this.api.Context.create(this.devices, this.options);
      const kinds = Object.entries(KERNELS).filter(([, kind]) => this.abilities.images || !kind.needsImages);
      const source = kinds.map(([, kind]) => kind.source).join('\n');
      const program = context.createProgram(source).buildSync();
      const kernels = new Map(kinds.map(([name]) => [name, program.createKernel(name)]));
      this.contexts.push({ context, kernels });
    }
    return this.contexts[index]!;
  }
}

/** A command that was enqueued, and what it should give. */
interface Running {
  readonly event: Anycl.Event<unknown>;
  /** The host's array: a write's may be changed when it is complete. */
  readonly host?: Uint8Array | undefined;
  /** It stores to `host`, or its result is a new array. */
  readonly isRead: boolean;
  isOver: boolean;
}

class Runner implements Objects {
  private readonly memories = new Map<number, AnyMemory>();
  private readonly queues: (Anycl.CommandQueue | undefined)[];
  private readonly running = new Map<number, Running>();
  private readonly gates = new Map<number, Anycl.UserEvent>();
  private readonly records = new Map<number, Anycl.CommandBuffer>();
  private readonly recorded = new Map<number, readonly ReturnType<typeof recordWork>[]>();
  private readonly calls = new Map<number, number>();
  /** Resolve when a listener is called first. */
  private readonly heard: Promise<void>[] = [];
  private readonly expected: Map<number, Uint8Array>;
  private readonly uses = new Map<number, number[]>();
  private kernelContext = 0;
  readonly api: typeof Anycl;
  /** What differs, once something does. */
  found: string | undefined;

  constructor(
    private readonly program: Program,
    private readonly ordered: Ordered,
    private readonly bench: Bench,
  ) {
    this.api = bench.api;
    this.expected = expectedResults(program, ordered);
    this.queues = program.queues.map(({ id, context, outOfOrder }) => {
      const { devices } = bench.context(context);
      return bench.context(context).createQueue({ outOfOrder, device: devices[id % devices.length]! });
    });
    for (const [step, use] of ordered.lastUse) this.uses.set(use, [...(this.uses.get(use) ?? []), step]);
  }

  memory(id: number): AnyMemory {
    const memory = this.memories.get(id);
    if (!memory) throw new Error(`memory ${id} does not exist`);
    return memory;
  }

  kernel(name: string): Anycl.Kernel {
    return this.bench.kernel(this.kernelContext, name);
  }

  bytesAt(place: Place) {
    return bytesAt(this.ordered.memories, place).runs;
  }

  async step(step: Step): Promise<void> {
    switch (step.op) {
      case 'memory':
        return this.create(step);
      case 'command':
        return this.command(step);
      case 'batch': {
        const queue = this.queueOf(step);
        this.markers(step);
        const { waitFor = [] } = this.options(step);
        if (waitFor.length > 0) queue.enqueueBarrier({ waitFor });
        queue.batch(() => {
          for (const launch of step.launches)
            queue.enqueueNDRange(prepared(this, launch), rangeOf(launch), { event: false });
        });
        return;
      }
      case 'map':
        return this.map(step);
      case 'unmap':
        return this.unmap(step);
      case 'marker':
        return this.note(step, this.queueOf(step).enqueueMarker(this.options(step)));
      case 'barrier':
        return this.note(step, this.queueOf(step).enqueueBarrier(this.options(step)));
      case 'record':
        return this.record(step);
      case 'update': {
        const change = changeOf(this, step.launch);
        this.records.get(step.record)!.update(this.recorded.get(step.record)![step.at]!, change);
        return;
      }
      case 'replay':
        return this.note(step, this.records.get(step.record)!.enqueue(this.options(step)));
      case 'gate':
        this.gates.set(step.id, this.bench.context(step.context).createUserEvent());
        return;
      case 'open':
        if (step.fails) this.gates.get(step.gate)!.fail();
        else this.gates.get(step.gate)!.complete();
        return;
      case 'wait':
        return this.wait(step.step, step.how === 'sync');
      case 'finish': {
        const queue = this.queueOf(step);
        if (step.how === 'sync') queue.finishSync();
        else await queue.finish();
        return;
      }
      case 'flush':
        this.queueOf(step).flush();
        return;
      case 'turn':
        await new Promise((resolve) => setImmediate(resolve));
        return;
      case 'release':
        this.memory(step.memory).release();
        this.memories.delete(step.memory);
        return;
      case 'release queue':
        this.queueOf(step).release();
        this.queues[step.queue] = undefined;
        return;
    }
  }

  /** Releases events after the last step that waits for them. */
  dropAfter(step: Step): void {
    const dropped = 'drops' in step && step.drops && !this.ordered.lastUse.has(step.id) ? [step.id] : [];
    for (const id of [...(this.uses.get(step.id) ?? []), ...dropped]) {
      const user = this.program.steps.find((other) => other.id === id);
      if (!user || !('drops' in user) || !user.drops || this.expected.has(id)) continue;
      this.running.get(id)?.event.release();
      this.running.delete(id);
    }
  }

  /** Waits for everything, and compares. */
  async end(): Promise<void> {
    for (const queue of this.queues) await queue?.finish();
    for (const id of this.running.keys()) await this.wait(id, false);
    // The commands of a queue that was released may end later.
    await Promise.all(this.heard);
    await new Promise((resolve) => setImmediate(resolve));
    for (const [id, calls] of this.calls)
      if (calls !== 1) this.fault(id, `its listener was called ${calls} times`);
  }

  release(): void {
    for (const record of this.records.values()) record.release();
    for (const memory of this.memories.values()) memory.release();
    for (const queue of this.queues) queue?.release();
  }

  private fault(step: number, what: string): void {
    this.found ??= `step ${step}: ${what}`;
  }

  private queueOf({ queue }: { readonly queue: number }): Anycl.CommandQueue {
    const found = this.queues[queue];
    if (!found) throw new Error(`queue ${queue} was released`);
    this.kernelContext = this.program.queues[queue]!.context;
    return found;
  }

  /** Enqueues the markers that stand for commands without event. Returns their events. */
  private markers(step: Step): Anycl.Event<unknown>[] {
    const waits = this.ordered.waits.get(step.id) ?? [];
    return waits.filter((id) => id < 0).map((id) => this.queues[-id - 1]!.enqueueMarker());
  }

  private options(step: Step & { readonly gates?: readonly number[] }): CommandOptions {
    const waits = this.ordered.waits.get(step.id) ?? [];
    const waitFor = [
      ...this.markers(step),
      ...waits.filter((id) => id >= 0).map((id) => this.running.get(id)!.event),
      ...(step.gates ?? []).flatMap((id) => this.gates.get(id) ?? []),
    ];
    return waitFor.length > 0 ? { waitFor } : {};
  }

  private note(
    step: Step,
    event: Anycl.Event<unknown>,
    { host, isRead }: Pick<Running, 'host' | 'isRead'> = { isRead: false },
  ): void {
    this.running.set(step.id, { event, host, isRead, isOver: false });
    if (!('listens' in step) || !step.listens) return;
    this.calls.set(step.id, 0);
    const heard = new Promise<void>((resolve) => {
      event.on('complete', (error) => {
        this.calls.set(step.id, this.calls.get(step.id)! + 1);
        if ((error !== undefined) !== this.ordered.failed.has(step.id))
          this.fault(step.id, error ? `fails: ${error.message}` : 'should fail');
        resolve();
      });
    });
    this.heard.push(heard);
  }

  private create(step: StepOf<'memory'>): void {
    const { memory, seed } = step;
    const context = this.bench.context(memory.context);
    const contents = initialOf(memory, seed);
    switch (memory.kind) {
      case 'buffer': {
        if (memory.how !== 'alloc') {
          const options = memory.how === 'use' ? { useHost: true } : {};
          this.memories.set(memory.id, context.createBuffer(contents, options));
          return;
        }
        const buffer = context.createBuffer(memory.size);
        this.memories.set(memory.id, buffer);
        const pattern = contents.subarray(0, 4);
        this.note(step, this.queueOf(step).enqueueFill(buffer, pattern));
        return;
      }
      case 'sub': {
        const parent = this.memory(memory.parent) as Anycl.Buffer;
        this.memories.set(memory.id, parent.sub(memory.origin, memory.size));
        return;
      }
      case 'svm': {
        const svm = context.createSvm(memory.size);
        this.memories.set(memory.id, svm);
        const pattern = contents.subarray(0, 4);
        this.note(step, this.queueOf(step).enqueueSvmFill(svm, pattern));
        return;
      }
      case 'image': {
        const { over } = memory;
        const image =
          over === undefined
            ? context.createImage(shapeOf(memory), contents)
            : context.createImage({ ...shapeOf(memory), buffer: this.memory(over) as Anycl.Buffer });
        this.memories.set(memory.id, image);
        return;
      }
    }
  }

  private async command(step: StepOf<'command'>): Promise<void> {
    const queue = this.queueOf(step);
    const options = this.options(step);
    if (step.silent && step.work.op === 'run') {
      const { launch } = step.work;
      queue.enqueueNDRange(prepared(this, launch), rangeOf(launch), { event: false, ...options });
      return;
    }
    const { event, host } = enqueueWork(this, queue, step.work, options);
    this.note(step, event, { host, isRead: step.work.op === 'read' });
    if (step.sync) await this.wait(step.id, true);
  }

  private async wait(id: number, sync: boolean): Promise<void> {
    const running = this.running.get(id);
    if (!running || running.isOver) return;
    if (this.ordered.failed.has(id)) return this.waitForFailure(id, running, sync);
    const { event, host, isRead } = running;
    const result = sync ? event.waitSync() : await event;
    if (event.status !== 'complete') this.fault(id, `was waited for, and its status is ${event.status}`);
    running.isOver = true;
    if (isRead) this.compare(id, host ?? (result as Uint8Array), 'the read');
    // Nobody takes from it now.
    else host?.fill(0xee);
  }

  /** The read must not have stored anything. */
  private async waitForFailure(id: number, running: Running, sync: boolean): Promise<void> {
    running.isOver = true;
    const { event, host, isRead } = running;
    const wanted = 'CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST';
    const code = await (async () => (sync ? event.waitSync() : await event))().then(
      () => 'nothing',
      (error: { codeName?: string }) => error.codeName,
    );
    if (code !== wanted || event.status !== 'failed') this.fault(id, `gives ${code}, not ${wanted}`);
    if (isRead && host?.some((byte) => byte !== UNTOUCHED)) this.fault(id, 'failed, and has stored bytes');
  }

  private compare(id: number, found: Uint8Array, what: string): void {
    const expected = this.expected.get(id)!;
    if (found.length !== expected.length)
      this.fault(id, `${what} has ${found.length} bytes, not ${expected.length}`);
    const at = expected.findIndex((byte, i) => byte !== found[i]);
    if (at < 0) return;
    const wrong = expected.reduce((sum, byte, i) => sum + (byte === found[i] ? 0 : 1), 0);
    this.fault(
      id,
      `byte ${at} of ${expected.length} of ${what} is ${found[at]}, not ${expected[at]}; ${wrong} bytes differ`,
    );
  }

  private map(step: StepOf<'map'>): void {
    const queue = this.queueOf(step);
    this.note(step, this.mapped(queue, step, this.options(step)));
  }

  private mapped(
    queue: Anycl.CommandQueue,
    { place, mode }: StepOf<'map'>,
    options: CommandOptions,
  ): Anycl.Event<unknown> {
    const memory = this.memory(place.memory);
    if (place.kind === 'pixels') {
      const image = memory as Anycl.Image;
      return queue.enqueueMapImage(image, mode, { ...pixelsOf(place, image.coordinates), ...options });
    }
    if (place.kind === 'box') throw new Error('boxes cannot be mapped');
    const span = { offset: place.offset, size: place.size, ...options };
    if (memory instanceof this.api.Svm) return queue.enqueueSvmMap(memory, mode, span);
    return queue.enqueueMap(memory as Anycl.Buffer<Uint8Array>, mode, span);
  }

  private async unmap(step: StepOf<'unmap'>): Promise<void> {
    const { place, mode } = this.program.steps.find(({ id }) => id === step.map) as StepOf<'map'>;
    const mapped = (await this.running.get(step.map)!.event) as Anycl.Mapping<Uint8Array> | Uint8Array;
    const memory = this.ordered.memories.get(place.memory)!;
    const bytes = mapped instanceof Uint8Array ? mapped : asBytes(mapped.data);
    const pitches = mapped instanceof Uint8Array ? undefined : mapped;
    const runs = mappedRuns(memory, place, pitches);
    if (mode.startsWith('read')) this.compare(step.map, gather(bytes, runs), 'the mapping');
    const size = this.expected.get(step.map)!.length;
    const written = mappedWrite(mode, step.seed, size);
    const now = gather(bytes, runs);
    now.set(written);
    if (written.length > 0) scatter(bytes, runs, now);
    const queue = this.queueOf(step);
    const options = this.options(step);
    if (mapped instanceof Uint8Array)
      this.note(step, queue.enqueueSvmUnmap(this.memory(place.memory) as Anycl.Svm, options));
    else this.note(step, queue.enqueueUnmap(mapped, options));
  }

  private record(step: StepOf<'record'>): void {
    const queue = this.queueOf(step);
    const buffer = this.bench
      .context(this.program.queues[step.queue]!.context)
      .createCommandBuffer([queue], { simultaneousUse: true, ...(step.mutable && { mutable: true }) });
    const recorded: { work: Work; point: ReturnType<typeof recordWork> }[] = [];
    const { memories } = this.ordered;
    for (const work of step.works) {
      const own = touched(memories, work);
      const after = step.outOfOrder
        ? recorded.filter((other) => conflicts(touched(memories, other.work), own)).map(({ point }) => point)
        : [];
      const point = recordWork(this, buffer, work, after.length > 0 ? { after } : {}, step.mutable);
      recorded.push({ work, point });
    }
    this.recorded.set(
      step.id,
      recorded.map(({ point }) => point),
    );
    this.records.set(step.id, buffer.finalize());
  }
}

const asBytes = ({ buffer, byteOffset, byteLength }: Uint8Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

function shapeOf(memory: Extract<Memory, { kind: 'image' }>): Anycl.ImageShape {
  const { type, format, extent } = memory;
  const [width, second, third] = extent;
  const sizes = {
    '1d': {},
    '1d-buffer': {},
    '1d-array': { layers: second },
    '2d': { height: second },
    '2d-array': { height: second, layers: third },
    '3d': { height: second, depth: third },
  }[type];
  return { type, format, width, ...sizes };
}

/** Where the bytes of a place are in its mapping. */
function mappedRuns(
  memory: Memory,
  place: Place,
  pitches: { readonly rowPitch: number; readonly slicePitch: number } | undefined,
) {
  if (place.kind !== 'pixels' || memory.kind !== 'image' || !pitches)
    return [[0, place.kind === 'span' ? place.size : 0]] as const;
  const { region } = boxOfPixels(memory, place);
  // The rows of an array of lines are its layers.
  const rowPitch = memory.type === '1d-array' ? pitches.slicePitch : pitches.rowPitch;
  return runsOfBox({ origin: [0, 0, 0], region, rowPitch, slicePitch: pitches.slicePitch });
}

/** What differs from the model, as text; `progress` gets each step before it is done. */
export async function runCommands(
  program: Program,
  bench: Bench,
  progress: (step: number) => void = () => {},
): Promise<string | undefined> {
  const ordered = order(program, bench.abilities);
  if (typeof ordered === 'string') throw new Error(`the program is not defined: ${ordered}`);
  const runner = new Runner(program, ordered, bench);
  let current = -1;
  try {
    for (const step of program.steps) {
      current = step.id;
      progress(step.id);
      await runner.step(step);
      runner.dropAfter(step);
    }
    progress(-1);
    if (program.closes) bench.renew();
    current = -1;
    await runner.end();
    return runner.found;
  } catch (error) {
    return `step ${current}: throws ${error}`.split('\n').slice(0, 2).join(' ');
  } finally {
    runner.release();
  }
}
