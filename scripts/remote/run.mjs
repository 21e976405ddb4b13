// SPDX-License-Identifier: MIT
//
// Devices of other machines, on this one (docs/guides/remote.md): starts two servers of PoCL-Remote on loopback addresses, checks
// kernels, arrays, `split` and the end of a server in the middle, and measures against the same driver here.
//
//     node scripts/remote/run.mjs --source POCL --pocl BUILD   builds PoCL's remote client and server first (minutes)
//     node scripts/remote/run.mjs --pocl BUILD                 uses that build
//     --driver FILE    the .icd file that the servers use (default: PoCL's in /etc/OpenCL/vendors)
//     --tests          also runs the tests of tests/conformance that take any device
//
// Without --pocl it prints a message and ends with status 0.
import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

const { values: flags } = parseArgs({
  options: {
    source: { type: 'string' },
    pocl: { type: 'string' },
    driver: { type: 'string', default: '/etc/OpenCL/vendors/pocl.icd' },
    tests: { type: 'boolean', default: false },
  },
});
if (!flags.pocl) {
  console.log('skipped: --pocl names no build of PoCL with its remote client and server');
  process.exit(0);
}
const pocl = resolve(flags.pocl);
if (flags.source) build(resolve(flags.source));
const client = join(pocl, 'ocl-vendors', 'pocl-tests.icd');
for (const file of [client, join(pocl, 'pocld', 'pocld'), flags.driver])
  if (!existsSync(file)) throw new Error(`${file} is missing`);

const folder = mkdtempSync(join(tmpdir(), 'anycl-remote-'));
const vendors = (name, file) => {
  mkdirSync(join(folder, name));
  copyFileSync(file, join(folder, name, 'driver.icd'));
  return join(folder, name);
};
const clientVendors = vendors('client', client);
const serverVendors = vendors('server', flags.driver);
const SERVERS = [
  { host: '127.0.0.1', port: 7800 },
  { host: '127.0.0.2', port: 7810 },
];
const addresses = SERVERS.map(({ host, port }) => `${host}:${port}/0`);

function build(source) {
  const on = ['REMOTE_CLIENT', 'REMOTE_SERVER'].map((name) => `-DENABLE_${name}=ON`);
  const off = ['LLVM', 'HOST_CPU_DEVICES', 'LOADABLE_DRIVERS', 'TESTS', 'EXAMPLES'];
  const options = [...on, ...off.map((name) => `-DENABLE_${name}=OFF`), '-DCMAKE_BUILD_TYPE=Release'];
  execFileSync('cmake', ['-S', source, '-B', pocl, ...options], { stdio: 'inherit' });
  execFileSync('cmake', ['--build', pocl, '-j'], { stdio: 'inherit' });
}

const answers = ({ host, port }) =>
  new Promise((done) => {
    const socket = connect({ host, port }, () => done(true)).on('error', () => done(false));
    socket.on('close', () => {}).setTimeout(1000, () => socket.destroy());
    socket.once('connect', () => socket.destroy());
  });

async function startServer(server) {
  const env = { ...process.env, OCL_ICD_VENDORS: serverVendors };
  const args = ['-a', server.host, '-p', String(server.port)];
  const child = spawn(join(pocl, 'pocld', 'pocld'), args, { env, stdio: 'ignore' });
  for (let i = 0; i < 100; i++) {
    if (await answers(server)) return child;
    await sleep(100);
  }
  throw new Error(`pocld does not answer at ${server.host}:${server.port}`);
}

/** Runs a part in a process of its own, as drivers look for devices once. It gets the library as `cl`. */
function inProcess(body, vendorFolder = clientVendors, extra = {}) {
  const file = join(folder, 'part.mjs');
  const library = JSON.stringify(new URL('../../dist/index.mjs', import.meta.url).href);
  const head = `import * as cl from ${library};
    const addresses = ${JSON.stringify(addresses)};
    const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];
    const SOURCE = 'kernel void work(global float *p, int n) { int i = get_global_id(0); float x = p[i]; for (int k = 0; k < n; k++) x = fma(x, 0.999f, 0.25f); p[i] = x; }';
    const must = (condition, what) => { if (!condition) throw new Error('wrong: ' + what); };\n`;
  writeFileSync(file, head + body);
  const env = { ...process.env, OCL_ICD_VENDORS: vendorFolder, ...extra };
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [file], {
      env,
      stdio: ['ignore', 'inherit', 'inherit'],
      timeout: 120_000,
    });
    child.on('exit', (code, signal) =>
      code === 0 ? done() : fail(new Error(`a part ended with ${code ?? signal}`)),
    );
  });
}

const MEASURE = `
  const { work } = (await session.build(SOURCE)).kernels;
  const small = session.buffer(new Float32Array(64));
  const data = new Float32Array(1 << 22);
  const large = session.buffer(data);
  const time = async (count, run) => {
    const times = [];
    for (let i = 0; i < count; i++) { const start = performance.now(); await run(); times.push(performance.now() - start); }
    return median(times);
  };
  const launch = await time(200, () => work.run({ global: 64 }, small, 1));
  const write = await time(11, () => large.write(data));
  const read = await time(11, () => large.read());
  console.log(name + ': launch ' + (launch * 1000).toFixed(0) + ' us, write ' + (data.byteLength / write / 1e6).toFixed(2) + ' GB/s, read ' + (data.byteLength / read / 1e6).toFixed(2) + ' GB/s');
  session.close();`;

const SPLIT = `
  const team = await cl.openTeam({ remote: addresses });
  const work = await team.kernel(SOURCE, 'work');
  const [n, steps] = [1 << 18, 500];
  const expected = new Float32Array(n).fill(1);
  await cl.split(work, { global: n }, cl.part.readWrite(expected), steps);
  const array = new Float32Array(n).fill(1);
  const running = cl.split(work, { global: n }, cl.part.readWrite(array), steps);
  if (process.env.KILL) setTimeout(() => process.kill(Number(process.env.KILL), 'SIGKILL'), 50);
  const { devices, failures } = await running;
  must(array.every((value) => value === expected[0]), 'results');
  console.log('split: ' + devices.map(({ device, slices }) => device.remote + ' ' + slices).join(', '));
  for (const { device, error } of failures) console.log('failed: ' + device.remote + ': ' + error.message);
  must((failures.length === 1) === (process.env.KILL !== undefined), 'failures');
  must(failures.every(({ error }) => error.message.includes(addresses[0])), 'the failure names the host');
  team.close();
  process.exit(0);`;

const servers = [];
try {
  for (const server of SERVERS) servers.push(await startServer(server));
  await inProcess(`const session = await cl.open(); const name = 'local'; ${MEASURE}`, serverVendors);
  await inProcess(
    `const session = await cl.open({ remote: addresses }); const name = session.device.remote; ${MEASURE}`,
  );
  await inProcess(SPLIT);
  if (flags.tests) {
    const env = { ...process.env, OCL_ICD_VENDORS: clientVendors, POCL_DEVICES: 'remote remote' };
    // Servers that do not know each other, as open({ remote }) has them.
    const alone = `#${'none'.padStart(64, '-')}`;
    for (const [i, address] of addresses.entries()) env[`POCL_REMOTE${i}_PARAMETERS`] = address + alone;
    const tests = ['api', 'same-results', 'host-memory', 'info'].map(
      (name) => `tests/conformance/${name}.test.ts`,
    );
    // Not remote.test.ts, which is about machines without the client: it would wait for ever for a server that never answers.
    const flow = ['flow', 'stopping', 'team'].map((name) => `tests/flow/${name}.test.ts`);
    // They fail with PoCL 3.1 behind pocld (docs/guides/remote.md).
    const without = ['--testNamePattern', '^(?!.*command buffers and batches)'];
    execFileSync('npx', ['jest', '--runInBand', ...without, ...tests, ...flow], { env, stdio: 'inherit' });
  }
  await inProcess(SPLIT, clientVendors, { KILL: String(servers[0].pid) });
  console.log('ok');
} finally {
  for (const server of servers) server.kill('SIGKILL');
  rmSync(folder, { recursive: true });
}
