// SPDX-License-Identifier: MIT
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Staging } from './staging';

test('the staging memory returns what was written, and refuses to read beyond its end', () => {
  const folder = mkdtempSync(join(tmpdir(), 'anycl-staging-'));
  const file = openSync(join(folder, 'memory'), 'w+');
  try {
    const staging = new Staging(file);
    staging.write(Uint8Array.of(1, 2, 3, 4), 8);
    const bytes = new Uint8Array(4);
    staging.read(bytes, 8);
    expect([...bytes]).toEqual([1, 2, 3, 4]);
    expect(() => staging.read(new Uint8Array(8), 8)).toThrow(
      new RangeError('the staging memory ends at byte 12'),
    );
  } finally {
    closeSync(file);
    rmSync(folder, { recursive: true });
  }
});
