// SPDX-License-Identifier: MIT
//
// Kernels that print to where nothing can be written: the text is lost, as that of console.log, and the program goes on.
import { spawn } from 'node:child_process';
import { existsSync, openSync } from 'node:fs';
import { join } from 'node:path';

const PROGRAM = join(__dirname, 'printing.mjs');

/** The status and what the program says on its error output; `out` as for `spawn`. */
function run(out: 'pipe' | number): Promise<{ status: number | null; errors: string }> {
  const child = spawn(process.execPath, [PROGRAM], { stdio: ['ignore', out, 'pipe'] });
  child.stdout?.once('data', () => child.stdout!.destroy());
  let errors = '';
  child.stderr!.on('data', (text) => {
    errors += text;
  });
  return new Promise((resolve) => child.on('close', (status) => resolve({ status, errors })));
}

test('a pipe whose reader has gone', async () => {
  expect(await run('pipe')).toEqual({ status: 0, errors: 'printed 7\n' });
});

const onFull = existsSync('/dev/full') ? test : test.skip;
onFull('a full disk', async () => {
  expect(await run(openSync('/dev/full', 'w'))).toEqual({ status: 0, errors: 'printed 7\n' });
});
