// SPDX-License-Identifier: MIT
//
// One program, every device: the examples and the benchmark's workloads give the same results on the software device
// and on the machine's drivers, through the same calls.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { anycl, node, root, temporaryFolder } from '../helpers/command';
import { testNeeding } from '../helpers/needs';

const examples = readdirSync(join(root, 'examples')).filter((name) => name.endsWith('.mjs'));
const drivers = (
  JSON.parse(node('dist/cli.cjs', ['info', '--json']).stdout) as {
    platforms: { NAME: string; devices: { NAME: string; type: string }[] }[];
  }
).platforms.flatMap((platform) =>
  platform.devices.filter(({ type }) => type !== 'software').map(() => platform.NAME),
);

describe.each(['software', ...new Set(drivers)])('examples on %s', (device) => {
  test.each(examples)('%s checks its own result', (example) => {
    const { status, stdout, stderr } = node(`examples/${example}`, ['--device', device], {
      cwd: temporaryFolder(),
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/kernel \d+\.\d+ ms/);
  });
});

const pocl = drivers.find((name) => name === 'Portable Computing Language');
testNeeding('PoCL', Boolean(pocl))(
  'workloads agree between the software device and PoCL (skipped without PoCL)',
  () => {
    const { status, stdout } = node('bench/run.mjs', ['--verify']);
    expect(stdout.split('\n').filter((line) => line && !line.endsWith(': same results'))).toEqual([]);
    expect(status).toBe(0);
  },
  300_000,
);

test('a session on the software device needs no driver', () => {
  expect(anycl('info', '-l', '--device', 'software').stdout).toMatch(/software/);
});
