// SPDX-License-Identifier: MIT

import { testNeeding } from '../../tests/helpers/needs';
import { disassemble } from './disassemble';
import { FunctionBuilder, ValType } from './function-builder';
import { ModuleBuilder } from './module-builder';
import { Wasm } from './opcodes';

const NARROW = 0;
const WIDE = 1;

/** A module whose function accesses memory in each way, with addresses of both kinds. */
function accesses(addressBits: 32 | 64): Uint8Array {
  const module = new ModuleBuilder(addressBits);
  const answer = module.declare([ValType.I32], [ValType.I64]);
  const run = module.declare([ValType.I32, ValType.I64], []);
  const callee = new FunctionBuilder([ValType.I32], [ValType.I64]);
  callee.get(0);
  callee.memory(Wasm.i64_load, 16);
  module.define(answer, callee);
  const f = new FunctionBuilder([ValType.I32, ValType.I64]);
  for (const address of addressBits === 64 ? [NARROW, WIDE] : [NARROW]) {
    // The value is the result of a call, and the address lies below its argument.
    f.get(address);
    f.get(NARROW);
    f.call(answer);
    f.memory(Wasm.i64_store, 8);
    f.get(address);
    f.i32(1);
    f.i32(2);
    f.memory(Wasm.i32_atomic_rmw_cmpxchg, 0, 2);
    f.if_(false);
    const out = f.block();
    f.get(address);
    f.get(address);
    f.get(NARROW);
    f.op(Wasm.select);
    f.memory(Wasm.v128_load, 0);
    f.op(Wasm.drop);
    f.br(out);
    // After a jump the stack may have anything.
    f.op(Wasm.i32_add);
    f.memory(Wasm.i32_load, 0);
    f.op(Wasm.drop);
    f.end();
    f.end();
    f.get(address);
    f.get(NARROW);
    f.i32(16);
    f.withZeros(Wasm.memory_copy, 2);
    f.get(address);
    f.i32(0);
    f.i32(16);
    f.withZeros(Wasm.memory_fill, 1);
    f.get(address);
    f.v128(new Uint8Array(16));
    f.memoryLane(Wasm.v128_load32_lane, 4, 1);
    f.op(Wasm.drop);
  }
  module.define(run, f);
  module.export('run', run);
  return module.encode();
}

test('addresses of 32 bits are extended where they are pushed, and others are not', () => {
  const text = disassemble(accesses(64))
    .split('\n')
    .map((line) => line.trim());
  const start = text.findIndex((line) => line.startsWith('(func $1'));
  const body = text.slice(start + 1);
  expect(text[1]).toBe('(import "env" "memory" (memory i64 1 262144 shared))');
  const half = body.indexOf('local.get 1');
  // The call's argument is not an address; one of each access is, three of the copy, two of the fill, and none after the jump but the sum.
  expect(body.slice(0, 7)).toEqual([
    'local.get 0',
    'i64.extend_i32_u',
    'local.get 0',
    'call 0',
    'i64.store offset=8 align=1',
    'local.get 0',
    'i64.extend_i32_u',
  ]);
  const extensions = (lines: string[]) => lines.filter((line) => line === 'i64.extend_i32_u').length;
  expect(extensions(body.slice(0, half))).toBe(10);
  // Only the copy's source and sizes, and the sum.
  expect(extensions(body.slice(half))).toBe(4);
  expect(disassemble(accesses(32))).not.toContain('extend');
});

/** Whether a module with nothing but such a memory is valid. */
const there = WebAssembly.validate(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 5, 3, 1, 4, 0));

testNeeding('a Node.js with memory64', there)('such modules are valid', () => {
  expect(WebAssembly.validate(accesses(64))).toBe(true);
});

test('hints keep their branches', () => {
  const f = new FunctionBuilder([ValType.I32], []);
  f.get(0);
  f.memory(Wasm.i32_load, 0);
  const gap = f.gap();
  f.if_(true);
  f.end();
  f.fill(gap, () => {
    f.get(0);
    f.memory(Wasm.i32_load, 4);
    f.op(Wasm.i32_add);
  });
  const module = new ModuleBuilder(64);
  const index = module.declare(f.params, f.results);
  module.define(index, f);
  module.export('run', index);
  const bytes = module.encode();
  const text = Buffer.from(bytes).toString('latin1');
  const at = text.indexOf('metadata.code.branch_hint') + 25;
  // One byte of locals; two loads of six bytes each with their extensions; the sum.
  expect([...bytes.subarray(at, at + 6)]).toEqual([1, 0, 1, 14, 1, 1]);
});
