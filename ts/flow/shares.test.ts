// SPDX-License-Identifier: MIT
import type { Device } from '../api/objects/device';
import { nextShare, Pace, type Sharer, traitsOf } from './shares';

const LIMITS: Record<string, number> = { MAX_COMPUTE_UNITS: 100, MAX_WORK_GROUP_SIZE: 500 };
const sharer = (name: string, type: string, speed?: number): Sharer => ({
  ...traitsOf({ name, type, info: (key: string) => LIMITS[key] } as unknown as Device),
  speed,
});

describe('the pace of a device', () => {
  test('is about the same whether slices end one after another or together', () => {
    const [even, together] = [new Pace(), new Pace()];
    for (let i = 0; i < 8; i++) {
      even.add(1000, 10);
      together.add(1000, i % 2 === 0 ? 19.9 : 0.1);
    }
    expect(even.speed).toBeCloseTo(100);
    expect(together.speed).toBeGreaterThan(50);
    expect(together.speed).toBeLessThan(200);
  });

  test('follows a change', () => {
    const pace = new Pace();
    pace.add(1000, 100);
    for (let i = 0; i < 5; i++) pace.add(1000, 10);
    expect(pace.speed).toBeGreaterThan(80);
  });
});

describe('the next share of a range', () => {
  test('is all that is left, where a device is alone', () => {
    const own = sharer('a', 'gpu');
    expect(nextShare(5000, 10000, own, [own])).toBe(5000);
  });

  test('is small for a device of unknown speed among others, and as large as its part among devices of its name', () => {
    const own = sharer('a', 'cpu');
    expect(nextShare(32e6, 32e6, own, [own, sharer('b', 'cpu')])).toBe(1e6);
    expect(nextShare(32e6, 32e6, own, [own, sharer('a', 'cpu')])).toBeCloseTo(32e6 / 6);
  });

  test('goes by measured speeds', () => {
    const [slow, fast] = [sharer('a', 'cpu', 100), sharer('b', 'cpu', 300)];
    expect(nextShare(12e6, 12e6, slow, [slow, fast])).toBeCloseTo(1e6);
    expect(nextShare(12e6, 12e6, fast, [slow, fast])).toBeCloseTo(3e6);
  });

  test('occupies a GPU, and lasts a millisecond', () => {
    const gpu = sharer('a', 'gpu', 10);
    expect(nextShare(400e3, 1e6, gpu, [gpu, gpu, gpu, gpu])).toBe(100e3);
    const cpu = sharer('a', 'cpu', 50e3);
    expect(nextShare(100e3, 1e6, cpu, [cpu, cpu])).toBe(50e3);
  });

  test('is of whole waves of a GPU, which takes as long for a part of one', () => {
    const gpu = sharer('a', 'gpu', 10);
    expect(nextShare(1e6, 1e6, gpu, [gpu, gpu])).toBe(200e3);
    expect(nextShare(1.6e6, 2e6, gpu, [gpu, gpu])).toBe(300e3);
    expect(nextShare(250e3, 2e6, gpu, [gpu, gpu])).toBe(100e3);
  });

  test('gives each device a part of a small range, and the rest to the first that asks', () => {
    const gpu = sharer('a', 'gpu', 10);
    expect(nextShare(1000, 1000, gpu, [gpu, gpu])).toBe(500);
    expect(nextShare(1000, 1e6, gpu, [gpu, gpu])).toBe(1000);
  });

  test('is a little for a processor that has not been measured beside a GPU', () => {
    const [cpu, gpu] = [sharer('a', 'cpu'), sharer('b', 'gpu')];
    expect(nextShare(4096e6, 4096e6, cpu, [cpu, gpu])).toBe(1e6);
    expect(nextShare(4096e6, 4096e6, gpu, [cpu, gpu])).toBe(128e6);
  });

  test('leaves all to a fast device where a slow one saves it less than a millisecond', () => {
    const [slow, fast] = [sharer('a', 'cpu', 60), sharer('b', 'gpu', 1000)];
    expect(nextShare(8000, 8000, slow, [slow, fast])).toBe(0);
    expect(nextShare(8000, 8000, fast, [slow, fast])).toBe(8000);
    expect(nextShare(1e6, 1e6, slow, [slow, fast])).toBeCloseTo((1e6 * (60 / 1060)) / 3);
    // Nearly as fast as the other one, it takes part to the end.
    const other = sharer('c', 'gpu', 900);
    expect(nextShare(400e3, 1e6, other, [fast, other])).toBeGreaterThan(0);
  });

  test('is nothing for a device that would end long after the others', () => {
    const [slow, fast] = [sharer('a', 'cpu', 1), sharer('b', 'cpu', 1000)];
    expect(nextShare(10e3, 1e6, slow, [slow, fast])).toBe(0);
    expect(nextShare(10e3, 1e6, fast, [slow, fast])).toBe(10e3);
    expect(nextShare(1e3, 1e6, slow, [slow, slow])).toBe(1e3);
  });
});
