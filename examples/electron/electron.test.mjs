// SPDX-License-Identifier: MIT
// node --test, with a module that stands in for `electron`: processes of Node.js as utility processes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { invoke } from 'electron';
import { compute } from './main.mjs';

test('pixels become brighter, through the messages of the main process', async () => {
  const pixels = Uint8Array.of(10, 100, 200, 255, 1, 2, 3, 40);
  assert.deepEqual([...(await invoke('brighten', pixels, 2))], [20, 200, 255, 255, 2, 4, 6, 40]);
  assert.ok((await invoke('device')).name.length > 0);
});

test('wrong input is an error with a reason', async () => {
  await assert.rejects(invoke('brighten', Uint8Array.of(1, 2, 3), 2), /RGBA/);
  await assert.rejects(invoke('brighten', Uint8Array.of(1, 2, 3, 4), -1), /factor/);
  await assert.rejects(invoke('brighten', 'pixels', 1), /RGBA/);
});

test('when the process ends, calls fail, and the next one starts another process on the software device', async () => {
  compute.stop();
  await assert.rejects(compute.call('brighten', new Uint8Array(4), 2), /has ended/);
  assert.equal((await compute.call('device')).type, 'software');
  compute.stop();
});
