// SPDX-License-Identifier: MIT
//
// SipHash-2-4 with results of 128 bits (Aumasson and Bernstein, 2012): a hash that cannot be computed without the key. It
// is WebAssembly, which has the 64-bit arithmetic that it consists of: in JavaScript it would take ten times as long, and
// node:crypto takes longer to load than a small kernel to compile.
import { FunctionBuilder, ValType } from '../../../wasm/function-builder';
import { MAX_PAGES, ModuleBuilder } from '../../../wasm/module-builder';
import { Wasm } from '../../../wasm/opcodes';

/** The key is at the address 0, where the result replaces it; the message follows. */
const MESSAGE = 16;
const PAGE = 65_536;

/** 128 bits in hexadecimal digits. `key`: 16 bytes. */
export function siphash(key: Uint8Array, message: Uint8Array): string {
  // The last of the message's words ends with its length.
  const end = MESSAGE + (message.length & ~7) + 8;
  const pages = Math.ceil(end / PAGE);
  const memory = new WebAssembly.Memory({
    initial: pages,
    maximum: Math.min(pages, MAX_PAGES),
    shared: true,
  });
  const bytes = new Uint8Array(memory.buffer);
  bytes.set(key);
  bytes.set(message, MESSAGE);
  bytes[end - 1] = message.length;
  const { exports } = new WebAssembly.Instance(compiled(), { env: { memory } });
  (exports.hash as (end: number) => void)(end);
  return Array.from(bytes.subarray(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

let code: WebAssembly.Module | undefined;

function compiled(): WebAssembly.Module {
  code ??= new WebAssembly.Module(encoded() as Uint8Array<ArrayBuffer>);
  return code;
}

function encoded(): Uint8Array {
  const f = new FunctionBuilder([ValType.I32]);
  const end = 0;
  const at = f.local(ValType.I32);
  const word = f.local(ValType.I64);
  const [v0, v1, v2, v3] = [0, 1, 2, 3].map(() => f.local(ValType.I64)) as [number, number, number, number];
  const xorConstant = (v: number, constant: bigint) => {
    f.get(v);
    f.i64(BigInt.asIntN(64, constant));
    f.op(Wasm.i64_xor);
    f.set(v);
  };
  const binary = (op: Wasm, a: number, b: number) => {
    f.get(a);
    f.get(b);
    f.op(op);
    f.set(a);
  };
  const rotate = (v: number, by: bigint) => {
    f.get(v);
    f.i64(by);
    f.op(Wasm.i64_rotl);
    f.set(v);
  };
  const halfRound = (a: number, b: number, by: bigint) => {
    binary(Wasm.i64_add, a, b);
    rotate(b, by);
    binary(Wasm.i64_xor, b, a);
  };
  const rounds = (count: number) => {
    for (let i = 0; i < count; i++) {
      halfRound(v0, v1, 13n);
      rotate(v0, 32n);
      halfRound(v2, v3, 16n);
      halfRound(v0, v3, 21n);
      halfRound(v2, v1, 17n);
      rotate(v2, 32n);
    }
  };
  const storeSum = (address: number) => {
    f.i32(address);
    f.get(v0);
    for (const v of [v1, v2, v3]) {
      f.get(v);
      f.op(Wasm.i64_xor);
    }
    f.memory(Wasm.i64_store, 0);
  };

  for (const [v, address, constant] of [
    [v0, 0, 0x736f6d6570736575n],
    [v1, 8, 0x646f72616e646f6dn ^ 0xeen],
    [v2, 0, 0x6c7967656e657261n],
    [v3, 8, 0x7465646279746573n],
  ] as const) {
    f.i32(address);
    f.memory(Wasm.i64_load, 0);
    f.set(v);
    xorConstant(v, constant);
  }
  f.i32(MESSAGE);
  f.set(at);
  const loop = f.loop();
  f.get(at);
  f.memory(Wasm.i64_load, 0);
  f.set(word);
  binary(Wasm.i64_xor, v3, word);
  rounds(2);
  binary(Wasm.i64_xor, v0, word);
  f.get(at);
  f.i32(8);
  f.op(Wasm.i32_add);
  f.tee(at);
  f.get(end);
  f.op(Wasm.i32_lt_u);
  f.brIf(loop);
  f.end();
  xorConstant(v2, 0xeen);
  rounds(4);
  storeSum(0);
  xorConstant(v1, 0xddn);
  rounds(4);
  storeSum(8);

  const builder = new ModuleBuilder();
  const index = builder.declare(f.params, f.results);
  builder.define(index, f);
  builder.export('hash', index);
  return builder.encode();
}
