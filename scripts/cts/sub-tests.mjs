// SPDX-License-Identifier: MIT
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';

/** The names of a suite's sub-tests, as its program lists them. `programs` is test_conformance/ of the build folder. */
export function subTestsOf(programs, suite, env) {
  const program = join(programs, suite.program);
  const { stdout } = spawnSync(program, ['--help'], { encoding: 'utf8', cwd: dirname(program), env });
  const names = /Test names:\n([\s\S]*)/.exec(stdout ?? '')?.[1];
  return (names ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((name) => /^\w+$/.test(name));
}
