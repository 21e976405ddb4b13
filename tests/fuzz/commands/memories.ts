// SPDX-License-Identifier: MIT
//
// Random memories: buffers, parts of buffers, shared virtual memory, images.
import type { ImageFormatName } from '../../../ts/api/data/image-formats';
import type { ImageType } from '../../../ts/api/objects/image';
import type { Chance } from '../chance';
import type { Abilities, Memory, Triple } from './program';

interface Scene {
  readonly chance: Chance;
  readonly abilities: Abilities;
  newId(): number;
  pick<M extends Memory>(context: number, condition: (memory: Memory) => memory is M): M | undefined;
}

/** Formats that every device has, with the bytes of a pixel. */
const FORMATS: readonly (readonly [ImageFormatName, number])[] = [
  ['rgba8ui', 4],
  ['rgba32ui', 16],
  ['rgba16ui', 8],
  ['rgba8', 4],
  ['rgba16i', 8],
  ['rgba32f', 16],
];
const TYPES: readonly ImageType[] = ['2d', '2d', '2d', '1d', '3d', '2d-array', '1d-array'];

/** Bytes. Copies of more than 128 KB are done in steps. */
function sizeFor(chance: Chance, isLarge: boolean): number {
  if (isLarge && chance.with(0.5)) return 4 * chance.integer(30_000, 90_000);
  return 4 * chance.pick([1, 5, 32, 100, 150, 256, 600, 1024, 2500]);
}

function extentOf(chance: Chance, type: ImageType, isLarge: boolean): Triple {
  const side = () => chance.integer(1, isLarge ? 120 : 24);
  const few = chance.integer(1, 4);
  switch (type) {
    case '1d':
      return [side(), 1, 1];
    case '1d-array':
      return [side(), few, 1];
    case '2d':
      return [side(), side(), 1];
    default:
      return [side(), side(), few];
  }
}

export function randomMemory(scene: Scene, context: number, isLarge: boolean): Memory | undefined {
  const { chance, abilities } = scene;
  const id = scene.newId();
  const kind = chance.integer(0, 9);
  if (kind < 4) {
    const size = sizeFor(chance, isLarge);
    return { id, context, kind: 'buffer', size, how: chance.pick(['copy', 'copy', 'use', 'alloc']) };
  }
  if (kind < 6) {
    const isBuffer = (memory: Memory): memory is Extract<Memory, { kind: 'buffer' }> =>
      memory.kind === 'buffer';
    const parent = scene.pick(context, isBuffer);
    if (!parent) return undefined;
    const origin = abilities.align * chance.integer(0, Math.floor((parent.size - 4) / abilities.align));
    const size = 4 * chance.integer(1, (parent.size - origin) / 4);
    return { id, context, kind: 'sub', parent: parent.id, origin, size };
  }
  if (kind < 7) {
    if (!abilities.svm) return undefined;
    return { id, context, kind: 'svm', size: sizeFor(chance, isLarge) };
  }
  if (!abilities.images) return undefined;
  const isOver = abilities.imagesOver && chance.with(0.3);
  const type = isOver ? '2d' : chance.pick(TYPES);
  const [format, pixelBytes] = chance.pick(FORMATS);
  const extent = extentOf(chance, type, isLarge);
  const size = extent[0] * extent[1] * extent[2] * pixelBytes;
  const image = { id, context, kind: 'image', type, format, pixelBytes, extent, size } as const;
  if (!isOver) return image;
  const isBelow = (memory: Memory): memory is Extract<Memory, { kind: 'buffer' }> =>
    memory.kind === 'buffer' && memory.size >= size;
  const over = scene.pick(context, isBelow);
  return over && { ...image, over: over.id };
}
