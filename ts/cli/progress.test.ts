// SPDX-License-Identifier: MIT
import { progress, whileBlocked, whileWaiting } from './progress';

const terminal = process.stderr.isTTY;
let written: string[];

beforeEach(() => {
  jest.useFakeTimers();
  written = [];
  jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
});
afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
  process.stderr.isTTY = terminal;
});

/** A build of `seconds`, and what it wrote. */
async function build(seconds: number): Promise<string[]> {
  const work = new Promise<string>((resolve) => setTimeout(() => resolve('program'), seconds * 1000));
  const result = whileWaiting('building saxpy.cl', work);
  await jest.advanceTimersByTimeAsync(seconds * 1000);
  expect(await result).toBe('program');
  return written;
}

test('a long build has a line on the terminal, which is wiped', async () => {
  process.stderr.isTTY = true;
  const lines = await build(2.2);
  expect(lines).toContain('\r\u001b[Kbuilding saxpy.cl, 1 s');
  expect(lines.at(-1)).toBe('\r\u001b[K');
  await jest.advanceTimersByTimeAsync(5000);
  expect(written.at(-1)).toBe('\r\u001b[K');
});

test('a short build has none', async () => {
  process.stderr.isTTY = true;
  expect(await build(0.3)).toEqual([]);
});

test('a failed build wipes the line, too', async () => {
  process.stderr.isTTY = true;
  const work = new Promise<never>((_, reject) => setTimeout(() => reject(new Error('broken')), 1000));
  const result = whileWaiting('building', work);
  const refused = expect(result).rejects.toThrow('broken');
  await jest.advanceTimersByTimeAsync(1000);
  await refused;
  expect(written.at(-1)).toBe('\r\u001b[K');
});

test('nothing is written into a pipe', async () => {
  process.stderr.isTTY = false;
  expect(await build(3)).toEqual([]);
  const steps = progress('run', 3);
  jest.advanceTimersByTime(1000);
  steps.step(1);
  steps.end();
  expect(written).toEqual([]);
});

test('work in steps shows how far it is', () => {
  process.stderr.isTTY = true;
  const steps = progress('run', 3);
  steps.step(1);
  expect(written).toEqual([]);
  jest.advanceTimersByTime(1000);
  steps.step(2);
  steps.end();
  expect(written).toEqual(['\r\u001b[Krun 2 of 3', '\r\u001b[K']);
});

test('long work on this thread has a line from its start, on the terminal alone', () => {
  const during = (isLong: boolean): readonly string[] =>
    whileBlocked('compiling a.cl', isLong, () => [...written]);
  process.stderr.isTTY = true;
  expect(during(false)).toEqual([]);
  expect(during(true)).toEqual(['\r\u001b[Kcompiling a.cl']);
  expect(written.at(-1)).toBe('\r\u001b[K');
  expect(() =>
    whileBlocked('compiling', true, () => {
      throw new Error('broken');
    }),
  ).toThrow('broken');
  expect(written.at(-1)).toBe('\r\u001b[K');
  written = [];
  process.stderr.isTTY = false;
  expect(during(true)).toEqual([]);
});
