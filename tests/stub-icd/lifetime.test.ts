// SPDX-License-Identifier: MIT
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { stubSuite } from './stub';

const root = join(__dirname, '..', '..');
const bundle = join(root, 'build', 'stub', 'native.cjs');
const { library, suite } = stubSuite();

function run(scenario: string): { status: number | null; out: string } {
  const args = ['--expose-gc', join(__dirname, 'lifetime.mjs'), scenario, bundle, library!];
  const ran = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 280_000 });
  return { status: ran.status, out: `${ran.stdout}${ran.stderr}` };
}

// Sanitizers take their time.
jest.setTimeout(300_000);

suite('lifetimes', () => {
  beforeAll(() => {
    buildSync({
      entryPoints: [join(root, 'ts/backend/native/index.ts')],
      bundle: true,
      platform: 'node',
      outfile: bundle,
      logLevel: 'error',
    });
  });

  it('releases what is collected', () => {
    const { status, out } = run('collected');
    const [, live, bad] = /live=(\d+) bad=(\d+)/.exec(out) ?? [];
    expect(status).toBe(0);
    expect(Number(bad)).toBe(0);
    // A context, a queue, and the events whose group is not complete.
    expect(Number(live)).toBeLessThan(200);
  });

  it('lets transfers go without a turn of the loop', () => {
    expect(run('blocking')).toEqual({ status: 0, out: 'balanced\n' });
  });

  it('ends threads whose commands are under way', () => {
    expect(run('workers')).toEqual({ status: 0, out: 'ended\n' });
  });

  it('ends threads that are asking', () => {
    expect(run('asking')).toEqual({ status: 0, out: 'ended\n' });
  });

  it('ends threads that are loading the addon', () => {
    expect(run('loading')).toEqual({ status: 0, out: 'ended\n' });
  });

  it('serves threads with several contexts each at once', () => {
    expect(run('parallel')).toEqual({ status: 0, out: 'ended\n' });
  });

  it('ends the process though a command never does', () => {
    expect(run('never')).toEqual({ status: 0, out: 'leaving\n' });
  });

  it('keeps the process alive for an awaited event', () => {
    expect(run('awaited')).toEqual({ status: 0, out: 'came 0\n' });
  });
});
