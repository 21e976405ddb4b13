// SPDX-License-Identifier: MIT
//
// How much of a range a device takes next, so that all devices end together and none runs a slice that is too small for it.
import type { Device } from '../api/objects/device';

/** What counts of a device. It is asked once: a device that was lost does not answer, and would stop the others' slices. */
export interface DeviceTraits {
  readonly name: string;
  readonly isGpu: boolean;
  /** Work-items that occupy all compute units. A GPU takes as long for fewer; other devices run work-items one after another. */
  readonly occupying: number;
}

/** A device that works on a range, and the work-items a millisecond that it did last. */
export interface Sharer extends DeviceTraits {
  readonly speed: number | undefined;
}

/** The part of the range that a device takes while its speed is unknown. */
const TRIAL = 1 / 32;
/** The same for a processor beside a GPU, which may be a thousand times as fast: the GPU would wait for the trial. */
const TRIAL_BESIDE_GPU = 1 / 4096;
/** A device takes only this part of its share of the rest, so that the last slices are small and all devices end together. */
const PART_OF_SHARE = 1 / 3;
/** The smallest part of the range that is worth the overhead of a launch. */
const LEAST = 1 / 256;
/** The least time of a slice: a launch with its transfers costs a tenth of it. */
const LEAST_MS = 1;
/**
 * The least time that a slow device must save the fastest one, which cuts the range into slices to share it. Each slice is a launch of its
 * own, so that costs about as much.
 */
const LEAST_SAVED_MS = 1;
/** Devices below this part of the fastest one's speed are slow. */
const SLOW = 1 / 8;

/** Work-groups of the largest size that a compute unit of a GPU has at a time: two of 1,024 work-items on NVIDIA's. */
const GROUPS_OF_A_UNIT = 2;

export const traitsOf = (device: Device): DeviceTraits => ({
  name: device.name,
  isGpu: device.type === 'gpu',
  occupying:
    device.type === 'gpu'
      ? GROUPS_OF_A_UNIT * device.info('MAX_COMPUTE_UNITS') * Number(device.info('MAX_WORK_GROUP_SIZE'))
      : 1,
});

/**
 * How fast a device is: work-items a millisecond, where each slice counts half as much as the one after it. Slices in flight together may
 * end together, so that the time after the end of the one before says nothing about a single slice.
 */
export class Pace {
  private work = 0;
  private ms = 0;

  add(work: number, ms: number): void {
    this.work = this.work / 2 + work;
    this.ms = this.ms / 2 + Math.max(ms, 1e-3);
  }

  get speed(): number {
    return this.work / this.ms;
  }
}

interface Speeds {
  readonly own: number;
  readonly best: number;
  /** The sum of all. */
  readonly all: number;
}

/** Devices of one name count as equally fast until they are measured. Undefined if the device's own speed is unknown. */
function speedsOf(sharers: readonly Sharer[], own: Sharer): Speeds | undefined {
  const alike = sharers.every(({ name, speed }) => speed === undefined && name === own.name);
  if (alike) return { own: 1, best: 1, all: sharers.length };
  const { speed } = own;
  if (speed === undefined) return undefined;
  const speeds = sharers.map((other) => other.speed ?? speed);
  return { own: speed, best: Math.max(...speeds), all: speeds.reduce((a, b) => a + b, 0) };
}

/**
 * The devices without slow ones that are not worth their slices. A device of unknown speed may be.
 * @param left work-items that no device has taken yet
 */
function helpful(left: number, sharers: readonly Sharer[]): readonly Sharer[] {
  const best = Math.max(...sharers.map(({ speed = 0 }) => speed));
  const saves = ({ speed }: Sharer): boolean =>
    speed === undefined || speed >= best * SLOW || left / best - left / (best + speed) >= LEAST_SAVED_MS;
  return sharers.filter(saves);
}

/** Whether the other devices finish the rest in half the time that this one needs for its smallest slice. */
const isTooSlow = (least: number, left: number, { own, best, all }: Speeds): boolean =>
  own < best / 2 && least / own > (2 * left) / (all - own);

const trialOf = (own: Sharer, sharers: readonly Sharer[]): number =>
  !own.isGpu && sharers.some(({ isGpu }) => isGpu) ? TRIAL_BESIDE_GPU : TRIAL;

/**
 * The work-items that a device takes next: 0 if the others would be done before it.
 * @param left work-items that no device has taken yet, of `total`
 * @param present the devices that work, `own` among them
 */
export function nextShare(left: number, total: number, own: Sharer, present: readonly Sharer[]): number {
  const sharers = helpful(left, present);
  if (!sharers.includes(own)) return 0;
  if (sharers.length === 1) return left;
  const speeds = speedsOf(sharers, own);
  if (!speeds)
    return Math.min(left, total / sharers.length, Math.max(total * trialOf(own, sharers), own.occupying));
  const wanted = Math.max(total * LEAST, own.occupying, (own.speed ?? 0) * LEAST_MS);
  const least = Math.min(wanted, total / sharers.length, left);
  if (isTooSlow(least, left, speeds)) return 0;
  return inWholeWaves(Math.max(left * (speeds.own / speeds.all) * PART_OF_SHARE, least), own);
}

/** A GPU takes as long for a part of the work-items that occupy it as for all of them. */
const inWholeWaves = (items: number, { isGpu, occupying }: DeviceTraits): number =>
  isGpu && items > occupying ? Math.round(items / occupying) * occupying : items;
