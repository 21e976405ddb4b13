// SPDX-License-Identifier: MIT
// Random calls of the addon's methods with right, wrong and released arguments. Prints how many calls were made and
// how many threw; a crash is the only failure. The random numbers are repeatable.
// node tests/stub-icd/fuzz.mjs CALLS [SEED] [OPENCL LIBRARY]   (without a library: the machine's own drivers)
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { choices } from './random.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const addon = createRequire(import.meta.url)(
  join(process.env.ANYCL_PREBUILD ?? root, 'build', 'Release', 'anycl.node'),
);
const [calls = '100000', seed = '1', library] = process.argv.slice(2);
const stub = library !== undefined;

const { random, pick } = choices(seed);

class CallError extends Error {}
const operandsAt = 8192 * 8 + 512 * 16 + 8192;
const scratch = addon.attach(() => {}, CallError, true);
const words = new Float64Array(scratch, 0, 8192);
/** A quick call: its operands are in the scratch memory. */
const quick = (method, ...values) => {
  new Float64Array(scratch, operandsAt, 8).set(values);
  addon[method]();
};
const problem = addon.open(library);
if (problem) {
  console.log(`skipped: ${problem}`);
  process.exit(0);
}
const [platform] = addon.platforms();
if (platform === undefined) {
  console.log('skipped: no OpenCL driver');
  process.exit(0);
}
const [device] = addon.devices(platform, 0xffffffff);
const handles = { platform: [platform], device: [device] };
const context = addon.createContext([device], []);
const source = 'kernel void k(global int *p, int x, local int *l) { p[0] = x; }';
const keep = (kind, handle) => {
  handles[kind] ??= [];
  const list = handles[kind];
  if (typeof handle !== 'number' || handle === 0) return;
  if (list.length < 40) list.push(handle);
  else list[random(list.length)] = handle;
};
keep('context', context);
keep('queue', addon.createQueue(context, device, []));
for (let i = 0; i < 8; i++) keep('memory', addon.createBuffer(context, 1, 4096, undefined, []));
const program = addon.createProgramWithSource(context, [source]);
addon.buildSync(program, [device], '');
keep('program', program);
keep('kernel', addon.createKernel(program, 'k'));

const oddNumbers = [
  0,
  1,
  2,
  3,
  7,
  64,
  4096,
  65536,
  -1,
  0.5,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  1e300,
];
const oddThings = [
  undefined,
  null,
  true,
  'text',
  {},
  [],
  Symbol('s'),
  () => {},
  10n,
  new Date(),
  new Uint8Array(3),
];
const small = () => pick([0, 1, 2, 3, 4, 16, 64, 1024, 4096]);

/** A handle of that kind, most of the time; sometimes of another kind, released or made up. */
function handle(kind) {
  const chance = random(100);
  if (chance < 90 && handles[kind]?.length) return pick(handles[kind]);
  if (chance < 94) return pick(Object.values(handles).flat());
  if (chance < 97) return pick(oddNumbers);
  return pick(oddThings);
}
const odd = (value) => (random(100) < 95 ? value : random(2) ? pick(oddNumbers) : pick(oddThings));
const number = () => odd(small());
const view = () =>
  odd(
    pick([
      () => new Uint8Array(small()),
      () => new Float32Array(16),
      () => new DataView(new ArrayBuffer(64), 8),
      () => new Uint8Array(new SharedArrayBuffer(64)),
      () => new ArrayBuffer(128),
      () => new BigInt64Array(4),
    ])(),
  );
const maybe = (make) => (random(2) ? undefined : make());
const list = (make, n = random(4)) => odd(Array.from({ length: n }, make));
const text = () => odd(pick(['', 'k', '-w', 'x'.repeat(100), 'kernel void q() {}', source]));
const properties = () => (stub ? list(() => pick([0n, 1n, 0x1093n, 0x1084n, 2n ** 63n])) : odd([]));
const key = () =>
  random(2)
    ? pick([0x900, 0x902, 0x1000, 0x102b, 0x1080, 0x1090, 0x1100, 0x1102, 0x1160, 0x1190, 0x11d0, 0x11b0])
    : number();
const flags = () => odd(pick([0, 1, 2, 4, 1 | 8, 1 | 16, 1 | 32, 4 | 32]));

/** Command words: a plausible command, then some words of it replaced. */
function commands() {
  const waits = random(3);
  let n = 0;
  const put = (...values) => {
    for (const value of values) words[n++] = typeof value === 'number' ? value : 0;
  };
  for (let count = 1 + random(3); count > 0; count--) {
    const opcode = 1 + random(34);
    put(opcode, random(2), waits);
    for (let i = 0; i < waits; i++) put(handle('event'));
    const memory = () => handle('memory');
    const size3 = () => [small(), random(4), 0];
    const shapes = [
      () => put(handle('kernel'), 1, 0, 0, 1 + random(4)),
      () => put(memory(), 0),
      () => put(memory(), memory(), 0, 1024, small()),
      () => put(memory(), ...size3(), ...size3(), 1 + random(8), 1, 1, 0, 0, 0, 0),
      () => put(memory(), 0, 64, 4, 0),
      () => put(handle('svm'), 0, small(), 4, 0),
      () => put(memory(), handle('mapping')),
      () => put(0, 2, memory(), memory()),
      () => put(1, handle('svm')),
      () => put(),
    ];
    const natural = { 1: 0, 2: 1, 3: 1, 4: 3, 5: 3, 6: 2, 8: 4, 15: 6, 16: 7, 18: 5, 21: 8, 23: 9, 24: 9 };
    (random(10) < 9 && natural[opcode] !== undefined ? shapes[natural[opcode]] : pick(shapes))();
  }
  if (random(10) === 0) words[random(n)] = pick(oddNumbers);
  return random(20) === 0 ? number() : n;
}

/** Method -> a call of it, and the kind of handle that it returns. */
const methods = {
  platforms: () => void 0,
  devices: () => addon.devices(handle('platform'), number()),
  info: () => addon.info(handle(pick(Object.keys(handles))), key()),
  imageInfo: () => addon.imageInfo(handle('memory'), key()),
  pipeInfo: () => addon.pipeInfo(handle('memory'), key()),
  buildInfo: () => addon.buildInfo(handle('program'), handle('device'), pick([0x1181, 0x1182, 0x1183, 5])),
  argInfo: () => addon.argInfo(handle('kernel'), number(), pick([0x1196, 0x1199, 0x119a])),
  workGroupInfo: () =>
    addon.workGroupInfo(handle('kernel'), handle('device'), pick([0x11b0, 0x11b1, 0x11b3])),
  subGroupInfo: () =>
    addon.subGroupInfo(handle('kernel'), handle('device'), pick([0x2033, 0x2034]), list(small)),
  profilingInfo: () => addon.profilingInfo(handle('event'), 0x1280 + random(5)),
  binaries: () => addon.binaries(handle('program')),
  timers: () => addon.timers(handle('device'), odd(true)),
  entryPoint: () => addon.entryPoint(handle('platform'), text()),
  release: () => {
    const kind = pick(Object.keys(handles).filter((k) => k !== 'platform' && k !== 'device'));
    if (random(3) === 0 && (handles[kind]?.length ?? 0) > 4) quick('release', handle(kind));
  },
  retain: () => {
    const kind = pick(['context', 'queue', 'memory', 'kernel', 'event', 'program']);
    keep(kind, addon.retain(pick(handles[kind] ?? [0])));
  },
  createContext: () =>
    random(20) === 0 &&
    keep(
      'context',
      addon.createContext(
        list(() => handle('device'), 1),
        properties(),
      ),
    ),
  createQueue: () =>
    random(10) === 0 && keep('queue', addon.createQueue(handle('context'), handle('device'), properties())),
  createBuffer: () =>
    keep('memory', addon.createBuffer(handle('context'), flags(), number(), maybe(view), properties())),
  createSubBuffer: () => keep('memory', addon.createSubBuffer(handle('memory'), flags(), number(), number())),
  createImage: () => {
    [0x10b5, 0x10d2, 0x10f1, small(), small(), 1, 0, 0, 0, 0, 0, 0].forEach((v, i) => {
      // PoCL ends the process for mip levels and samples; this says nothing about anycl.
      words[i] = random(30) || (i > 8 && !stub) ? v : pick(oddNumbers);
    });
    keep('memory', addon.createImage(handle('context'), flags(), maybe(view), properties()));
  },
  supportedImageFormats: () => addon.supportedImageFormats(handle('context'), flags(), 0x10f1),
  createPipe: () => keep('memory', addon.createPipe(handle('context'), flags(), number(), number())),
  createSampler: () => keep('sampler', addon.createSampler(handle('context'), properties())),
  onMemoryDestroyed: () => addon.onMemoryDestroyed(handle('memory')),
  createProgramWithSource: () =>
    keep('program', addon.createProgramWithSource(handle('context'), list(text))),
  build: () => random(stub ? 4 : 200) === 0 && addon.build(handle('program'), [device], text()),
  setSpecializationConstant: () =>
    stub && addon.setSpecializationConstant(handle('program'), number(), view()),
  createKernel: () => keep('kernel', addon.createKernel(handle('program'), text())),
  createKernels: () => {
    if (stub) return;
    for (const kernel of addon.createKernels(handle('program'))) keep('kernel', kernel);
  },
  cloneKernel: () => keep('kernel', addon.cloneKernel(handle('kernel'))),
  setArgBytes: () => {
    quick('setArgBytes', handle('kernel'), pick([1, pick(oddNumbers)]), pick([4, pick(oddNumbers)]));
  },
  setArgLarge: () => addon.setArgLarge(handle('kernel'), odd(1), view()),
  setArgLocal: () => addon.setArgLocal(handle('kernel'), odd(2), number()),
  setArgObject: () => {
    quick('setArgObject', handle('kernel'), pick([0, pick(oddNumbers)]), handle('memory'));
  },
  setArgSvm: () => addon.setArgSvm(handle('kernel'), odd(0), handle('svm')),
  createUserEvent: () => {
    // An incomplete user event would block its queue for ever.
    const event = addon.createUserEvent(handle('context'));
    addon.setUserStatus(event, stub ? pick([0, 0, -5]) : 0);
    keep('event', event);
  },
  eventStatus: () => addon.eventStatus(handle('event')),
  onEvent: () => addon.onEvent(handle('event'), pick([0, 0, 1, 2, 5])),
  svmAlloc: () => keep('svm', addon.svmAlloc(handle('context'), flags(), number(), pick([0, 8, 64, 3]))[0]),
  svmCopy: () => addon.svmCopy(handle('svm'), number(), view(), odd(true)),
  mapBuffer: () => {
    const [event, mapping] = addon.mapBuffer(
      handle('queue'),
      handle('memory'),
      pick([1, 2, 4]),
      0,
      small(),
      0,
    );
    keep('event', event);
    keep('mapping', mapping);
  },
  flush: () => quick('flush', handle('queue')),
  submit: () => {
    quick('submit', handle('queue'), commands());
  },
  execute: () => keep('event', addon.execute(handle('queue'), commands(), maybe(view), maybe(view))),
  finishSync: () => random(10) === 0 && flushed() && quick('finishSync', handle('queue')),
  waitSync: () => random(10) === 0 && flushed() && addon.waitSync(list(() => handle('event'))),
};
/** A queue may wait for commands of another queue, which must have been submitted to its device. */
function flushed() {
  for (const queue of handles.queue)
    try {
      quick('flush', queue);
    } catch {
      // Released.
    }
  return true;
}
// Any method with any values: a script must not be able to crash the process.
const anything = () => (random(3) ? pick(oddNumbers) : random(2) ? pick(oddThings) : view());
const wild = Object.keys(addon).filter(
  (name) =>
    typeof addon[name] === 'function' &&
    !['attach', 'open', 'platforms', 'createFromEglImage', 'eventFromEglSync', 'eventFromGlSync'].includes(
      name,
    ),
);
// Waiting for an event that never completes would not crash, but not end either.
const blocking = new Set(['waitSync', 'finishSync', 'createUserEvent']);

const trace = process.env.ANYCL_FUZZ_TRACE !== undefined;
let thrown = 0;
const names = Object.keys(methods);
const total = Number(calls);
for (let i = 0; i < total; i++) {
  try {
    if (random(20) === 0) {
      const name = pick(wild);
      if (trace) console.error(i, 'wild', name);
      if (!blocking.has(name)) addon[name](...Array.from({ length: random(6) }, anything));
    } else {
      const name = pick(names);
      if (trace) console.error(i, name);
      methods[name]();
    }
  } catch (error) {
    thrown++;
    if (!(error instanceof CallError) && !(error instanceof TypeError)) throw error;
  }
  if (i % 2000 === 0) await new Promise((resolve) => setImmediate(resolve));
}
console.log(`${total} calls, ${thrown} threw, ${addon.liveObjects()} objects alive`);
process.exit(0);
