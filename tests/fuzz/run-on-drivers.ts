// SPDX-License-Identifier: MIT
//
// Runs kernels through the public API, on the software device and on a driver, and compares what they leave in memory.
import { CHANNEL, type ImageFormat } from '../helpers/image-argument';
import type { RandomKernel } from './kernels/model';
import { invocationOf } from './run-kernel';

/** The part of the package's API that this uses: a bundle of the tests' sources cannot contain the package. */
export interface Api {
  readonly open: (options: { device: string }) => Promise<Session>;
  readonly local: (bytes: number) => unknown;
}

interface Session {
  build(source: string, options: string): Promise<{ kernels: Record<string, Kernel> }>;
  buffer(content: ArrayBufferView): Memory;
  image(shape: { width: number; height: number; format: string }, texels: ArrayBufferView): Memory;
  close(): void;
}

interface Kernel {
  run(range: object, ...args: unknown[]): Promise<unknown>;
}

interface Memory {
  read(): Promise<ArrayBufferView>;
  release(): void;
}

/** Exact results need divisions and roots that are correctly rounded. */
const OPTIONS = '-w -cl-std=CL3.0 -cl-fp32-correctly-rounded-divide-sqrt';

const TYPES: Readonly<Record<number, readonly [string, new (buffer: ArrayBuffer) => ArrayBufferView]>> = {
  [CHANNEL.SIGNED_INT8]: ['8i', Int8Array],
  [CHANNEL.SIGNED_INT16]: ['16i', Int16Array],
  [CHANNEL.SIGNED_INT32]: ['32i', Int32Array],
  [CHANNEL.UNSIGNED_INT8]: ['8ui', Uint8Array],
  [CHANNEL.UNSIGNED_INT16]: ['16ui', Uint16Array],
  [CHANNEL.UNSIGNED_INT32]: ['32ui', Uint32Array],
  [CHANNEL.FLOAT]: ['32f', Float32Array],
};

export class Drivers {
  private constructor(
    private readonly api: Api,
    private readonly ours: Session,
    private readonly theirs: Session,
  ) {}

  /** `driver`: the name of a platform. */
  static async open(api: Api, driver: string): Promise<Drivers> {
    return new Drivers(api, await api.open({ device: 'software' }), await api.open({ device: driver }));
  }

  /**
   * The place where the driver's results differ from the software device's; undefined if they agree. `onDriver`:
   * called when the driver begins.
   */
  async firstDifference(kernel: RandomKernel, onDriver: () => void): Promise<string | undefined> {
    const expected = await this.results(this.ours, kernel);
    onDriver();
    const actual = await this.results(this.theirs, kernel);
    for (const [i, bytes] of actual.entries()) {
      const at = bytes.findIndex((byte, k) => byte !== expected[i]![k]);
      if (at >= 0)
        return `argument ${i} at byte ${at}: the driver has ${bytes[at]}, the device ${expected[i]![at]}`;
    }
    return undefined;
  }

  private async results(session: Session, kernel: RandomKernel): Promise<Uint8Array[]> {
    const { kernels } = await session.build(kernel.source, OPTIONS);
    const memory: Memory[] = [];
    const keep = (made: Memory) => {
      memory.push(made);
      return made;
    };
    const args = invocationOf(kernel).args.map((arg) => {
      if ('buffer' in arg) return keep(session.buffer(arg.buffer));
      if ('local' in arg) return this.api.local(arg.local);
      if ('value' in arg) return (arg.value as Uint32Array)[0]!;
      const { format, width, height, texels } = arg.image;
      const [, View] = TYPES[format.type]!;
      const content = new View(texels.slice().buffer);
      return keep(session.image({ width, height, format: formatName(format) }, content));
    });
    await kernels.fuzz!.run({ global: kernel.global, local: kernel.local }, ...args);
    const results = await Promise.all(memory.map((each) => each.read()));
    for (const each of memory) each.release();
    return results.map((each) => new Uint8Array(each.buffer, each.byteOffset, each.byteLength));
  }
}

/** `rgba8ui` */
function formatName({ order, type }: ImageFormat): string {
  return `${order === CHANNEL.RGBA ? 'rgba' : 'r'}${TYPES[type]![0]}`;
}
