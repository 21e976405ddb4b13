// SPDX-License-Identifier: MIT
//
// Sequences of calls by a hostile script, on one device: options whose getters throw, change their answer, release objects or
// detach memory while a call reads them; memory that is moved, shrunk or grown between enqueueing and execution; events that fail or
// are never completed; callbacks that throw; signals that are aborted at every moment; sessions that are closed meanwhile.
// Whatever a call returns must settle, and every error must be an OpenCLError or one that the script itself threw.
// Prints what else came of it, a line each. host-attacks.test.ts runs it in a process with limits of memory and time.
//
//     node tests/fuzz/host-attacks.mjs DEVICE FIRST COUNT [--trace]
import { setImmediate as turn } from 'node:timers/promises';
import { local, OpenCLError, open } from '../../dist/index.mjs';

const [device = 'software', first = '1', count = '100'] = process.argv.slice(2);
const isTracing = process.argv.includes('--trace');
/** Milliseconds of silence after which a promise counts as hanging. */
const PATIENCE = 5000;

/** What the script throws itself: getters, callbacks and signals. */
class OnPurpose extends Error {}

let state = 0;
const next = (most) => {
  state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
  return Math.floor((state / 2 ** 32) * most);
};
const pick = (list) => list[next(list.length)];
const chance = (percent) => next(100) < percent;

let seed = 0;
let bad = 0;
function report(what, detail) {
  bad++;
  console.log(`seed ${seed}, ${what}: ${detail}`);
}
function judge(what, error) {
  if (error instanceof OpenCLError && !error.message.includes('internal')) return;
  if (error instanceof OnPurpose || error?.cause instanceof OnPurpose) return;
  report(what, error?.stack ?? String(error));
}
const rejecting = '';
process.on('unhandledRejection', (error) => {
  report('an unhandled rejection', `${rejecting} ${error?.stack ?? error}`);
});
/** Errors of callbacks are the script's own affair, as everywhere in Node.js. */
process.on('uncaughtException', (error) => judge('an uncaught error', error));

const SOURCE = `
// No buffer has fewer than 16 bytes: drivers check nothing.
kernel void add(global uint *o, uint x) { o[get_global_id(0) & 3] += x; }
kernel void shared(global uint *o, local uint *t) { t[get_local_id(0)] = 1; barrier(CLK_LOCAL_MEM_FENCE); o[0] = t[0]; }
kernel void paint(write_only image2d_t i, uint4 c) { write_imageui(i, (int2)(0, 0), c); }`;

const BYTES = 32;
/** The software device copies so much in several turns of the event loop. */
const LARGE = 1 << 20;
const HOST = {
  plain: () => new Uint8Array(BYTES),
  words: () => new Uint32Array(BYTES / 4),
  offset: () => new Uint32Array(new ArrayBuffer(2 * BYTES), 8, BYTES / 4),
  view: () => new DataView(new ArrayBuffer(2 * BYTES), 3, BYTES),
  pooled: () => Buffer.from('some bytes'.repeat(3)),
  shared: () => new Uint8Array(new SharedArrayBuffer(BYTES)),
  growing: () => new Uint8Array(new SharedArrayBuffer(BYTES, { maxByteLength: 4 * BYTES })),
  resizable: () => new Uint8Array(new ArrayBuffer(BYTES, { maxByteLength: 4 * BYTES })),
  tracking: () => new Uint32Array(new ArrayBuffer(BYTES, { maxByteLength: 4 * BYTES }), 8),
  fixed: () => new Uint8Array(new ArrayBuffer(BYTES, { maxByteLength: 4 * BYTES }), 8, 16),
  large: () => new Uint8Array(LARGE),
  largeResizable: () => new Uint8Array(new ArrayBuffer(LARGE, { maxByteLength: LARGE })),
};

/** Objects of one seed. */
class World {
  buffers = [];
  images = [];
  svms = [];
  events = [];
  gates = [];
  mappings = [];
  arrays = [];
  /** Memory that a driver may still use lives as long as its new owner (docs/native.md). */
  moved = [];
  queues = [];
  signals = [];
  recordings = [];
  programs = [];
  /** Promises that must settle, by what made them. */
  pending = new Map();

  constructor(session, foreign) {
    this.session = session;
    this.foreign = foreign;
  }

  async prepare() {
    const { session } = this;
    const program = await session.build(SOURCE);
    this.programs.push(program);
    this.kernels = program.createKernels();
    const { context } = session;
    this.queues = [session.queue, context.createQueue(), context.createQueue({ outOfOrder: true })];
    for (let i = 0; i < 3; i++) this.buffers.push(context.createBuffer(Uint32Array, 64));
    this.buffers.push(context.createBuffer(Uint8Array, LARGE));
    this.images.push(context.createImage({ width: 4, height: 4, format: 'rgba8ui' }));
    this.attempt('svm', () => this.svms.push(context.createSvm(BYTES)));
  }

  attempt(what, act) {
    if (isTracing) console.error(seed, what);
    try {
      return this.keep(what, act());
    } catch (error) {
      judge(what, error);
      return undefined;
    }
  }

  /** Remembers what a call returned; most promises are awaited, in one of several ways. */
  keep(what, value) {
    if (value === null || typeof value !== 'object') return value;
    if (typeof value.waitSync === 'function') this.events.push(value);
    if (typeof value.unmap === 'function') this.mappings.push(value);
    if (typeof value.then !== 'function' || (typeof value.waitSync === 'function' && chance(30)))
      return value;
    const settles = (async () => {
      try {
        const result = await value;
        if (typeof result?.unmap === 'function') this.mappings.push(result);
      } catch (error) {
        judge(what, error);
      }
      this.pending.delete(settles);
    })();
    this.pending.set(settles, what);
    return value;
  }

  /** Something that a script may do while a call reads its options. */
  mischief() {
    return pick([
      () => this.release(),
      () => this.takeAway(),
      () => this.step(pick(Object.keys(STEPS))),
      () => this.abort(),
      () => this.openGate(),
      () => undefined,
    ])();
  }

  /** User events are not among them: one that is released without a status blocks its commands for ever (ADR 13). */
  release() {
    const list = pick([
      this.buffers,
      this.images,
      this.svms,
      this.events,
      this.queues,
      this.kernels,
      this.programs,
      this.recordings,
    ]);
    const object = list.length > 0 ? pick(list) : undefined;
    if (object === this.session.queue && chance(90)) return;
    this.attempt('release', () => void (object?.release ? object.release() : object?.free?.()));
  }

  takeAway() {
    if (this.arrays.length === 0) return;
    const { buffer } = pick(this.arrays);
    try {
      if (buffer instanceof SharedArrayBuffer)
        buffer.growable && buffer.grow(buffer.byteLength + next(BYTES));
      else if (buffer.resizable && chance(70)) buffer.resize(next(buffer.maxByteLength));
      else if (buffer.byteLength <= 4 * BYTES || buffer.byteLength === LARGE)
        this.moved.push(structuredClone(buffer, { transfer: [buffer] }));
    } catch {
      // Detached or smaller already.
    }
  }

  abort() {
    if (this.signals.length > 0) pick(this.signals).abort(new OnPurpose('aborted'));
  }

  openGate() {
    if (this.gates.length === 0) return;
    const gate = pick(this.gates);
    this.attempt('gate', () => (chance(70) ? gate.complete() : gate.fail(-5 - next(3))));
  }

  array() {
    if (this.arrays.length > 0 && chance(25)) return pick(this.arrays);
    const made = pick(Object.values(HOST))();
    this.arrays.push(made);
    return made;
  }

  signal() {
    const control = new AbortController();
    this.signals.push(control);
    if (chance(10)) control.abort(new OnPurpose('before'));
    if (chance(30)) queueMicrotask(() => control.abort(new OnPurpose('soon')));
    if (chance(30)) setTimeout(() => control.abort(new OnPurpose('later')), next(3));
    return control.signal;
  }

  waits() {
    const from = chance(85) ? this.events : this.foreign.events;
    const gates = chance(50) ? this.gates : [];
    return Array.from({ length: next(3) }, () => pick([...from.slice(-4), ...gates.slice(-1)])).filter(
      Boolean,
    );
  }

  buffer() {
    return chance(95) ? pick(this.buffers) : this.foreign.buffer;
  }

  queue() {
    return chance(97) ? pick(this.queues) : this.foreign.queue;
  }

  /** Options, some of whose members are getters, and some of which are Proxies. */
  options(members) {
    return this.hostile(chance(40) ? { ...members, waitFor: this.waits() } : members);
  }

  hostile(members) {
    const all = { ...members };
    if (chance(75)) return all;
    const answer = (name, reads) => {
      switch (next(reads > 0 ? 6 : 3)) {
        case 0:
          throw new OnPurpose(`getter of ${name}`);
        case 1:
          this.mischief();
          return all[name];
        case 3:
          return pick([undefined, null, Symbol('s'), {}, 2 ** 40, -1, 'text', [], [null], 0.5]);
        default:
          return all[name];
      }
    };
    const reads = new Map();
    const get = (name) => {
      if (!(name in all)) return undefined;
      const before = reads.get(name) ?? 0;
      reads.set(name, before + 1);
      return answer(name, before);
    };
    if (chance(50)) return new Proxy(all, { get: (_, name) => get(name) });
    const hostile = {};
    for (const name of Object.keys(all))
      Object.defineProperty(hostile, name, { enumerable: true, get: () => get(name) });
    return hostile;
  }

  stops() {
    return {
      ...(chance(30) ? { signal: this.signal() } : {}),
      ...(chance(10) ? { timeout: 1 + next(1000) } : {}),
    };
  }

  callback(what) {
    return (error) => {
      if (isTracing) console.error(seed, 'callback', what, error?.message);
      if (chance(50)) this.mischief();
      if (chance(30)) throw new OnPurpose(what);
    };
  }

  step(name) {
    return this.attempt(name, () => STEPS[name](this));
  }
}

const range = () =>
  pick([{ global: 16 }, { global: 16, local: 4 }, { global: [4, 4] }, { global: [16], offset: [1] }]);
const sizes = () => pick([0, 1, 4, 8, 16]);

const STEPS = {
  gate: (w) => void w.gates.push(w.session.context.createUserEvent()),
  run: (w) =>
    w.kernels[0].run(
      w.options({ ...range(), ...w.stops(), ...(chance(30) ? { queue: w.queue() } : {}) }),
      w.buffer(),
      next(9),
    ),
  local: (w) => w.kernels[1].run(w.options({ global: 16, local: 4 }), w.buffer(), local(Uint32Array, 4)),
  paint: (w) =>
    w.kernels[2].run(
      w.options({ global: 1 }),
      pick(w.images),
      pick([[1, 2, 3, 4], new Uint32Array(4), w.array()]),
    ),
  enqueue: (w) => {
    w.kernels[0].setArgs(w.buffer(), 1);
    const range = { global: [16] };
    w.queue().enqueueNDRange(w.kernels[0], w.hostile(range), w.options(w.stops()));
    range.global[0] = 2 ** 31;
  },
  silent: (w) => w.queue().enqueueNDRange(w.kernels[0], range(), w.options({ event: false })),
  read: (w) =>
    w.buffer().read(
      w.options({
        offset: sizes(),
        ...(chance(70) ? { length: sizes() } : {}),
        ...(chance(40) ? { into: w.array() } : {}),
      }),
    ),
  readSync: (w) => w.gates.length === 0 && w.buffer().readSync(w.hostile({})),
  write: (w) => w.buffer().write(w.array(), w.options({ offset: sizes() })),
  writeList: (w) => w.buffer().write(pick([[1, 2, 3], [Symbol('s')], new Array(4)]), w.options({})),
  fill: (w) => w.buffer().fill(pick([7, w.array(), -1]), w.options({ offset: sizes() })),
  copyTo: (w) =>
    w.buffer().copyTo(w.buffer(), w.options({ offset: sizes(), ...(chance(70) ? { length: sizes() } : {}) })),
  map: (w) =>
    w
      .buffer()
      .map(
        pick(['read', 'write', 'read-write', 'write-invalidate']),
        w.options({ ...(chance(50) ? { signal: w.signal() } : {}) }),
      ),
  enqueueMap: (w) => w.queue().enqueueMap(w.buffer(), 'read-write', w.options({ offset: sizes() })),
  unmap: (w) => w.mappings.length > 0 && pick(w.mappings).unmap(w.options({})),
  touch: (w) => {
    const data = w.mappings.length > 0 ? pick(w.mappings).data : undefined;
    if (data?.length > 0) data[0] ^= 1;
  },
  enqueueRead: (w) => w.queue().enqueueRead(w.buffer(), w.array(), w.options({ offset: sizes() })),
  enqueueWrite: (w) => w.queue().enqueueWrite(w.buffer(), w.array(), w.options({ offset: sizes() })),
  rect: (w) => {
    const rect = w.options({ region: [4, 2, 1], hostOrigin: [0, 0, 0], bufferOrigin: [4, 0, 0] });
    return chance(50)
      ? w.queue().enqueueReadRect(w.buffer(), w.array(), rect)
      : w.queue().enqueueWriteRect(w.buffer(), w.array(), rect, w.options({}));
  },
  readImage: (w) => pick(w.images).read(w.options({ ...(chance(40) ? { into: w.array() } : {}) })),
  writeImage: (w) => pick(w.images).write(w.array(), w.options({ origin: [0, 0], region: [2, 2] })),
  mapImage: (w) =>
    pick(w.images).map('read-write', w.options({ ...(chance(50) ? { signal: w.signal() } : {}) })),
  svm: (w) => {
    if (w.svms.length === 0) return undefined;
    const svm = pick(w.svms);
    return pick([
      () => svm.map('read-write', w.options({})),
      () => svm.unmap(w.options({})),
      () => w.queue().enqueueSvmCopy(svm, w.array(), w.options({})),
      () => svm.fill(w.array(), w.options({})),
      () => w.queue().enqueueSvmFree([svm], w.options({})),
    ])();
  },
  create: (w) =>
    void w.buffers.push(w.session.context.createBuffer(w.array(), w.hostile({ access: 'read-write' }))),
  createOn: (w) => void w.buffers.push(w.session.context.createBuffer(w.array(), { useHost: true })),
  sub: (w) => void w.buffers.push(w.buffer().sub(0, 16)),
  image: (w) =>
    void w.images.push(
      w.session.image(
        w.hostile({ width: 4, height: 4, format: 'rgba8ui' }),
        chance(50) ? w.array() : undefined,
      ),
    ),
  marker: (w) => w.queue().enqueueMarker(w.options({})),
  barrier: (w) => w.queue().enqueueBarrier(w.options({})),
  finish: (w) => w.queue().finish(w.hostile({ ...(chance(50) ? { signal: w.signal() } : {}) })),
  finishSync: (w) => w.gates.length === 0 && w.queue().finishSync(),
  flush: (w) => w.queue().flush(),
  batch: (w) =>
    w.queue().batch(() => {
      w.step('run');
      w.step(pick(['run', 'fill', 'marker', 'enqueueWrite', 'batch', 'silent']));
      if (chance(20)) throw new OnPurpose('batch');
    }),
  on: (w) =>
    void (
      w.events.length > 0 &&
      pick(w.events).on(pick(['submitted', 'running', 'complete']), w.callback('event'))
    ),
  onDestroy: (w) => w.buffer().onDestroy(w.callback('memory')),
  wait: (w) => w.events.length > 0 && pick(w.events).wait(w.hostile({ signal: w.signal() })),
  catch: (w) => w.events.length > 0 && pick(w.events).catch(() => undefined),
  profile: (w) => void (w.events.length > 0 && pick(w.events).profile),
  terminate: (w) => w.events.length > 0 && pick(w.events).terminate(),
  build: (w) => {
    const text = `#define N${next(1e6)}\n${SOURCE}`;
    return w.session.build(text, pick(['', '-w', '-cl-opt-disable']), w.hostile({ signal: w.signal() }));
  },
  buildWrong: (w) =>
    w.session.build(pick(['kernel void k(', '#error no', new Uint8Array(20), new Uint8Array(0)])),
  setArg: (w) =>
    void pick(w.kernels).setArg(
      next(2),
      pick([
        w.buffer(),
        1,
        Symbol('s'),
        w.array(),
        local(4),
        new Proxy({}, {}),
        new Proxy([], {}),
        pick(w.images),
        w.session,
      ]),
    ),
  record: (w) => {
    const recording = w.session.context.createCommandBuffer(w.session.queue);
    w.recordings.push(recording);
    recording.fill(w.buffer(), Uint32Array.of(1));
    recording.run(w.kernels[0], w.hostile(range()), w.buffer(), 2);
    recording.finalize();
  },
  replay: (w) => w.recordings.length > 0 && pick(w.recordings).enqueue(w.options({})),
  native: (w) => w.queue().enqueueNativeKernel(w.callback('native'), [w.buffer()], w.options({})),
  release: (w) => w.release(),
  takeAway: (w) => w.takeAway(),
  abort: (w) => w.abort(),
  openGate: (w) => w.openGate(),
  info: (w) => void w.buffer().info(pick(['SIZE', 'REFERENCE_COUNT', 'CONTEXT'])),
  open: (w) => open(w.hostile({ device, signal: w.signal() })).then((session) => session.close()),
};
const NAMES = Object.keys(STEPS);

async function play(foreign) {
  const session = await open({ device });
  const world = new World(session, foreign);
  await world.prepare();
  const steps = 10 + next(40);
  for (let i = 0; i < steps; i++) {
    world.step(pick(NAMES));
    if (chance(15)) await (chance(50) ? turn() : undefined);
  }
  const end = next(4);
  // Some sessions close with commands that wait, some are disposed of, some end cleanly.
  if (end === 0) world.attempt('close', () => session.close({ terminate: true }));
  if (end === 1) world.attempt('close', () => session.close());
  for (const gate of world.gates)
    world.attempt('gate', () => (gate.released ? undefined : next(3) ? gate.complete() : gate.fail()));
  const deadline = Date.now() + PATIENCE;
  const late = setTimeout(() => undefined, PATIENCE);
  while (world.pending.size > 0 && Date.now() < deadline)
    await Promise.race([...world.pending.keys(), new Promise((r) => setTimeout(r, 50))]);
  clearTimeout(late);
  for (const what of world.pending.values()) report(what, 'does not settle');
  if (end === 2) await world.keep('dispose', session[Symbol.asyncDispose]());
  if (!session.context.released) session.close();
  session.close();
}

const other = await open({ device });
const foreign = {
  session: other,
  buffer: other.buffer(new Uint32Array(64)),
  queue: other.queue,
  events: [other.queue.enqueueMarker()],
};
for (seed = Number(first); seed < Number(first) + Number(count); seed++) {
  state = (seed * 2_654_435_761) >>> 0;
  try {
    await play(foreign);
  } catch (error) {
    judge('the sequence', error);
  }
}
await turn();
// The device must still work.
const { kernels } = await other.build(SOURCE);
const result = other.buffer(new Uint32Array(16));
await kernels.add.run({ global: 4 }, result, 5);
if ((await result.read({ length: 4 })).some((v) => v !== 5))
  report('afterwards', 'the device gives wrong results');
other.close();
console.log(`${bad} faults in ${count} sequences`);
process.exitCode = bad > 0 ? 1 : 0;
