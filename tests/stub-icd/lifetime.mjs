// SPDX-License-Identifier: MIT
// One scenario of objects' lives, in a process of its own: node --expose-gc lifetime.mjs SCENARIO BUNDLE LIBRARY
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

const [scenario, bundle, library] = isMainThread ? process.argv.slice(2) : workerData;
const { createNativeBackend } = (await import(bundle)).default;
const platform = createNativeBackend(library).platforms()[0];
const device = platform.devices()[0];
const context = device.createContext([device], []);
const queue = context.createQueue(device, []);
const books = () => new TextDecoder().decode(platform.info(0x903));
const direct = (text) => context.createProgramWithSource([`stub: ${text}`]).release();

const scenarios = {
  /** Hundreds of thousands of unreferenced objects are released. */
  async collected() {
    for (let i = 0; i < 100_000; i++) {
      context.createBuffer(1, 16);
      queue.marker(undefined);
      if (i % 5000 === 0) {
        globalThis.gc();
        await sleep(1);
      }
    }
    for (let i = 0; i < 10; i++) {
      globalThis.gc();
      await sleep(10);
    }
    console.log(books());
  },
  /** A script that blocks and never returns to the event loop leaves no pending transfer. */
  blocking() {
    const buffer = context.createBuffer(1, 16);
    const before = books();
    for (let i = 0; i < 1000; i++) {
      for (let k = 0; k < (i === 0 ? 200 : 3); k++)
        queue.enqueue({ op: 'writeBuffer', buffer, offset: 0, from: new Uint8Array(16) }, undefined, false);
      queue.finishSync();
    }
    console.log(books() === before ? 'balanced' : `${before} became ${books()}`);
  },
  /** Threads that are terminated while their commands run. */
  async workers() {
    const threads = Array.from(
      { length: 4 },
      () => new Worker(fileURLToPath(import.meta.url), { workerData: ['busy', bundle, library] }),
    );
    await sleep(300);
    await Promise.all(threads.map((thread) => thread.terminate()));
    console.log('ended');
  },
  /** Threads that are terminated while they load the addon. */
  async loading() {
    const addon = fileURLToPath(new URL('../../build/Release/anycl.node', import.meta.url));
    const load = `
      const { addon, begins } = require('node:worker_threads').workerData;
      Atomics.store(begins, 0, 1);
      require(addon);`;
    for (let i = 0; i < 150; i++) {
      const begins = new Int32Array(new SharedArrayBuffer(4));
      const thread = new Worker(load, { eval: true, workerData: { addon, begins } });
      while (Atomics.load(begins, 0) === 0) await sleep(0);
      const end = performance.now() + (i % 40) * 0.02;
      while (performance.now() < end);
      await thread.terminate();
    }
    console.log('ended');
  },
  /** Threads that are terminated while a long answer is converted for them. */
  async asking() {
    for (let i = 0; i < 20; i++) {
      const thread = new Worker(fileURLToPath(import.meta.url), { workerData: ['asks', bundle, library] });
      await new Promise((resolve) => thread.once('message', resolve));
      await sleep(i);
      await thread.terminate();
    }
    console.log('ended');
  },
  asks() {
    parentPort.postMessage('asking');
    for (;;) {
      context.createBuffer(1, 64).release();
      device.info(0x10a6);
    }
  },
  async busy() {
    direct('events late');
    const buffer = context.createBuffer(1, 4096);
    for (;;) {
      const event = queue.enqueue(
        { op: 'readBuffer', buffer, offset: 0, into: new Uint8Array(4096) },
        undefined,
        true,
      );
      await new Promise((resolve) => event.onComplete(resolve));
    }
  },
  /** Threads that each use several contexts at the same time, and end normally. */
  async parallel() {
    direct('events threads');
    const threads = Array.from(
      { length: 4 },
      () => new Worker(fileURLToPath(import.meta.url), { workerData: ['several', bundle, library] }),
    );
    const ended = threads.map((thread) => new Promise((resolve) => thread.once('exit', resolve)));
    await scenarios.several();
    const codes = await Promise.all(ended);
    console.log(codes.every((code) => code === 0) ? 'ended' : `ended with ${codes}`);
  },
  async several() {
    const uses = Array.from({ length: 3 }, async (_, n) => {
      const mine = device.createContext([device], []);
      const own = mine.createQueue(device, []);
      const buffer = mine.createBuffer(1, 64);
      for (let i = 0; i < 100; i++) {
        const pattern = (i + n) % 256;
        own.enqueue(
          { op: 'fillBuffer', buffer, pattern: Uint8Array.of(pattern), offset: 0, size: 64 },
          undefined,
          false,
        );
        const host = new Uint8Array(64);
        const event = own.enqueue({ op: 'readBuffer', buffer, offset: 0, into: host }, undefined, true);
        const status = await new Promise((resolve) => event.onComplete(resolve));
        if (status !== 0) throw new Error(`status ${status}`);
        event.release();
      }
      await own.finish();
      for (const object of [buffer, own, mine]) object.release();
    });
    await Promise.all(uses);
  },
  /** A process ends although a command never does. */
  async never() {
    direct('events never');
    const buffer = context.createBuffer(1, 16);
    queue.enqueue({ op: 'readBuffer', buffer, offset: 0, into: new Uint8Array(16) }, undefined, false);
    console.log('leaving');
  },
  /** An awaited event keeps the process alive until it completes. */
  async awaited() {
    direct('events late');
    const event = queue.marker(undefined);
    event.onComplete((status) => console.log('came', status));
  },
};
await scenarios[scenario]();
