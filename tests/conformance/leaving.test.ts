// SPDX-License-Identifier: MIT
// A process may end while kernels run, on each driver there is: with its own exit code, and no signal.
import { node } from '../helpers/command';

const RUSTICL = { RUSTICL_ENABLE: 'llvmpipe' };
const DRIVERS = [
  ['Portable Computing Language', {}],
  ['rusticl', RUSTICL],
] as const;
/** A process's output and exit status. */
const ENDS = [
  ['end', 0, /^status \w+\nleaving\n$/],
  ['released', 0, /^leaving\n$/],
  ['exit', 3, /^leaving\n$/],
  ['error', 1, /^leaving\n$/],
  ['terminated', 0, /^leaving\n$/],
] as const;

describe.each(DRIVERS)('%s', (name, env) => {
  const { stdout } = node('dist/cli.cjs', ['info', '--json'], { env });
  const there = (JSON.parse(stdout) as { platforms: { NAME: string }[] }).platforms.some(
    ({ NAME }) => NAME === name,
  );

  (there ? test : test.skip).each(ENDS)('leaving by %s while a kernel runs', (scenario, code, said) => {
    const left = node('tests/conformance/leaving.mjs', [name, scenario], { env });
    // Mesa's runs kernels when their status is queried; PoCL's is still running.
    if (name.startsWith('Portable')) expect(left.stdout).not.toContain('complete');
    expect(left).toMatchObject({ signal: null, status: code, stdout: expect.stringMatching(said) });
  });
});
