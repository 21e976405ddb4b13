// SPDX-License-Identifier: MIT
// Random calls of the public API: plausible ones, wrong ones, objects released or of the wrong kind, host memory that
// was taken away. Any exception will do; a crash, or a process that hangs, is what is looked for. The random numbers
// are repeatable.
// node tests/stub-icd/fuzz-api.mjs CALLS [SEED] [native|software] [WORKERS]
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { choices } from './random.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const [calls = '100000', seed = '1', kind = 'native', workers = '0'] = isMainThread
  ? process.argv.slice(2)
  : workerData;
const api = createRequire(import.meta.url)(join(root, 'dist', 'index.cjs'));
const { platforms, local } = api;
const trace = process.env.ANYCL_FUZZ_TRACE !== undefined;
/** Methods that are known to end the process on a driver: ANYCL_FUZZ_WITHOUT=enqueueCopyRect,… */
const without = new Set(process.env.ANYCL_FUZZ_WITHOUT?.split(','));

const { random, pick } = choices(seed);
const chance = (percent) => random(100) < percent;

/** Class name -> its objects, some of them released. */
const pool = {};
const userEvents = [];
function keep(value) {
  if (Array.isArray(value)) {
    value.slice(0, 4).forEach(keep);
    return;
  }
  if (value === null || typeof value !== 'object') return;
  if (ArrayBuffer.isView(value)) {
    // A script may read a view until it is detached.
    if (value.byteLength > 0 && value.length > 0) value[value.length - 1] = value[0];
    return;
  }
  if (typeof value.then === 'function')
    value.then(
      (result) => result !== value && keep(result),
      () => {},
    );
  const name = value.constructor?.name;
  if (name === 'Object') Object.values(value).slice(0, 4).forEach(keep);
  // Scripts call only exported functions.
  if (name !== 'Platform' && !(name in api)) return;
  pool[name] ??= [];
  const list = pool[name];
  if (name === 'UserEvent') userEvents.push(value);
  if (list.length < 24) list.push(value);
  else list[random(list.length)] = value;
}

const oddThings = [
  ...[undefined, null, true, '', 'text', {}, [], Symbol('s'), () => {}, 10n, -1n, 2n ** 70n, new Date()],
  ...[
    -1,
    0.5,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    2 ** 31,
    2 ** 32,
    2 ** 53,
    1e300,
    '0',
    [1, 2, 3, 4],
    [[]],
  ],
  { valueOf: () => 3 },
  new Proxy({}, { get: () => 1 }),
];
const size = () => pick([0, 1, 2, 3, 4, 8, 16, 64, 256, 1024]);
const detached = () => {
  const view = new Uint8Array(64);
  structuredClone(view.buffer, { transfer: [view.buffer] });
  return view;
};
const resizable = () => {
  const buffer = new ArrayBuffer(64, { maxByteLength: 256 });
  const view = new Uint8Array(buffer);
  resizables.push(buffer);
  return view;
};
const resizables = [];
const data = () =>
  pick([
    () => new Uint8Array(size()),
    () => new Float32Array(size()),
    () => new Int32Array(16),
    () => new Float64Array(8),
    () => new DataView(new ArrayBuffer(64), 8),
    () => new Uint8Array(new SharedArrayBuffer(64)),
    () => Buffer.from('some bytes'),
    () => new BigInt64Array(4),
    detached,
    resizable,
  ])();
const any = () =>
  chance(40) ? pick(oddThings) : chance(50) ? object(pick(Object.keys(pool))) : chance(50) ? data() : size();
const object = (name) => (pool[name]?.length ? pick(pool[name]) : undefined);
/** Right most of the time. */
const odd = (make) => (chance(94) ? make() : any());
const a = (name) => odd(() => object(name));
const events = () => Array.from({ length: random(3) }, () => a(chance(80) ? 'Event' : 'UserEvent'));
const options = (more = {}) =>
  odd(() => ({
    ...(chance(20) ? { waitFor: events() } : {}),
    ...(chance(20) ? { queue: a('CommandQueue') } : {}),
    ...more,
  }));
const region = () => options({ offset: odd(size), length: odd(() => random(16)) });
const value = () =>
  odd(() =>
    pick([
      () => size(),
      () => object('Buffer'),
      () => object('Svm'),
      () => local(16),
      () => data(),
      () => [1, 2],
    ])(),
  );
const global = () => odd(() => pick([1, 4, 64, [8, 2], [2, 2, 2], [0], [1, 2, 3, 4]]));
const rect = () => ({
  region: [4, 2, 1],
  origin: [0, 0, 0],
  hostOrigin: [0, 0, 0],
  bufferOrigin: [0, 0, 0],
  targetOrigin: [0, 0, 0],
});
const source = `kernel void k(global int *p, int x, local int *l) { p[0] = x; }
kernel void v(global float4 *p, float4 f) { p[get_global_id(0) % 2] = f; }`;
const image = () => ({ width: 4, height: 4, format: 'rgba8' });
const key = () =>
  odd(() =>
    pick(['NAME', 'TYPE', 'SIZE', 'STATUS', 'REFERENCE_COUNT', 0x1000, 0x102b, 0x1080, 0x1100, 0x11d3]),
  );

/** Class -> method -> valid arguments. Other methods are called with random values. */
const plausible = {
  Platform: { info: () => [key()] },
  Device: { info: () => [key()], createContext: () => [], partition: () => [{ equally: 1 }] },
  Context: {
    createQueue: () => [odd(() => ({ profiling: chance(50), outOfOrder: chance(30) }))],
    createBuffer: () =>
      chance(50) ? [odd(data)] : [pick([Float32Array, Uint8Array, Int32Array]), odd(size)],
    createImage: () => [odd(image)],
    createSampler: () => [],
    createSvm: () => [odd(size)],
    createPipe: () => [4, 16],
    createProgram: () => [odd(() => (chance(70) ? source : 'kernel void broken('))],
    createProgramWithIL: () => [data()],
    createProgramWithBinary: () => [[data()]],
    createUserEvent: () => [],
    createCommandBuffer: () => [],
    link: () => [[a('Program')]],
    info: () => [key()],
  },
  CommandQueue: {
    enqueueNDRange: () => [a('Kernel'), { global: global() }, options()],
    enqueueRead: () => [a('Buffer'), odd(data), region()],
    enqueueWrite: () => [a('Buffer'), odd(data), region()],
    enqueueReadRect: () => [a('Buffer'), odd(data), odd(rect), options()],
    enqueueWriteRect: () => [a('Buffer'), odd(data), odd(rect), options()],
    enqueueCopy: () => [a('Buffer'), a('Buffer'), region()],
    enqueueCopyRect: () => [a('Buffer'), a('Buffer'), odd(rect)],
    enqueueFill: () => [a('Buffer'), odd(() => new Uint32Array(1)), region()],
    enqueueMap: () => [a('Buffer'), odd(() => pick(['read', 'write', 'read-write', 'discard'])), region()],
    enqueueReadImage: () => [a('Image'), odd(() => new Uint8Array(64)), options()],
    enqueueWriteImage: () => [a('Image'), odd(() => new Uint8Array(64)), options()],
    enqueueCopyImage: () => [a('Image'), a('Image'), options()],
    enqueueFillImage: () => [a('Image'), odd(() => [1, 2, 3, 4]), options()],
    enqueueCopyImageToBuffer: () => [a('Image'), a('Buffer'), options()],
    enqueueCopyBufferToImage: () => [a('Buffer'), a('Image'), options()],
    enqueueMapImage: () => [a('Image'), 'read', options()],
    enqueueSvmMap: () => [a('Svm'), 'read', options()],
    enqueueSvmUnmap: () => [a('Svm'), options()],
    enqueueSvmCopy: () => [a('Svm'), a('Svm'), options()],
    enqueueSvmFill: () => [a('Svm'), odd(() => new Uint32Array(1)), options()],
    enqueueSvmFree: () => [[a('Svm')], options()],
    enqueueSvmMigrate: () => [[a('Svm')], options()],
    enqueueMarker: () => [options()],
    enqueueBarrier: () => [options()],
    batch: () => [() => void call('CommandQueue', 'enqueueNDRange')],
    flush: () => [],
    finish: () => [],
    finishSync: () => [],
  },
  Buffer: {
    read: () => [region()],
    readSync: () => [region()],
    write: () => [odd(data), region()],
    fill: () => [odd(size), region()],
    copyTo: () => [a('Buffer'), region()],
    map: () => [odd(() => pick(['read', 'write'])), region()],
    sub: () => [odd(() => pick([0, 1024, 4096])), odd(size)],
    memoryInfo: () => [key()],
  },
  Mapping: { unmap: () => [options()] },
  Image: {
    read: () => [options()],
    write: () => [odd(() => new Uint8Array(64)), options()],
    fill: () => [[1, 2, 3, 4]],
    copyTo: () => [a('Image')],
  },
  Program: {
    createKernel: () => [odd(() => pick(['k', 'v', 'none']))],
    build: () => [odd(() => pick(['', '-w', '-DX=1', '--wrong']))],
    info: () => [key()],
  },
  Kernel: {
    setArg: () => [odd(() => random(4)), value()],
    setArgs: () => [value(), value(), value()],
    run: () => [options({ global: global() }), value(), value(), value()],
    runSync: () => [options({ global: global() }), value(), value(), value()],
    clone: () => [],
    useSvm: () => [a('Svm')],
  },
  Event: { wait: () => [], waitSync: () => [], on: () => ['complete', () => {}], info: () => [key()] },
  UserEvent: { complete: () => [], fail: () => [-5] },
  Svm: {
    map: () => ['write', region()],
    unmap: () => [options()],
    fill: () => [odd(() => new Uint8Array(1)), region()],
    copyTo: () => [a('Svm')],
  },
  CommandBuffer: {
    run: () => [a('Kernel'), { global: global() }],
    copy: () => [a('Buffer'), a('Buffer')],
    fill: () => [a('Buffer'), new Uint32Array(1)],
    barrier: () => [],
    finalize: () => [],
    enqueue: () => [options()],
  },
};
/** Builds are slow on drivers, so built programs are reused. */
const rare = new Set([
  'build',
  'compile',
  'link',
  'createProgram',
  'createProgramWithIL',
  'createProgramWithBinary',
  'createContext',
  'partition',
  'unloadCompiler',
  'createImage',
]);

function membersOf(target) {
  const names = new Set();
  for (let proto = target; proto && proto !== Object.prototype; proto = Object.getPrototypeOf(proto))
    for (const name of Object.getOwnPropertyNames(proto)) names.add(name);
  names.delete('constructor');
  return [...names];
}

/** These are never released. */
const anchors = [];
/** The calls that were made: some are omitted at random, or because no object of their class exists. */
let made = 0;
let thrown = 0;
const unclear = new Map();
function call(className, method) {
  const target = object(className);
  if (target === undefined) return;
  const anchored = anchors.includes(target);
  const known = plausible[className] ?? {};
  const sensible = chance(85) && Object.keys(known).length > 0;
  const name = method ?? (sensible ? pick(Object.keys(known)) : pick(membersOf(target)));
  if (anchored && /release|close|terminate|[dD]ispose/.test(name)) return;
  if (without.has(name) || (rare.has(name) && !chance(2))) return;
  if (trace) console.error(`${className}.${name}`);
  attempt(() => {
    const member = target[name];
    if (typeof member !== 'function') return keep(member);
    made++;
    const args = name in known && sensible ? known[name]() : Array.from({ length: random(4) }, any);
    keep(Reflect.apply(member, target, args));
  });
}
function completeUserEvents() {
  for (const event of userEvents.splice(0)) attempt(() => event.complete());
}
function attempt(action) {
  try {
    action();
  } catch (error) {
    thrown++;
    const text = String(error?.message);
    if (/Cannot (read|set|convert|destructure)|is not (a function|iterable|defined)/.test(text)) {
      unclear.set(text, (unclear.get(text) ?? 0) + 1);
      if (trace) console.error(error.stack);
    }
  }
}

async function fuzz() {
  let rejected = 0;
  process.on('unhandledRejection', () => rejected++);
  const found = platforms().filter((platform) => platform.kind === kind);
  if (found.length === 0) {
    console.log(`skipped: no ${kind} device`);
    return;
  }
  const device = found[0].devices[0];
  const context = device.createContext();
  [found[0], device, context, context.defaultQueue].forEach(keep);
  for (let i = 0; i < 8; i++) keep(context.createBuffer(Float32Array, 1024));
  const program = await context.createProgram(source).build();
  for (const name of ['k', 'v']) keep(program.createKernel(name));
  keep(program);
  anchors.push(found[0], device, context, program, context.defaultQueue);
  const total = Number(calls);
  for (let i = 0; made < total; i++) {
    call(pick(Object.keys(pool)));
    if (chance(1)) for (const buffer of resizables.splice(0)) attempt(() => buffer.resize(random(256)));
    if (chance(2)) {
      // Random disposal in either way, also of user events, which then cannot be completed any more.
      const dead = object(pick(Object.keys(pool)));
      if (!anchors.includes(dead)) attempt(() => (chance(50) ? dead.release?.() : dead[Symbol.dispose]?.()));
    }
    if (i % 512 === 0) {
      completeUserEvents();
      attempt(() => keep(context.createBuffer(Int32Array, 64)));
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (i % 8192 === 0)
      await Promise.race([
        context.defaultQueue.finish().catch(() => {}),
        new Promise((r) => setTimeout(r, 2000)),
      ]);
  }
  console.log(`${total} calls, ${thrown} threw, ${rejected} rejections unhandled`);
  for (const [text, count] of [...unclear].sort((x, y) => y[1] - x[1]).slice(0, 12))
    console.log(`  unclear, ${count} times: ${text}`);
}

if (isMainThread && Number(workers) > 0) {
  await Promise.all(
    Array.from(
      { length: Number(workers) },
      (_, i) =>
        new Promise((resolve, reject) => {
          const worker = new Worker(fileURLToPath(import.meta.url), {
            workerData: [calls, String(Number(seed) + i), kind],
          });
          worker.on('error', reject);
          worker.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`exit status ${code}`))));
        }),
    ),
  );
} else {
  await fuzz();
}
if (isMainThread) process.exit(0);
