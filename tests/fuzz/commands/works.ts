// SPDX-License-Identifier: MIT
//
// Random commands: transfers between random places, fills, copies, launches.
import type { Chance } from '../chance';
import { type Bytes, overlap, sizeOf } from './places';
import type { Box, Color, HostBox, ImageMemory, Launch, Memory, Place, Triple, Work } from './program';

interface Scene {
  readonly chance: Chance;
  pick(context: number, condition: (memory: Memory) => boolean): Memory | undefined;
  launch(context: number): Launch | undefined;
  bytesAt(place: Place): Bytes;
}

/** A part of [0, size), aligned. */
function part(chance: Chance, size: number, unit = 1): { offset: number; size: number } {
  const units = Math.floor(size / unit);
  if (chance.with(0.3)) return { offset: 0, size: units * unit };
  const first = chance.integer(0, units - 1);
  return { offset: first * unit, size: unit * chance.integer(1, units - first) };
}

function randomBox(chance: Chance, size: number): Box | undefined {
  const region: Triple = [chance.integer(1, 40), chance.integer(1, 8), chance.integer(1, 3)];
  const rowPitch = region[0] + chance.pick([0, 1, 8]);
  const slicePitch = rowPitch * (region[1] + chance.pick([0, 0, 1, 2]));
  const origin: Triple = [
    chance.integer(0, rowPitch - region[0]),
    chance.integer(0, slicePitch / rowPitch - region[1]),
    chance.integer(0, 2),
  ];
  const end = (origin[2] + region[2]) * slicePitch;
  return end <= size ? { origin, region, rowPitch, slicePitch } : undefined;
}

function randomPixels(chance: Chance, { id, extent }: ImageMemory): Place {
  const along = extent.map((n) => part(chance, n));
  return {
    memory: id,
    kind: 'pixels',
    origin: along.map(({ offset }) => offset) as unknown as Triple,
    region: along.map(({ size }) => size) as unknown as Triple,
  };
}

/** A part of a memory: a span, where the command can take it a box, or pixels. */
export function randomPlace(
  chance: Chance,
  memory: Memory,
  use: 'transfer' | 'map' | 'span',
  unit = 1,
): Place {
  if (memory.kind === 'image') return randomPixels(chance, memory);
  const box =
    use === 'transfer' && memory.kind !== 'svm' && chance.with(0.3) && randomBox(chance, memory.size);
  if (box) return { memory: memory.id, kind: 'box', box };
  return { memory: memory.id, kind: 'span', ...part(chance, memory.size, unit) };
}

/** The host's side of a rectangle. */
function hostBox(chance: Chance, { region }: Box): HostBox {
  const rowPitch = region[0] + chance.pick([0, 3]);
  const slicePitch = rowPitch * (region[1] + chance.pick([0, 1]));
  const origin: Triple = [chance.integer(0, rowPitch - region[0]), 0, chance.integer(0, 1)];
  return {
    size: (origin[2] + region[2]) * slicePitch + chance.pick([0, 5]),
    box: { origin, region, rowPitch, slicePitch },
  };
}

export function randomWork(scene: Scene, context: number, kinds?: 'run' | 'recorded'): Work | undefined {
  const { chance } = scene;
  if (kinds === undefined && chance.with(0.06)) return randomMigration(scene, context);
  const kind = chance.integer(0, 9);
  if (kinds === 'run' || kind < 4) {
    const launch = scene.launch(context);
    return launch && { op: 'run', launch };
  }
  if (kind < 6) return randomCopy(scene, context);
  if (kind < 7 || kinds === 'recorded') return randomFill(scene, context);
  const isWrite = chance.with(0.4);
  // Shared virtual memory is written through maps, fills and copies.
  const memory = scene.pick(context, ({ kind: of }) => !isWrite || of !== 'svm');
  if (!memory) return undefined;
  const place = randomPlace(chance, memory, 'transfer');
  const host = place.kind === 'box' ? { host: hostBox(chance, place.box) } : {};
  if (isWrite) return { op: 'write', to: place, seed: chance.integer(1, 1 << 30), ...host };
  const how = memory.kind === 'buffer' && place.kind === 'span' && chance.with(0.4) ? 'new' : 'own';
  return { op: 'read', from: place, how, ...host };
}

function randomMigration(scene: Scene, context: number): Work | undefined {
  const { chance } = scene;
  const first = scene.pick(context, () => true);
  if (!first) return undefined;
  const memories = new Set([first.id]);
  for (let more = chance.integer(0, 2); more > 0; more--)
    memories.add(scene.pick(context, ({ kind }) => (kind === 'svm') === (first.kind === 'svm'))!.id);
  return { op: 'migrate', memories: [...memories], ...(chance.with(0.3) && { toHost: true }) };
}

function randomFill(scene: Scene, context: number): Work | undefined {
  const { chance } = scene;
  const memory = scene.pick(context, () => true);
  if (!memory) return undefined;
  if (memory.kind === 'image') {
    const { color, pattern } = randomColor(chance, memory);
    return { op: 'fill', to: randomPlace(chance, memory, 'span'), pattern, color };
  }
  const sizes = [1, 2, 4, 8, 16, 32, 64, 128].filter((size) => size <= memory.size);
  const size = chance.pick(sizes);
  const pattern = Array.from({ length: size }, () => chance.integer(0, 255));
  return { op: 'fill', to: randomPlace(chance, memory, 'span', size), pattern };
}

/** A color, and the bytes of a pixel that has it. */
function randomColor(chance: Chance, { format }: ImageMemory): { color: Color; pattern: number[] } {
  const four = (make: () => number) => [make(), make(), make(), make()] as const;
  const bytes = (values: ArrayBufferView) => [...new Uint8Array(values.buffer as ArrayBuffer)];
  const whole = four(() => chance.integer(0, 255));
  switch (format) {
    case 'rgba8ui':
      return { color: whole, pattern: [...whole] };
    case 'rgba16ui':
      return { color: whole, pattern: bytes(Uint16Array.from(whole)) };
    case 'rgba32ui':
      return { color: whole, pattern: bytes(Uint32Array.from(whole)) };
    case 'rgba16i': {
      const color = four(() => chance.integer(-300, 300));
      return { color, pattern: bytes(Int16Array.from(color)) };
    }
    case 'rgba32f': {
      const color = four(() => chance.integer(-99, 99) / 4);
      return { color, pattern: bytes(Float32Array.from(color)) };
    }
    case 'rgba8':
      return { color: whole.map((value) => value / 255) as unknown as Color, pattern: [...whole] };
    default:
      throw new Error(`no colors of ${format}`);
  }
}

function randomCopy(scene: Scene, context: number): Work | undefined {
  const from = scene.pick(context, () => true);
  const isTarget = (memory: Memory) =>
    from?.kind === 'svm' ? memory.kind === 'svm' : memory.kind !== 'svm' && fits(from, memory);
  const to = from && scene.pick(context, isTarget);
  if (!from || !to) return undefined;
  const work = copyBetween(scene, from, to);
  // The device refuses boxes of one memory that overlap.
  return work && !mayOverlap(scene.bytesAt(work.from), scene.bytesAt(work.to)) ? work : undefined;
}

/** Whether the ranges overlap, gaps included. */
function mayOverlap(a: Bytes, b: Bytes): boolean {
  const range = ({ owner, runs }: Bytes): Bytes => ({ owner, runs: [[runs[0]![0], runs.at(-1)![1]]] });
  return overlap(range(a), range(b));
}

const fits = (from: Memory | undefined, to: Memory): boolean =>
  from?.kind !== 'image' || to.kind !== 'image' || from.format === to.format;

function copyBetween(scene: Scene, from: Memory, to: Memory): Extract<Work, { op: 'copy' }> | undefined {
  const { chance } = scene;
  if (from.kind === 'image' && to.kind === 'image') {
    const source = randomPlace(chance, from, 'span');
    if (source.kind !== 'pixels') return undefined;
    const { region } = source;
    if (region.some((n, i) => n > to.extent[i]!)) return undefined;
    const origin = to.extent.map((n, i) => chance.integer(0, n - region[i]!)) as unknown as Triple;
    return { op: 'copy', from: source, to: { memory: to.id, kind: 'pixels', origin, region } };
  }
  if (from.kind === 'image' || to.kind === 'image') {
    const image = from.kind === 'image' ? from : to;
    const linear = from.kind === 'image' ? to : from;
    const pixels = randomPlace(chance, image, 'span');
    const size = sizeOf(scene.bytesAt(pixels).runs);
    if (size > linear.size) return undefined;
    const offset = chance.integer(0, linear.size - size);
    const span: Place = { memory: linear.id, kind: 'span', offset, size };
    return from.kind === 'image'
      ? { op: 'copy', from: pixels, to: span }
      : { op: 'copy', from: span, to: pixels };
  }
  const box = from.kind !== 'svm' && chance.with(0.3) && randomBox(chance, from.size);
  if (box) {
    const host = hostBox(chance, box);
    if (host.size > to.size) return undefined;
    // Within one buffer only one pair of pitches is allowed; PoCL counts its parts, too.
    const { rowPitch, slicePitch } = host.box;
    const owner = (memory: Memory) => (memory.kind === 'sub' ? memory.parent : memory.id);
    if (owner(from) === owner(to) && (rowPitch !== box.rowPitch || slicePitch !== box.slicePitch))
      return undefined;
    return {
      op: 'copy',
      from: { memory: from.id, kind: 'box', box },
      to: { memory: to.id, kind: 'box', box: host.box },
    };
  }
  const { offset, size } = part(chance, Math.min(from.size, to.size));
  return {
    op: 'copy',
    from: { memory: from.id, kind: 'span', offset, size },
    to: { memory: to.id, kind: 'span', offset: chance.integer(0, to.size - size), size },
  };
}
