// SPDX-License-Identifier: MIT
// Many random calls of the API in pieces, each a process and a seed of its own, so that a crash or a process that does
// not end names the piece to run again. Ends with 1 after the first of them.
// LIBRARY is a driver or loader, such as the stub's build/stub/libstub.so, which the tests of this folder compile.
// node tests/stub-icd/fuzz-pieces.mjs CALLS [LIBRARY] [FIRST SEED] [CALLS OF A PIECE]
// ANYCL_FUZZ_WITHOUT names methods that are known to end the process on a driver (docs/native.md).
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [calls = '1000000', library = '', first = '1', piece = '20000'] = process.argv.slice(2);
const fuzz = join(dirname(fileURLToPath(import.meta.url)), 'fuzz-api.mjs');
const env = { ...process.env, ...(library ? { ANYCL_OPENCL_LIBRARY: library } : {}) };
let done = 0;
for (let seed = Number(first); done < Number(calls); seed++) {
  const { status, signal, stdout, stderr } = spawnSync(
    process.execPath,
    [fuzz, piece, String(seed), 'native'],
    { encoding: 'utf8', env, timeout: 600_000, killSignal: 'SIGKILL' },
  );
  if (status !== 0 || !stdout.startsWith(piece)) {
    console.log(
      `seed ${seed}: ${signal ?? `exit status ${status}`} after ${done} calls\n${stdout}${stderr.slice(-2000)}`,
    );
    process.exit(1);
  }
  done += Number(piece);
  console.log(`seed ${seed}: ${stdout.split('\n')[0]}`);
}
console.log(`${done} calls`);
