// SPDX-License-Identifier: MIT
//
// Runs random kernels through the public API.
import { CHANNEL, type ImageFormat } from '../helpers/image-argument';
import type { RandomKernel } from './kernels/model';
import { type ArgumentMemory, invocationOf } from './run-kernel';

/** The part of the package's API that this uses: a bundle of the tests' sources cannot contain the package. */
export interface Api {
  readonly open: (options: {
    device: string;
    robust?: boolean;
    check?: 'all';
    timeout?: number;
  }) => Promise<Session>;
  readonly local: (bytes: number) => unknown;
  readonly platforms: () => readonly { readonly name: string }[];
}

export interface Session {
  readonly queue: { enqueueNDRange(kernel: Kernel, range: object): Launch };
  build(source: string, options: string): Promise<{ kernels: Record<string, Kernel> }>;
  buffer(content: ArrayBufferView): Memory;
  image(shape: { width: number; height: number; format: string }, texels: ArrayBufferView): Memory;
  close(): void;
}

interface Launch extends PromiseLike<unknown> {
  readonly faults: readonly { readonly text: string }[];
}

interface Kernel {
  setArgs(...args: unknown[]): void;
}

interface Memory {
  read(): Promise<ArrayBufferView>;
  release(): void;
}

export interface Results {
  /** The contents of buffers and images after the launch, in the order of the arguments. */
  readonly memory: readonly Uint8Array[];
  /** The reports of a checked launch. */
  readonly faults: readonly string[];
}

const TYPES: Readonly<Record<number, readonly [string, new (buffer: ArrayBuffer) => ArrayBufferView]>> = {
  [CHANNEL.SIGNED_INT8]: ['8i', Int8Array],
  [CHANNEL.SIGNED_INT16]: ['16i', Int16Array],
  [CHANNEL.SIGNED_INT32]: ['32i', Int32Array],
  [CHANNEL.UNSIGNED_INT8]: ['8ui', Uint8Array],
  [CHANNEL.UNSIGNED_INT16]: ['16ui', Uint16Array],
  [CHANNEL.UNSIGNED_INT32]: ['32ui', Uint32Array],
  [CHANNEL.FLOAT]: ['32f', Float32Array],
};

export async function runThroughApi(
  { local }: Api,
  session: Session,
  kernel: RandomKernel,
  options: string,
  shared: ArgumentMemory = 'overlapping',
): Promise<Results> {
  const { kernels } = await session.build(kernel.source, options);
  const memory: Memory[] = [];
  const keep = (made: Memory) => {
    memory.push(made);
    return made;
  };
  /** Two arguments with one view are one buffer. Sub-buffers cannot begin at any element. */
  const buffers = new Map<ArrayBufferView, Memory>();
  const args = invocationOf(kernel, shared).args.map((arg) => {
    if ('buffer' in arg) {
      const made = buffers.get(arg.buffer) ?? keep(session.buffer(arg.buffer));
      buffers.set(arg.buffer, made);
      return made;
    }
    if ('local' in arg) return local(arg.local);
    if ('value' in arg) return (arg.value as Uint32Array)[0]!;
    const { format, width, height, texels } = arg.image;
    const [, View] = TYPES[format.type]!;
    const content = new View(texels.slice().buffer);
    return keep(session.image({ width, height, format: formatName(format) }, content));
  });
  try {
    kernels.fuzz!.setArgs(...args);
    const launch = session.queue.enqueueNDRange(kernels.fuzz!, {
      global: kernel.global,
      local: kernel.local,
      ...(kernel.offset && { offset: kernel.offset }),
    });
    await launch;
    const contents = await Promise.all(memory.map((each) => each.read()));
    return {
      memory: contents.map((each) => new Uint8Array(each.buffer, each.byteOffset, each.byteLength)),
      faults: launch.faults.map((fault) => fault.text),
    };
  } finally {
    for (const each of memory) each.release();
  }
}

/** The first byte that differs, as `argument 2 at byte 8: 1 instead of 0`; undefined if none does. */
export function differenceOf(expected: Results, actual: Results): string | undefined {
  for (const [i, bytes] of actual.memory.entries()) {
    const at = bytes.findIndex((byte, k) => byte !== expected.memory[i]![k]);
    if (at >= 0) return `argument ${i} at byte ${at}: ${bytes[at]} instead of ${expected.memory[i]![at]}`;
  }
  return undefined;
}

/** `rgba8ui` */
function formatName({ order, type }: ImageFormat): string {
  return `${order === CHANNEL.RGBA ? 'rgba' : 'r'}${TYPES[type]![0]}`;
}
