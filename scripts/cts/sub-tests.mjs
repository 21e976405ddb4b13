// SPDX-License-Identifier: MIT
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';

/** The names of a suite's sub-tests or parts. Sub-tests are those that its program lists. `programs` is test_conformance/ of the build folder. */
export function subTestsOf(programs, suite, env) {
  if (suite.parts) return Object.keys(suite.parts);
  const program = join(programs, suite.program);
  const { stdout } = spawnSync(program, ['--help'], { encoding: 'utf8', cwd: dirname(program), env });
  const names = /Test names:\n([\s\S]*)/.exec(stdout ?? '')?.[1];
  return (names ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((name) => /^\w+$/.test(name));
}

/** The arguments by which a suite's program runs one of them. */
export const argsFor = (suite, test) => [...suite.args, ...(suite.parts?.[test] ?? [test])];
