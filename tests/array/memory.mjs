// SPDX-License-Identifier: MIT
//
// What operations of arrays leave behind on the software device: when they succeed, and when memory is full at any step. One that
// failed gives the right elements as soon as there is memory.
//
//     node memory.mjs '{"style":"lanes"}'

import { arrays } from '../../dist/array.mjs';
import { OpenCLError, openSync } from '../../dist/index.mjs';
import { arraysOf, given, OPERATIONS } from './every-operation.mjs';

const profile = JSON.parse(process.argv[2] ?? '{}');
const SIDE = 64;
const MEMORY = 64 << 20;
const faults = [];
let failures = 0;

const elements = async (made) => {
  const all = [];
  for (const each of arraysOf(made)) all.push(...(await each.read()));
  return all;
};
const release = (made) => {
  for (const each of arraysOf(made)) each.release();
};
const same = (a, b) => a.length === b.length && a.every((value, k) => Object.is(value, b[k]));

/** Takes memory until `left` bytes are left. A refusal says how many are in use. */
function fill(cl, left) {
  try {
    cl.context.createBuffer(Uint8Array, MEMORY).release();
  } catch (error) {
    const used = Number(/of which (\d+) are in use/.exec(error.message)[1]);
    return cl.context.createBuffer(Uint8Array, MEMORY - used - left);
  }
  throw new Error('the memory is empty');
}

async function outOfMemory(cl, nd, arrays, name, wanted) {
  const operation = OPERATIONS[name];
  for (let left = 1 << 10; left < MEMORY; left *= 4) {
    const before = nd.pool.used;
    const taken = fill(cl, left);
    let made;
    let error;
    try {
      made = await operation(nd, arrays);
      await elements(made);
    } catch (thrown) {
      error = thrown;
    }
    taken.release();
    if (error) {
      failures++;
      const isClear =
        error instanceof OpenCLError && /ALLOCATION_FAILURE|OUT_OF_RESOURCES/.test(error.codeName);
      if (!isClear) faults.push(`${name}: ${error.stack}`);
      // The arrays are still there, and are computed again.
      if (made && !same(await elements(made), wanted)) faults.push(`${name}: other elements after ${error}`);
    }
    if (made) release(made);
    if (nd.pool.used !== before)
      faults.push(`${name}: ${nd.pool.used - before} bytes in use after ${error ?? 'success'}`);
    if (!error) return;
  }
}

const cl = openSync({ device: 'software', maxMemory: MEMORY });
// Nothing is kept, so that each array is an allocation.
const nd = arrays(cl, { profile, poolBytes: 0 });
const some = given(nd, SIDE);
for (const [name, operation] of Object.entries(OPERATIONS)) {
  const first = await operation(nd, some);
  const wanted = await elements(first);
  release(first);
  // Tables of constants are made once, and kept.
  const before = nd.pool.used;
  const again = await operation(nd, some);
  if (!same(await elements(again), wanted)) faults.push(`${name}: other elements the second time`);
  release(again);
  if (nd.pool.used !== before) faults.push(`${name}: ${nd.pool.used - before} bytes are still in use`);
  // Results that were never read, or of which one was.
  const unread = arraysOf(await operation(nd, some));
  await unread[0].evaluate();
  for (const each of unread) each.release();
  if (nd.pool.used !== before)
    faults.push(`${name}: ${nd.pool.used - before} bytes after one of the results`);
  await outOfMemory(cl, nd, some, name, wanted);
}
cl.close();
for (const fault of faults) console.log(fault);
console.log(`${Object.keys(OPERATIONS).length} operations, ${failures} failures, ${faults.length} faults`);
