// SPDX-License-Identifier: MIT
import { node } from '../helpers/command';

test.each(['{}', '{"style":"lanes","units":3}'])(
  'operations leave nothing behind, and recover from a lack of memory: %s',
  (profile) => {
    const { stdout, stderr } = node('tests/array/memory.mjs', [profile], { timeoutMs: 170_000 });
    expect(stderr).toBe('');
    const [, operations, failures] = /^(\d+) operations, (\d+) failures, 0 faults\n$/.exec(stdout) ?? [
      stdout,
    ];
    expect(Number(operations)).toBeGreaterThan(40);
    expect(Number(failures)).toBeGreaterThan(30);
  },
  180_000,
);
