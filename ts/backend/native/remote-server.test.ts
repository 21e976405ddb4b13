// SPDX-License-Identifier: MIT
//
// A server that says nothing any more, without PoCL: another process listens, and is stopped.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Addon, openAddon } from './addon';
import { RemoteServers } from './remote-server';

const TIMEOUT_S = 0.8;
const LISTEN = `
  const server = require('node:net').createServer((socket) => socket.on('error', () => {}).resume());
  server.listen(0, '127.0.0.1', () => console.log(server.address().port));`;

let child: ChildProcess;
let servers: RemoteServers;
let address: string;

beforeEach(async () => {
  child = spawn(process.execPath, ['-e', LISTEN], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = await once(child.stdout!, 'data');
  address = `127.0.0.1:${Number(port)}/0`;
  servers = new RemoteServers(openAddon() as Addon, TIMEOUT_S);
});
afterEach(() => {
  child.kill('SIGKILL');
});

async function silenceWithin(milliseconds: number): Promise<string | undefined> {
  const end = performance.now() + milliseconds;
  const server = servers.of(address)!;
  while (server.silence === undefined && performance.now() < end) await sleep(50);
  return server.silence;
}

test('a stopped server that is awaited is lost, and the reason says how long it was silent', async () => {
  servers.of(address)!.await();
  child.kill('SIGSTOP');
  expect(await silenceWithin(20_000)).toMatch(/no sign of life for 0\.8 s \(ANYCL_REMOTE_TIMEOUT\)/);
});

test('a living server is not lost, however long it is awaited', async () => {
  servers.of(address)!.await();
  expect(await silenceWithin(4 * TIMEOUT_S * 1000)).toBeUndefined();
});

test('a stopped server that nobody awaits is not lost', async () => {
  const server = servers.of(address)!;
  server.await();
  server.release();
  child.kill('SIGSTOP');
  expect(await silenceWithin(4 * TIMEOUT_S * 1000)).toBeUndefined();
});

test('devices of one server share its watch; none is made without a time, or of what is not an address', () => {
  expect(servers.of(address)).toBe(servers.of(address.replace('/0', '/1')));
  expect(servers.of('not an address')).toBeUndefined();
  expect(new RemoteServers(openAddon() as Addon, 0).of(address)).toBeUndefined();
});
