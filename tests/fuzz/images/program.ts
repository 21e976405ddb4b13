// SPDX-License-Identifier: MIT
//
// Random programs of images: a few images of one format, and a dozen of commands and launches on them. After each, the images' bytes
// are compared with the model's.
import { Chance } from '../chance';
import { Format, type Texel } from './formats';
import { changeSource, readSource, sampleSource, WAYS, writeSource } from './kernels';
import { type Box, ImageModel, type ImageType, randomBox, randomTexels, type Triple, TYPES } from './model';
import { isNear, randomCoordinates, randomSampler, wrongSample } from './sample-step';
import type { SamplerModel } from './sampling';

/** The part of the package's API that this uses: a bundle of the tests' sources cannot contain the package. */
export interface Session {
  readonly context: { supportedImageFormats(type: string): readonly { order: number; type: number }[] };
  build(source: string, options: string): Promise<{ readonly kernels: Record<string, Kernel> }>;
  buffer(content: ArrayBufferView | number): Memory;
  image(shape: object, data?: ArrayBufferView, options?: object): Image;
  sampler(options: object): { release(): void };
}
interface Kernel {
  run(range: object, ...args: unknown[]): PromiseLike<unknown>;
}
interface Memory {
  read(): PromiseLike<Bytes>;
  write(data: ArrayBufferView): PromiseLike<unknown>;
  release(): void;
}
interface Bytes {
  readonly buffer: ArrayBufferLike;
  readonly byteOffset: number;
  readonly byteLength: number;
}
interface Image {
  readonly format: { readonly order: number; readonly type: number };
  read(box?: Box): PromiseLike<Bytes>;
  write(data: ArrayBufferView, box: Box): PromiseLike<unknown>;
  fill(color: Texel, box: Box): PromiseLike<unknown>;
  copyTo(target: Image, options: object): PromiseLike<unknown>;
  copyToBuffer(target: Memory, options: object): PromiseLike<unknown>;
  copyFromBuffer(source: Memory, options: object): PromiseLike<unknown>;
  map(
    mode: string,
    box: Box,
  ): Promise<{
    readonly data: Bytes;
    readonly rowPitch: number;
    readonly slicePitch: number;
    unmap(): PromiseLike<unknown>;
  }>;
  release(): void;
}

export interface Options {
  /** Names of all formats that the device lists, by type of image. */
  readonly formats: ReadonlyMap<ImageType, readonly string[]>;
  /** Whether images may be over buffers with any pitch. */
  readonly overBuffers: boolean;
}

interface Made {
  readonly model: ImageModel;
  readonly image: Image;
  readonly buffer?: Memory;
}

const OPTIONS = '-cl-std=CL3.0';
const STEPS = 12;
const MOST_TEXELS = 6000;
const bytesOf = ({ buffer, byteOffset, byteLength }: Bytes) => new Uint8Array(buffer, byteOffset, byteLength);

/** What is wrong, or undefined. */
export async function runImages(
  seed: number,
  session: Session,
  options: Options,
): Promise<string | undefined> {
  const run = new ImageRun(seed, session, options);
  try {
    return await run.all();
  } finally {
    run.release();
  }
}

class ImageRun {
  private readonly chance: Chance;
  private readonly format: Format;
  private readonly images: Made[] = [];
  private readonly others: { release(): void }[] = [];

  constructor(
    seed: number,
    private readonly session: Session,
    private readonly options: Options,
  ) {
    this.chance = new Chance(seed);
    const names = [...new Set([...options.formats.values()].flat())];
    this.format = new Format(this.chance.pick(names));
  }

  async all(): Promise<string | undefined> {
    const { chance } = this;
    for (let i = 0; i < chance.integer(1, 3); i++) {
      const problem = await this.create();
      if (problem) return `${this.format.name}: ${problem}`;
    }
    for (let step = 0; step < STEPS; step++) {
      const made = chance.pick(this.images);
      const action = chance.pick(ACTIONS);
      const { type, extent, rowPitch } = made.model;
      const where = `step ${step}, ${action} of ${type} ${this.format.name} ${extent.join('x')}, row pitch ${rowPitch}`;
      const problem = (await this[action](made)) ?? (await this.compareAll());
      if (problem) return `${where}: ${problem}`;
    }
    return undefined;
  }

  release(): void {
    for (const each of [...this.others, ...this.images.map(({ image }) => image)]) each.release();
    for (const { buffer } of this.images) buffer?.release();
  }

  private keep<T extends { release(): void }>(made: T): T {
    this.others.push(made);
    return made;
  }

  private async create(): Promise<string | undefined> {
    const { chance, format, session } = this;
    const types = [...this.options.formats].filter(([, names]) => names.includes(format.name));
    const [type] = chance.pick(types);
    const extent = this.extentOf(type);
    const packed = extent[0] * format.pixelBytes;
    const isOver =
      type === '1d-buffer' ||
      (type === '2d' && this.options.overBuffers && format.order !== 'depth' && chance.with(0.3));
    const gap = chance.with(0.5) ? 0 : chance.integer(1, 4) * format.pixelBytes;
    const shape = shapeOf(type, format, extent);
    if (isOver) {
      const rowPitch = packed + (type === '2d' ? gap : 0);
      const bytes = randomTexels(chance, format, (rowPitch / format.pixelBytes) * extent[1] + 3);
      const buffer = session.buffer(bytes.slice());
      const image = session.image({ ...shape, buffer, ...(type === '2d' && { rowPitch }) });
      this.images.push({ model: new ImageModel(type, format, extent, bytes, rowPitch), image, buffer });
      return undefined;
    }
    const model = new ImageModel(
      type,
      format,
      extent,
      new Uint8Array(packed * extent[1] * extent[2]),
      packed,
    );
    const all = { origin: [0, 0, 0], region: extent } as const;
    const texels = randomTexels(chance, format, extent[0] * extent[1] * extent[2]);
    model.write(all, texels);
    if (chance.with(0.3)) {
      const image = session.image(shape);
      this.images.push({ model, image });
      await image.write(texels, all);
      return undefined;
    }
    // The host's rows and slices have gaps. A layer of a 1D array is a slice.
    const isLineArray = type === '1d-array';
    const rowPitch = packed + (isLineArray || extent[1] * extent[2] === 1 ? 0 : gap);
    const host = new ImageModel(
      type,
      format,
      extent,
      new Uint8Array(rowPitch * extent[1] * extent[2]).fill(0xcd),
      rowPitch,
    );
    host.write(all, texels);
    const pitches = rowPitch === packed ? {} : { rowPitch };
    const image = session.image({ ...shape, ...pitches }, host.bytes, { useHost: chance.with(0.3) });
    this.images.push({ model, image });
    return this.compareAll();
  }

  private extentOf(type: ImageType): Triple {
    const { chance } = this;
    const { axes, arrayed } = TYPES[type];
    const side = () => chance.pick([1, 1, 2, 3, chance.integer(1, 9), chance.integer(1, 40)]);
    const sizes = Array.from({ length: axes + (arrayed ? 1 : 0) }, side);
    const extent = [sizes[0] ?? 1, sizes[1] ?? 1, sizes[2] ?? 1] as const;
    return extent[0] * extent[1] * extent[2] > MOST_TEXELS ? [extent[0], extent[1], 1] : extent;
  }

  /** Every byte of every image, and of the buffers below. */
  private async compareAll(): Promise<string | undefined> {
    for (const [i, { model, image, buffer }] of this.images.entries()) {
      const all = { origin: [0, 0, 0], region: model.extent } as const;
      const wanted = model.read(all);
      const found = bytesOf(await image.read());
      const at = wanted.findIndex((byte, k) => byte !== found[k]);
      if (at >= 0) return `byte ${at} of image ${i} (${model.type}) is ${found[at]}, not ${wanted[at]}`;
      if (!buffer) continue;
      const below = bytesOf(await buffer.read());
      const place = model.bytes.findIndex((byte, k) => byte !== below[k]);
      if (place >= 0)
        return `byte ${place} of the buffer of image ${i} is ${below[place]}, not ${model.bytes[place]}`;
    }
    return undefined;
  }

  async readRegion({ model, image }: Made): Promise<string | undefined> {
    const box = randomBox(this.chance, model.extent);
    return differenceOf(bytesOf(await image.read(box)), model.read(box), box);
  }

  async writeRegion({ model, image }: Made): Promise<undefined> {
    const box = randomBox(this.chance, model.extent);
    const texels = randomTexels(this.chance, this.format, box.region[0] * box.region[1] * box.region[2]);
    await image.write(texels, box);
    model.write(box, texels);
  }

  async fill({ model, image }: Made): Promise<string | undefined> {
    const box = randomBox(this.chance, model.extent);
    const color = this.color();
    await image.fill(color, box);
    const found = bytesOf(await image.read({ origin: box.origin, region: [1, 1, 1] }));
    const problem = this.wrongColor(color, found, 0);
    const count = box.region[0] * box.region[1] * box.region[2];
    const texels = new Uint8Array(count * this.format.pixelBytes);
    for (let i = 0; i < count; i++) texels.set(found, i * this.format.pixelBytes);
    model.write(box, texels);
    return problem;
  }

  async copy({ model, image }: Made): Promise<undefined> {
    const { chance } = this;
    const target = chance.pick(this.images);
    const box = randomBox(chance, model.extent);
    const most = box.region.map((size, i) => Math.min(size, target.model.extent[i]!));
    const region = most.map((size) => chance.integer(1, size)) as unknown as Triple;
    const targetOrigin = region.map((size, i) =>
      chance.integer(0, target.model.extent[i]! - size),
    ) as unknown as Triple;
    const from = { origin: box.origin, region };
    const overlaps = region.every(
      (size, i) => box.origin[i]! < targetOrigin[i]! + size && targetOrigin[i]! < box.origin[i]! + size,
    );
    if (image === target.image && overlaps) return;
    await image.copyTo(target.image, { ...from, targetOrigin });
    target.model.write({ origin: targetOrigin, region }, model.read(from));
  }

  async copyToBuffer({ model, image }: Made): Promise<string | undefined> {
    const box = randomBox(this.chance, model.extent);
    const wanted = model.read(box);
    const targetOffset = this.chance.integer(0, 9);
    const buffer = this.keep(this.session.buffer(new Uint8Array(wanted.length + 20).fill(7)));
    await image.copyToBuffer(buffer, { ...box, targetOffset });
    const all = new Uint8Array(wanted.length + 20).fill(7);
    all.set(wanted, targetOffset);
    return differenceOf(bytesOf(await buffer.read()), all, box);
  }

  async copyFromBuffer({ model, image }: Made): Promise<undefined> {
    const box = randomBox(this.chance, model.extent);
    const texels = randomTexels(this.chance, this.format, box.region[0] * box.region[1] * box.region[2]);
    const sourceOffset = this.chance.integer(0, 9);
    const bytes = new Uint8Array(texels.length + sourceOffset);
    bytes.set(texels, sourceOffset);
    await image.copyFromBuffer(this.keep(this.session.buffer(bytes)), { ...box, sourceOffset });
    model.write(box, texels);
  }

  async map({ model, image }: Made): Promise<string | undefined> {
    const { chance, format } = this;
    const box = randomBox(chance, model.extent);
    const mode = chance.pick(['read', 'write', 'read-write']);
    const mapping = await image.map(mode, box);
    const bytes = bytesOf(mapping.data);
    const [width, height, depth] = box.region;
    const row = width * format.pixelBytes;
    const wanted =
      mode === 'read' || chance.with(0.5)
        ? model.read(box)
        : randomTexels(chance, format, width * height * depth);
    let problem: string | undefined;
    // A line of an array is a slice.
    const lines = model.type === '1d-array' && mapping.slicePitch > 0 ? mapping.slicePitch : mapping.rowPitch;
    for (let k = 0; k < depth; k++)
      for (let j = 0; j < height; j++) {
        const at = k * mapping.slicePitch + j * lines;
        const own = wanted.subarray((k * height + j) * row, (k * height + j + 1) * row);
        if (mode === 'read') problem ??= differenceOf(bytes.slice(at, at + row), own, box);
        else bytes.set(own, at);
      }
    await mapping.unmap();
    if (mode !== 'read') model.write(box, wanted);
    return problem;
  }

  async sample({ model, image }: Made): Promise<string | undefined> {
    const { chance, format, session } = this;
    if (model.type === '1d-buffer') return undefined;
    const withIntegers = chance.with(0.25);
    const normalized = !withIntegers && chance.with(0.6);
    const own = randomSampler(chance, format, withIntegers, normalized);
    const given = randomSampler(chance, format, withIntegers, normalized);
    const way = chance.pick(WAYS);
    const isDepth = format.order === 'depth';
    const source = sampleSource({
      type: model.type,
      kind: format.kind,
      isDepth,
      sampler: own,
      withIntegers,
      way,
    });
    const { kernels } = await session.build(source, OPTIONS);
    const { global, local } = this.range();
    const flags = chance.integer(0, 1);
    const places = Array.from({ length: global }, () =>
      randomCoordinates(chance, model, [own, given], withIntegers),
    );
    const coordinates = (withIntegers ? Int32Array : Float32Array).from(places.flat());
    const out = this.keep(session.buffer(global * 16));
    const sampler = this.keep(session.sampler(given));
    await kernels.sample!.run(
      { global, local },
      image,
      sampler,
      this.keep(session.buffer(coordinates)),
      out,
      flags,
    );
    const found = this.numbers(await out.read());
    const takesOwn = {
      plain: () => flags === 1,
      branch: (i: number) => i % 3 === 1,
      loop: (i: number) => (i & 1) === 1,
      call: () => false,
    }[way];
    for (const [i, at] of places.entries()) {
      const taken: SamplerModel = takesOwn(i) ? own : given;
      const problem = wrongSample(model, taken, at, withIntegers, [...found.subarray(4 * i, 4 * i + 4)]);
      if (problem)
        return `item ${i} of ${global}/${local} (${way}), ${JSON.stringify(taken)}${withIntegers ? ', integers' : ''}: ${problem}`;
    }
    return undefined;
  }

  async fetch({ model, image }: Made): Promise<string | undefined> {
    const { chance, format, session } = this;
    const isDepth = format.order === 'depth';
    const { kernels } = await session.build(readSource(model.type, format.kind, isDepth), OPTIONS);
    const { global, local } = this.range();
    const places = Array.from({ length: global }, () =>
      model.extent.map((size) => chance.integer(0, size - 1)),
    );
    const coordinates = Int32Array.from(places.flatMap((at) => [...at, 0]));
    const [out, sizes] = [this.keep(session.buffer(global * 16)), this.keep(session.buffer(28))];
    await kernels.fetch!.run({ global, local }, image, this.keep(session.buffer(coordinates)), out, sizes);
    const found = this.numbers(await out.read());
    for (const [i, at] of places.entries()) {
      const actual = [...found.subarray(4 * i, 4 * i + 4)];
      const wanted = model.texel(at);
      if (!isNear(format, wanted, actual, 0))
        return `at ${at.join(', ')} is ${actual.join(', ')}, not ${wanted.join(', ')}`;
    }
    const { axes, layers, extent } = model;
    const wanted = [
      extent[0],
      axes > 1 ? extent[1] : 1,
      axes > 2 ? extent[2] : 1,
      layers ?? 1,
      image.format.order,
      image.format.type,
      axes === 1 ? 0 : extent[axes - 1]!,
    ];
    const answers = new Int32Array(bytesOf(await sizes.read()).slice().buffer);
    return wanted.every((value, i) => value === answers[i])
      ? undefined
      : `queries answer ${answers.join(', ')}, not ${wanted.join(', ')}`;
  }

  async put(made: Made): Promise<string | undefined> {
    const { format, session } = this;
    const { model, image } = made;
    const isDepth = format.order === 'depth';
    const { kernels } = await session.build(writeSource(model.type, format.kind, isDepth), OPTIONS);
    const { places, coordinates, range } = this.ownTexels(model);
    const colors = places.map(() => this.color());
    const values = { float: Float32Array, int: Int32Array, uint: Uint32Array }[format.kind].from(
      colors.flat(),
    );
    await kernels.put!.run(range, image, coordinates, this.keep(session.buffer(values)));
    return this.adopt(made, places, (i) => colors[i]!);
  }

  async change(made: Made): Promise<string | undefined> {
    const { format, session } = this;
    const { model, image } = made;
    const isDepth = format.order === 'depth';
    const { kernels } = await session.build(changeSource(model.type, format.kind, isDepth), OPTIONS);
    const { places, coordinates, range } = this.ownTexels(model);
    const before = places.map(({ at }) => model.texel(at));
    await kernels.change!.run(range, image, coordinates);
    return this.adopt(made, places, (i) => {
      const [r, g, b, a] = before[i]!;
      return isDepth ? [r, g, b, a] : format.kind === 'float' ? [a, b, g, r] : [g, r, a, b];
    });
  }

  /** Compares what kernels wrote, as far as it is defined, and takes the bytes over. */
  private async adopt(
    { model, image }: Made,
    places: readonly { readonly at: Triple; readonly isWritten: boolean }[],
    colorOf: (i: number) => Texel,
  ): Promise<string | undefined> {
    const all = { origin: [0, 0, 0], region: model.extent } as const;
    const found = bytesOf(await image.read());
    const packed = new ImageModel(
      model.type,
      this.format,
      model.extent,
      found,
      model.extent[0] * this.format.pixelBytes,
    );
    for (const [i, { at, isWritten }] of places.entries()) {
      if (!isWritten) continue;
      const box = { origin: at, region: [1, 1, 1] } as const;
      const texel = packed.read(box);
      const problem = this.wrongColor(colorOf(i), texel, 0);
      if (problem) return `at ${at.join(', ')}: ${problem}`;
      model.write(box, texel);
    }
    return differenceOf(found, model.read(all), all);
  }

  /** Texels of which each work-item has one, in any order. */
  private ownTexels(model: ImageModel) {
    const { chance } = this;
    const [width, height, depth] = model.extent;
    const total = width * height * depth;
    const { global, local } = this.range(total);
    const order = Array.from({ length: total }, (_, i) => i);
    if (chance.with(0.5))
      for (let i = total - 1; i > 0; i--) {
        const j = chance.integer(0, i);
        [order[i], order[j]] = [order[j]!, order[i]!];
      }
    const skips = chance.with(0.5);
    const places = order.slice(0, global).map((i) => ({
      at: [i % width, Math.floor(i / width) % height, Math.floor(i / width / height)] as Triple,
      isWritten: !skips || chance.with(0.6),
    }));
    const words = Int32Array.from(places.flatMap(({ at, isWritten }) => [...at, isWritten ? 0 : 1]));
    return { places, coordinates: this.keep(this.session.buffer(words)), range: { global, local } };
  }

  private range(most = 200): { readonly global: number; readonly local: number } {
    const { chance } = this;
    const local = chance.pick([1, 2, 4, 5, 8, 16, 32].filter((size) => size <= most));
    return { local, global: local * chance.integer(1, Math.floor(Math.min(most, 200) / local)) };
  }

  /** Filters of infinities are undefined. */
  private get largest(): number {
    return this.format.name.endsWith('16f') ? 60_000 : 1e10;
  }

  private color(): Texel {
    const { chance, format } = this;
    const component = () => {
      if (format.kind === 'float')
        return Math.fround(
          chance.pick([
            0,
            1,
            -1,
            0.5,
            2,
            -3,
            this.largest,
            chance.random(),
            chance.random(),
            chance.random() * 2 - 1,
            chance.random() / 500,
          ]),
        );
      const bits = chance.integer(1, 31);
      const value = chance.integer(0, 2 ** bits - 1);
      return format.kind === 'int' && chance.with(0.5) ? -value - 1 : value;
    };
    return [component(), component(), component(), component()];
  }

  private wrongColor(color: Texel, bytes: Uint8Array, at: number): string | undefined {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (this.format.accepts(color, view, at)) return undefined;
    return `${color.join(', ')} becomes the bytes ${bytes.subarray(at, at + this.format.pixelBytes).join(' ')}`;
  }

  private numbers(found: Bytes) {
    const { buffer } = bytesOf(found).slice();
    return { float: new Float32Array(buffer), int: new Int32Array(buffer), uint: new Uint32Array(buffer) }[
      this.format.kind
    ];
  }
}

const ACTIONS = [
  'readRegion',
  'writeRegion',
  'fill',
  'copy',
  'copyToBuffer',
  'copyFromBuffer',
  'map',
  'sample',
  'sample',
  'sample',
  'sample',
  'fetch',
  'fetch',
  'put',
  'put',
  'change',
] as const;

function shapeOf(type: ImageType, { name }: Format, [width, y, z]: Triple): object {
  const shape = { type, format: name, width };
  switch (type) {
    case '1d-array':
      return { ...shape, layers: y };
    case '2d':
      return { ...shape, height: y };
    case '2d-array':
      return { ...shape, height: y, layers: z };
    case '3d':
      return { ...shape, height: y, depth: z };
    default:
      return shape;
  }
}

function differenceOf(actual: Uint8Array, expected: Uint8Array, { origin, region }: Box): string | undefined {
  const at = expected.findIndex((byte, k) => byte !== actual[k]);
  if (at < 0) return undefined;
  return `byte ${at} of ${region.join('x')} from ${origin.join(', ')} is ${actual[at]}, not ${expected[at]}`;
}
