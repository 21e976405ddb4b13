// SPDX-License-Identifier: MIT
// node --test
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const folder = mkdtempSync(join(tmpdir(), 'fleet-'));
after(() => rmSync(folder, { recursive: true }));
const script = (name) => fileURLToPath(new URL(name, import.meta.url));
const report = (name) => {
  const file = join(folder, `${name}.json`);
  writeFileSync(file, execFileSync(process.execPath, [script('capabilities.mjs'), name]));
  return file;
};

const isSoftware = ({ type }) => type === 'software';

test('two machines become one JSON', () => {
  const files = [report('one'), report('two')];
  const fleet = JSON.parse(
    execFileSync(process.execPath, [script('fleet.mjs'), ...files], { encoding: 'utf8' }),
  );
  assert.equal(fleet.machines, 2);
  // One for each machine, or two: the 64-bit one needs Node.js 24.
  assert.equal(fleet.devices.software, fleet.list[0].devices.filter(isSoftware).length * 2);
  assert.deepEqual(
    fleet.list.map(({ machine }) => machine.name),
    ['one', 'two'],
  );
  assert.ok(fleet.everywhere.limits.GLOBAL_MEM_SIZE > 1e6);
  const [{ extensions }] = fleet.list[0].devices.filter(isSoftware);
  assert.ok(extensions.includes('cl_khr_fp64'));
});

test('a file that is not a report is named', () => {
  const wrong = join(folder, 'wrong.json');
  writeFileSync(wrong, '{"devices": 1}');
  const { status, stderr } = spawnSync(process.execPath, [script('fleet.mjs'), wrong], { encoding: 'utf8' });
  assert.equal(status, 1);
  assert.match(stderr, /wrong\.json: not written by/);
  writeFileSync(wrong, 'no JSON');
  assert.match(
    spawnSync(process.execPath, [script('fleet.mjs'), wrong], { encoding: 'utf8' }).stderr,
    /wrong\.json: /,
  );
});
