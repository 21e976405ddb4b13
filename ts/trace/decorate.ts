// SPDX-License-Identifier: MIT
//
// Makes the objects of a backend report their calls to a trace. Methods are replaced on the objects themselves, because backends must
// recognize their own objects. Without a trace this code is not loaded, and no call is slower.
import type { Backend, BackendContext, BackendDevice, BackendProgram } from '../backend/backend';
import type { BackendKernel } from '../backend/backend-queue';
import { DeviceInfo, PlatformInfo, QueueFlags, QueueInfo } from '../cl/constants.gen';
import { decodeInfo } from '../cl/info-values';
import { ClockMap } from './clock-map';
import { isMemory, notesOn } from './describe';
import { START } from './events';
import { QueueTracer } from './queue-tracer';
import type { Trace } from './trace';

interface TracedDevice {
  readonly pid: number;
  readonly clock: ClockMap;
  queues: number;
}

/** Decorates all objects of one backend. */
export function decorateBackend(backend: Backend, trace: Trace): Backend {
  new Decorator(trace, backend.kind).backend(backend);
  return backend;
}

class Decorator {
  private readonly devices = new Map<BackendDevice, TracedDevice>();
  private readonly seen = new WeakSet<object>();
  private readonly tracers = new WeakMap<object, QueueTracer>();

  constructor(
    private readonly trace: Trace,
    private readonly kind: Backend['kind'],
  ) {}

  backend(backend: Backend): void {
    const platforms = backend.platforms.bind(backend);
    backend.platforms = () => {
      const found = platforms();
      for (const platform of found) {
        if (this.isSeen(platform)) continue;
        const devices = platform.devices.bind(platform);
        platform.devices = () => {
          const all = devices();
          for (const device of all) this.device(device);
          return all;
        };
        const fromType = platform.createContextFromType?.bind(platform);
        if (fromType)
          platform.createContextFromType = (...given) =>
            this.context(this.trace.call('create context', 'call', {}, () => fromType(...given)));
      }
      return found;
    };
  }

  private device(device: BackendDevice): void {
    if (this.isSeen(device)) return;
    const createContext = device.createContext.bind(device);
    device.createContext = (...given) =>
      this.context(this.trace.call('create context', 'call', {}, () => createContext(...given)));
    const createSubDevices = device.createSubDevices.bind(device);
    device.createSubDevices = (properties) => {
      const parts = createSubDevices(properties);
      for (const part of parts) this.device(part);
      return parts;
    };
  }

  private context(context: BackendContext): BackendContext {
    this.queues(context);
    this.programs(context);
    const createCommandBuffer = context.createCommandBuffer?.bind(context);
    // Others replay their commands on queues, which record them one by one.
    if (createCommandBuffer && this.kind === 'native')
      context.createCommandBuffer = (queues, properties) => {
        const buffer = createCommandBuffer(queues, properties);
        if (buffer.emulated) return buffer;
        const enqueue = buffer.enqueue.bind(buffer);
        buffer.enqueue = (on, wait, wantEvent) => {
          const tracer = this.tracers.get((on ?? queues)[0]!);
          const what = { name: 'command buffer', cat: 'kernel', args: {} } as const;
          if (!tracer) return enqueue(on, wait, wantEvent);
          return tracer.follow(what, wait, wantEvent, () => enqueue(on, wait, true));
        };
        return buffer;
      };
    const prepare = context.prepare?.bind(context);
    if (prepare) context.prepare = () => this.trace.later(this.trace.builds, START, 'build', {}, prepare);
    return context;
  }

  private queues(context: BackendContext): void {
    const createQueue = context.createQueue.bind(context);
    context.createQueue = (device, properties) => {
      const flags = flagsOf(properties);
      if (flags & QueueFlags.ON_DEVICE) return createQueue(device, properties);
      const queue = createQueue(device, withProfiling(properties, flags));
      const traced = this.known(device);
      const name = traced.queues++ === 0 ? 'queue' : `queue ${traced.queues}`;
      const outOfOrder = (flags & QueueFlags.OUT_OF_ORDER_EXEC_MODE_ENABLE) !== 0;
      const track = this.trace.recorder.track(traced.pid, name, outOfOrder ? 'overlapping' : 'ordered');
      this.tracers.set(queue, new QueueTracer(this.trace, queue, track, traced.clock));
      return queue;
    };
  }

  private known(device: BackendDevice): TracedDevice {
    const known = this.devices.get(device);
    if (known) return known;
    const pid = this.trace.recorder.process(nameOf(device));
    if (this.kind === 'software') this.trace.showThreads(pid);
    const made = { pid, clock: new ClockMap(timersOf(device, this.trace)), queues: 0 };
    this.devices.set(device, made);
    return made;
  }

  private programs(context: BackendContext): void {
    for (const name of [
      'createProgramWithSource',
      'createProgramWithIL',
      'createProgramWithBinary',
      'createProgramWithBuiltInKernels',
    ] as const) {
      const create = context[name].bind(context) as (...given: never[]) => BackendProgram;
      context[name] = (...given: never[]) => this.program(create(...given));
    }
    const link = context.linkProgram.bind(context);
    context.linkProgram = async (devices, options, inputs, signal) => {
      const { trace } = this;
      const args = { options, devices: devices.map(nameOf) };
      return this.program(
        await trace.later(trace.builds, 'link', 'build', args, () => link(devices, options, inputs, signal)),
      );
    };
  }

  private program(program: BackendProgram): BackendProgram {
    const { trace } = this;
    const args = (devices: readonly BackendDevice[], options: string) => ({
      ...(options ? { options } : {}),
      devices: devices.map(nameOf),
    });
    const build = program.build.bind(program);
    program.build = (devices, options, signal) =>
      trace.later(trace.builds, 'build', 'build', args(devices, options), () =>
        build(devices, options, signal),
      );
    const buildSync = program.buildSync.bind(program);
    program.buildSync = (devices, options) =>
      trace.call('build', 'build', args(devices, options), () => buildSync(devices, options));
    const compile = program.compile.bind(program);
    program.compile = (devices, options, headers, signal) =>
      trace.later(trace.builds, 'compile', 'build', args(devices, options), () =>
        compile(devices, options, headers, signal),
      );
    const createKernel = program.createKernel.bind(program);
    program.createKernel = (name) => this.kernel(createKernel(name));
    const createKernels = program.createKernels?.bind(program);
    if (createKernels) program.createKernels = () => createKernels().map((kernel) => this.kernel(kernel));
    return program;
  }

  private kernel(kernel: BackendKernel): BackendKernel {
    const { memories } = notesOn(kernel);
    const setArg = kernel.setArg.bind(kernel);
    kernel.setArg = (index, value) => {
      setArg(index, value);
      memories[index] = isMemory(value) ? value : undefined;
    };
    const clone = kernel.clone.bind(kernel);
    kernel.clone = () => {
      const copy = this.kernel(clone());
      notesOn(copy).memories.push(...memories);
      return copy;
    };
    return kernel;
  }

  private isSeen(object: object): boolean {
    if (this.seen.has(object)) return true;
    this.seen.add(object);
    return false;
  }
}

/** The devices' names are read once: some drivers take long to answer. */
const names = new WeakMap<BackendDevice, string>();

function nameOf(device: BackendDevice): string {
  const known = names.get(device);
  if (known !== undefined) return known;
  const platform = decodeInfo('string', device.platform.info(PlatformInfo.NAME));
  const own = decodeInfo('string', device.info(DeviceInfo.NAME));
  const name = platform === own ? own : `${own} (${platform})`;
  names.set(device, name);
  return name;
}

function timersOf(device: BackendDevice, trace: Trace): { device: bigint; host: bigint } | undefined {
  try {
    const before = trace.now();
    const { device: time } = device.timers();
    return { device: time, host: (before + trace.now()) / 2n };
  } catch {
    return undefined;
  }
}

const KEY = BigInt(QueueInfo.PROPERTIES);

function flagsOf(properties: readonly bigint[]): number {
  for (let i = 0; i + 1 < properties.length; i += 2)
    if (properties[i] === KEY) return Number(properties[i + 1]);
  return 0;
}

function withProfiling(properties: readonly bigint[], flags: number): readonly bigint[] {
  const value = BigInt(flags | QueueFlags.PROFILING_ENABLE);
  const at = properties.findIndex((key, i) => i % 2 === 0 && key === KEY);
  return at < 0 ? [KEY, value, ...properties] : properties.with(at + 1, value);
}
