// SPDX-License-Identifier: MIT
//
// Devices of other machines, on this one (docs/guides/remote.md): starts two servers of PoCL-Remote on loopback addresses, checks
// kernels, arrays, `split`, and servers that are killed or stopped in the middle, and measures against the same driver here.
//
//     node scripts/remote/run.mjs --source POCL --pocl BUILD   builds PoCL's remote client and server first (minutes), from a copy
//                                                              of the source with scripts/remote/pocl.patch
//     node scripts/remote/run.mjs --pocl BUILD                 uses that build
//     --driver FILE    the .icd file that the servers use (default: PoCL's in /etc/OpenCL/vendors)
//     --tests          also runs the tests of tests/conformance that take any device
//
// Without --pocl it prints a message and ends with status 0.
import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
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

/** A copy of PoCL's source, whose client ends its waits for a lost server. */
function patched(source) {
  const copy = join(pocl, 'patched-source');
  rmSync(copy, { recursive: true, force: true });
  cpSync(source, copy, { recursive: true, filter: (file) => basename(file) !== '.git' });
  const patch = fileURLToPath(new URL('./pocl.patch', import.meta.url));
  // Without this, git takes the copy for a part of a repository around it, which the patch does not touch.
  const env = { ...process.env, GIT_CEILING_DIRECTORIES: pocl };
  execFileSync('git', ['apply', patch], { cwd: copy, env, stdio: 'inherit' });
  return copy;
}

function build(original) {
  const source = patched(original);
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
  const { SIGNAL, PID, VICTIM } = process.env;
  if (SIGNAL) setTimeout(() => process.kill(Number(PID), SIGNAL), 50);
  const { devices, failures } = await running;
  must(array.every((value) => value === expected[0]), 'results');
  console.log('split: ' + devices.map(({ device, slices }) => device.remote + ' ' + slices).join(', '));
  for (const { device, error } of failures) console.log('failed: ' + device.remote + ': ' + error.message);
  must(failures.length === (SIGNAL ? 1 : 0), 'failures');
  must(failures.every(({ error }) => error.message.includes(VICTIM)), 'the failure names the host');
  team.close();
  process.exit(0);`;

/** Longer than ANYCL_REMOTE_TIMEOUT: the server is busy, and not silent. */
const LONG = `
  const session = await cl.open({ remote: addresses });
  const { work } = (await session.build(SOURCE)).kernels;
  const buffer = session.buffer(new Float32Array(64));
  const run = async (steps) => { const start = performance.now(); await work.run({ global: 64 }, buffer, steps); return performance.now() - start; };
  await run(1e6);
  const steps = 1e7 * 8000 / await run(1e7);
  const kernel = await run(Math.min(Math.round(steps), 2 ** 31 - 1));
  must(kernel > 3 * Number(process.env.ANYCL_REMOTE_TIMEOUT) * 1000, 'a kernel of ' + kernel + ' ms is too short');
  console.log('long kernel: ' + (kernel / 1000).toFixed(1) + ' s');
  session.close();`;

/** Calls that wait in the driver, on this thread, when their server is stopped. */
const BLOCKED = `
  const [device] = await cl.remoteDevices(addresses);
  const context = device.createContext();
  const queue = context.createQueue();
  const program = context.createProgram(SOURCE).buildSync();
  const buffer = context.createBuffer(1 << 20);
  const data = new Float32Array(1 << 18);
  const { CALL, PID, VICTIM, ANYCL_REMOTE_TIMEOUT } = process.env;
  process.kill(Number(PID), 'SIGSTOP');
  const start = performance.now();
  const calls = {
    write: () => queue.enqueueWrite(buffer, data).waitSync(),
    read: () => buffer.readSync(),
    finish: () => { queue.enqueueWrite(buffer, data); queue.finishSync(); },
    build: () => context.createProgram(SOURCE).buildSync(),
    buildAsync: () => context.createProgram(SOURCE).build(),
    kernel: () => program.createKernel('work'),
    map: () => queue.enqueueMap(context.createBuffer(1 << 20), 'read').waitSync(),
  };
  let error;
  try { await calls[CALL](); } catch (e) { error = e; }
  const took = (performance.now() - start) / 1000;
  console.log(CALL + ': ' + took.toFixed(1) + ' s, ' + error?.message);
  must(error?.code === -2 && error.message.includes(VICTIM), 'the error names the server');
  must(took < Number(ANYCL_REMOTE_TIMEOUT) + 10, 'time');
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
  const victim = (i, signal) => ({
    SIGNAL: signal,
    PID: String(servers[i].pid),
    VICTIM: addresses[i].replace(/\/0$/, ''),
    ANYCL_REMOTE_TIMEOUT: '3',
  });
  await inProcess(LONG, clientVendors, { ANYCL_REMOTE_TIMEOUT: '2' });
  for (const call of ['write', 'read', 'finish', 'build', 'buildAsync', 'kernel', 'map']) {
    await inProcess(BLOCKED, clientVendors, { ...victim(0, 'SIGSTOP'), CALL: call });
    servers[0].kill('SIGCONT');
  }
  await inProcess(SPLIT, clientVendors, victim(1, 'SIGSTOP'));
  servers[1].kill('SIGCONT');
  await inProcess(SPLIT, clientVendors, victim(0, 'SIGKILL'));
  console.log('ok');
} finally {
  for (const server of servers) server.kill('SIGKILL');
  rmSync(folder, { recursive: true });
}
