// SPDX-License-Identifier: MIT
//
// Devices of other machines, as far as it can be tested without PoCL's remote client: scripts/remote/run.mjs tests the rest.
import { execFileSync } from 'node:child_process';
import { createServer, type Server } from 'node:net';
import { addonFiles } from '../../ts/backend/native/addon-file';
import { checkServers } from '../../ts/backend/native/remote-settings';
import { parseRemoteAddress, remoteAddressText } from '../../ts/base/remote-address';
import { compileLibrary } from '../stub-icd/stub';

const text = (address: string): string | undefined => {
  const parsed = parseRemoteAddress(address);
  return parsed && remoteAddressText(parsed);
};

test.each([
  ['render-1', 'render-1:10998/0'],
  ['10.0.0.7:7000', '10.0.0.7:7000/0'],
  ['host.example:7000/3', 'host.example:7000/3'],
  ['host:7000/3#10.1.1.1', 'host:7000/3'],
  ['::1/0', undefined],
  ['host:0/0', undefined],
  ['host:65534', undefined],
  ['host:7000/', undefined],
  ['a b', undefined],
  ['', undefined],
])('%s is %s', (address, expected) => {
  expect(text(address)).toBe(expected);
});

/** Drivers are loaded once in a process, so each case has one of its own. */
function inProcess(body: string): string {
  const script = `const cl = require('./dist/index.cjs'); (async () => { ${body} })().catch((e) => console.log(e.message));`;
  return execFileSync(process.execPath, ['-e', script], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

describe('remote devices', () => {
  let server: Server;
  let port: number;
  beforeAll(async () => {
    server = createServer((socket) => socket.on('error', () => {}).resume());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as { port: number }).port;
  });
  afterAll(() => server.close());

  test('a wrong address is refused before anything is loaded', () => {
    expect(inProcess(`await cl.open({ remote: ['host:1/x'] });`)).toMatch(
      /CL_INVALID_VALUE.*'host:1\/x' is not/,
    );
    expect(inProcess('await cl.remoteDevices([]);')).toMatch(/no address is given/);
  });

  test('servers that do not answer are named', () => {
    const out = inProcess(`await cl.openTeam({ remote: ['127.0.0.1:1/0', '127.0.0.1:1/1'] });`);
    expect(out).toMatch(/CL_DEVICE_NOT_AVAILABLE.*no pocld answers at 127\.0\.0\.1:1 \(ECONNREFUSED\)/);
  });

  // The child's event loop ends only after the answer, so a connection that is left open would hang here.
  test('a driver without a remote client is named, or that there is none', () => {
    expect(typeof port).toBe('number');
    const out = inProcess(`await cl.remoteDevices(['127.0.0.1:${port}/0']);`);
    expect(out).toMatch(
      /CL_DEVICE_NOT_FOUND.*(none of the drivers has PoCL’s remote client|no OpenCL loader|no driver|addon)/,
    );
  });

  test('a server that accepts connections and says nothing is named', async () => {
    const driver = compileLibrary('libwaits.so', 'layer.cc', ['-DWAITS']);
    if (!driver || addonFiles().length === 0) return;
    const servers = [{ host: '127.0.0.1', port, device: 0, peer: undefined }];
    await expect(checkServers(servers, driver, 1000)).rejects.toThrow(
      `CL_DEVICE_NOT_AVAILABLE (-2): no pocld answers at 127.0.0.1:${port} (it accepts connections, and says nothing for 1 s)`,
    );
    // A driver without such a client asks nobody.
    await checkServers(servers, '/nonexistent/libOpenCL.so', 60_000);
  });

  test('drivers that were loaded before are an error', () => {
    const out = inProcess(`cl.platforms(); await cl.remoteDevices(['127.0.0.1:${port}/0']);`);
    expect(out).toMatch(/CL_INVALID_OPERATION.*the drivers were loaded before, with no remote devices/);
  });
});
