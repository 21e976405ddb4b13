// SPDX-License-Identifier: MIT
//
// What console.log, templates and JSON.stringify show of the API's objects: the class, the name where there is one, the
// facts that one looks for, and whether the object was released. Of objects within objects only what identifies them.

import { LocalArgument } from '../../backend/backend-queue';
import { isConstructed } from '../internals';
import { Buffer } from '../objects/buffer';
import { CommandBuffer } from '../objects/command-buffer';
import { Context } from '../objects/context';
import { Device } from '../objects/device';
import { Event } from '../objects/event';
import { SharedObject } from '../objects/gl-sharing';
import { Handle } from '../objects/handle';
import { Image } from '../objects/image';
import { Kernel } from '../objects/kernel';
import { KernelModule, ModuleKernel } from '../objects/kernel-module';
import { DevicePointer } from '../objects/kernel-values';
import { Mapping } from '../objects/mapping';
import { Pipe } from '../objects/pipe';
import { Platform } from '../objects/platform';
import { Program } from '../objects/program';
import { CommandQueue } from '../objects/queue';
import { Sampler } from '../objects/sampler';
import { Semaphore } from '../objects/semaphore';
import { Svm } from '../objects/svm';
import { Session } from '../open';

interface InspectOptions {
  stylize(text: string, style: string): string;
}
type Inspect = (value: unknown, options: InspectOptions) => string;

/** For scripts that call the method, which is meant for `util.inspect`: plain text. */
const PLAIN: InspectOptions = { stylize: (text) => text };

type Facts = Readonly<Record<string, () => unknown>>;

/** `12.5 MiB`: in the largest unit that gives at least 1. */
export function formatBytes(bytes: number | bigint): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
  let [value, unit] = [Number(bytes), 0];
  for (; value >= 1024 && unit < units.length - 1; unit++) value /= 1024;
  return `${Number(value.toFixed(value < 10 ? 2 : 1))} ${units[unit]}`;
}

const signature = (kernel: Kernel): string => kernel.arguments.join(', ');

/** The properties of a class by name. Each is queried only when it is shown, and omitted if that fails. */
const FACTS: readonly (readonly [
  type: { readonly name: string; readonly prototype: object },
  facts: (object: never) => Facts,
])[] = [
  [
    Platform,
    (platform: Platform) => ({
      name: () => platform.name,
      version: () => platform.version,
      kind: () => platform.kind,
      devices: () => platform.devices.map(({ name }) => name),
    }),
  ],
  [
    Device,
    (device: Device) => ({
      name: () => device.name,
      type: () => device.type,
      platform: () => device.platform.name,
      computeUnits: () => device.info('MAX_COMPUTE_UNITS'),
      memory: () => formatBytes(device.info('GLOBAL_MEM_SIZE')),
      chosen: () => device.chosen,
    }),
  ],
  [
    Session,
    (session: Session) => ({
      device: () => session.device.name,
      type: () => session.device.type,
      chosen: () => session.device.chosen,
      closed: () => session.context.released || undefined,
    }),
  ],
  [Context, (context: Context) => ({ devices: () => context.devices.map(({ name }) => name) })],
  [
    CommandQueue,
    (queue: CommandQueue) => ({
      device: () => queue.device.name,
      outOfOrder: () => queue.outOfOrder,
      profiling: () => queue.profiling,
    }),
  ],
  [
    Buffer,
    (buffer: Buffer) => ({
      type: () => buffer.type.name,
      length: () => buffer.length,
      size: () => formatBytes(buffer.size),
      origin: () => (buffer.parent ? buffer.origin : undefined),
    }),
  ],
  [
    Image,
    (image: Image) => ({
      type: () => image.type,
      format: () => image.shape.format,
      extent: () => image.extent,
      size: () => formatBytes(image.size),
    }),
  ],
  [Pipe, (pipe: Pipe) => ({ packetSize: () => pipe.packetSize, maxPackets: () => pipe.maxPackets })],
  [
    SharedObject,
    (shared: SharedObject) => ({ origin: () => shared.origin, size: () => formatBytes(shared.size) }),
  ],
  [Sampler, (sampler: Sampler) => ({ device: () => sampler.context.device.name })],
  [Svm, (svm: Svm) => ({ size: () => formatBytes(svm.size), address: () => svm.address })],
  [
    Mapping,
    (mapping: Mapping<never>) => ({
      memory: () => mapping.memory.constructor.name,
      data: () => mapping.data,
    }),
  ],
  [Program, (program: Program) => ({ kernels: () => program.kernelNames })],
  [Kernel, (kernel: Kernel) => ({ name: () => kernel.name, arguments: () => signature(kernel) })],
  [Event, (event: Event) => ({ status: () => event.status })],
  [CommandBuffer, (commands: CommandBuffer) => ({ emulated: () => commands.emulated })],
  [Semaphore, (semaphore: Semaphore) => ({ device: () => semaphore.context.device.name })],
  [DevicePointer, (pointer: DevicePointer) => ({ address: () => pointer.address })],
  [LocalArgument, (local: LocalArgument) => ({ size: () => formatBytes(local.bytes) })],
  [KernelModule, (module: KernelModule) => ({ name: () => module.name })],
  [ModuleKernel, (kernel: ModuleKernel) => ({ name: () => kernel.name })],
];

/** The properties of an object, for console.log. */
function factsOf(object: object): Record<string, unknown> {
  const known: Record<string, unknown> = {};
  const facts = FACTS.find(([type]) => object instanceof (type as never))?.[1];
  if (!facts) return known;
  for (const [name, ask] of Object.entries(facts(object as never))) {
    try {
      const value = ask();
      if (value !== undefined) known[name] = value;
    } catch {
      // For a released object, or one whose driver reports nothing.
    }
  }
  return known;
}

/** In a template: `Buffer { type: Float32Array, length: 1024, size: 4 KiB }`. */
function asText(object: object): string {
  const released = Handle[isConstructed](object) && object.released ? ' (released)' : '';
  const facts = Object.entries(factsOf(object)).map(([name, value]) => `${name}: ${shortly(value)}`);
  return `${object.constructor.name}${released}${facts.length > 0 ? ` { ${facts.join(', ')} }` : ''}`;
}

/** Elements of memory are not shown. */
const shortly = (value: unknown): string =>
  ArrayBuffer.isView(value) ? `${value.constructor.name}(${value.byteLength} bytes)` : String(value);

/** For JSON.stringify: what console.log shows. Handles and contents of memory cannot be written. */
function asJson(object: object): Record<string, unknown> {
  const released = Handle[isConstructed](object) && object.released ? { released: true } : {};
  const facts = Object.entries(factsOf(object)).map(([name, value]) => [
    name,
    ArrayBuffer.isView(value) || typeof value === 'bigint' ? shortly(value) : value,
  ]);
  return { class: object.constructor.name, ...released, ...Object.fromEntries(facts) };
}

/** Node.js and Deno call this method. */
const CUSTOM = Symbol.for('nodejs.util.inspect.custom');

/** Called once, when the classes have their names and checks. */
export function inspectWell(): void {
  for (const [type] of FACTS) {
    const value = function (
      this: object,
      depth?: number,
      options: InspectOptions = PLAIN,
      inspect?: Inspect,
    ): string {
      const own = Object(this) as object;
      const name = options.stylize(own.constructor?.name ?? type.name, 'special');
      if (!inspect || depth === undefined || depth < 0 || own === type.prototype) return name;
      const released = Handle[isConstructed](this) && this.released ? ' (released)' : '';
      const facts = factsOf(this);
      return `${name}${released}${Object.keys(facts).length > 0 ? ` ${inspect(facts, options)}` : ''}`;
    };
    Object.defineProperty(type.prototype, CUSTOM, { value, configurable: true });
    const toJSON = function (this: object): unknown {
      return Object.prototype.isPrototypeOf.call(type.prototype, this) ? asJson(this) : {};
    };
    Object.defineProperty(type.prototype, 'toJSON', { value: toJSON, configurable: true, writable: true });
    if (Object.hasOwn(type.prototype, 'toString')) continue;
    const text = function (this: unknown): string {
      if (this === type.prototype) return type.name;
      return Object.prototype.isPrototypeOf.call(type.prototype, this as object)
        ? asText(this as object)
        : Object.prototype.toString.call(this);
    };
    Object.defineProperty(type.prototype, 'toString', {
      value: text,
      configurable: true,
      writable: true,
    });
  }
}
