// SPDX-License-Identifier: MIT
import { Script } from 'node:vm';
import { withLargeYoungGeneration } from './young-generation';

/** V8's hash of its flags, the fourth word of stored code: V8 accepts only code with the same hash. */
function flagHash(name: string): number {
  return new Script(`function ${name}() {}`).createCachedData().readUInt32LE(12);
}

test('the flag is set while it is wanted, and leaves no trace', () => {
  const before = flagHash('before');
  let during = before;
  withLargeYoungGeneration(() => {
    during = flagHash('during');
  });
  expect(during).not.toBe(before);
  expect(flagHash('after')).toBe(before);
  expect(() => withLargeYoungGeneration(() => JSON.parse('?'))).toThrow(SyntaxError);
  expect(flagHash('thrown')).toBe(before);
});

test('whoever has chosen a size keeps it', () => {
  const options = process.env.NODE_OPTIONS;
  process.env.NODE_OPTIONS = '--max-semi-space-size=64';
  try {
    const before = flagHash('chosen');
    withLargeYoungGeneration(() => expect(flagHash('kept')).toBe(before));
  } finally {
    if (options === undefined) delete process.env.NODE_OPTIONS;
    else process.env.NODE_OPTIONS = options;
  }
});
