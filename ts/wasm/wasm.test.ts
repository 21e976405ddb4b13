// SPDX-License-Identifier: MIT
import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ByteBuffer } from './byte-buffer';
import { disassemble } from './disassemble';
import { FunctionBuilder, ValType } from './function-builder';
import { ModuleBuilder } from './module-builder';
import { memberName, type Opcode, opcodeTable } from './opcode-table';
import { Wasm } from './opcodes';

const TYPES: Record<string, ValType> = {
  i: ValType.I32,
  l: ValType.I64,
  f: ValType.F32,
  d: ValType.F64,
  v: ValType.V128,
};

function moduleOf(body: FunctionBuilder): Uint8Array {
  const module = new ModuleBuilder();
  const index = module.declare(body.params, body.results);
  module.define(index, body);
  module.export('run', index);
  return module.encode();
}

function alignmentOf(name: string): number {
  const bits = /(?:load|store|rmw|wait)(8x8|16x4|32x2|8|16|32|64)?/.exec(name)?.[1];
  if (bits) return Math.log2(bits.includes('x') ? 8 : Number(bits) / 8);
  if (name.startsWith('memory')) return 2;
  return { i32: 2, i64: 3, f32: 2, f64: 3, v12: 4 }[name.slice(0, 3)]!;
}

/** A module that uses one instruction with operands of the table's types. */
function moduleUsing(opcode: Opcode): Uint8Array {
  const { operands, results } = opcode.signature!;
  const f = new FunctionBuilder(
    [...operands].map((t) => TYPES[t]!),
    [...results].map((t) => TYPES[t]!),
  );
  for (let i = 0; i < operands.length; i++) f.get(i);
  switch (opcode.immediate) {
    case '-':
      f.op(opcode.code);
      break;
    case 'mem':
      f.memory(opcode.code, 4, opcode.name === 'memory.atomic.notify' ? 2 : alignmentOf(opcode.name));
      break;
    case 'memlane':
      f.memoryLane(opcode.code, 4, 1);
      break;
    case 'lane':
      f.lane(opcode.code, 1);
      break;
    case 'lanes16':
      f.shuffle(Array.from({ length: 16 }, (_, i) => i));
      break;
    case 'zero':
      f.withZeros(opcode.code, 1);
      break;
    case 'zeros':
      f.withZeros(opcode.code, 2);
      break;
    case 'i32':
      f.i32(-123456);
      break;
    case 'i64':
      f.i64(-(2n ** 63n));
      break;
    case 'f32':
      f.f32(1.5);
      break;
    case 'f64':
      f.f64(-0);
      break;
    case 'v128':
      f.v128(new Uint8Array(16).fill(7));
      break;
    default:
      throw new Error(`no operands known for ${opcode.name}`);
  }
  return moduleOf(f);
}

const memory = new WebAssembly.Memory({ initial: 1, maximum: 65536, shared: true });

describe('opcode table', () => {
  test('names every member of the enumeration once', () => {
    const members = Object.keys(Wasm).filter((key) => Number.isNaN(Number(key)));
    expect([...opcodeTable().values()].map((o) => memberName(o.name)).sort()).toEqual(members.sort());
  });

  const typed = [...opcodeTable().values()].filter((o) => o.signature && o.name !== 'unreachable');
  test.each(typed.filter((o) => !o.name.includes('relaxed')).map((o) => [o.name, o] as const))(
    '%s has the code and types that the engine expects',
    (_, opcode) => {
      expect(WebAssembly.validate(moduleUsing(opcode))).toBe(true);
    },
  );

  test('text of every instruction is what wabt reads back', () => {
    const directory = mkdtempSync(join(tmpdir(), 'wasm-'));
    for (const opcode of typed.filter((_, i) => i % 16 === 0)) {
      const bytes = moduleUsing(opcode);
      const file = join(directory, 'a.wat');
      writeFileSync(file, disassemble(bytes));
      try {
        execFileSync('wat2wasm', ['--enable-all', file, '-o', join(directory, 'a.wasm')]);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
          console.warn('skipped: wat2wasm is not installed');
          return;
        }
        throw error;
      }
    }
  });
});

describe('FunctionBuilder', () => {
  test('labels name blocks whatever the nesting', () => {
    // Adds 1 to n in a loop with an exit inside an if.
    const f = new FunctionBuilder([ValType.I32], [ValType.I32]);
    const sum = f.local(ValType.I32);
    const out = f.block();
    const again = f.loop();
    f.get(0);
    f.op(Wasm.i32_eqz);
    f.if_();
    f.br(out);
    f.end();
    f.get(sum);
    f.get(0);
    f.op(Wasm.i32_add);
    f.set(sum);
    f.get(0);
    f.i32(1);
    f.op(Wasm.i32_sub);
    f.set(0);
    f.br(again);
    f.end();
    f.end();
    f.get(sum);
    const instance = new WebAssembly.Instance(new WebAssembly.Module(moduleOf(f)), {
      env: { memory },
    });
    expect((instance.exports.run as (n: number) => number)(100)).toBe(5050);
  });

  test('constants survive their encoding', () => {
    for (const value of [0, 1, -1, 63, 64, -64, -65, 127, 128, 2 ** 31 - 1, -(2 ** 31)]) {
      const f = new FunctionBuilder([], [ValType.I32]);
      f.i32(value);
      const instance = new WebAssembly.Instance(new WebAssembly.Module(moduleOf(f)), {
        env: { memory },
      });
      expect((instance.exports.run as () => number)()).toBe(value);
    }
  });
});

test('branch hints name the function, the place and the direction', () => {
  const f = new FunctionBuilder([ValType.I32], []);
  f.local(ValType.F32);
  f.get(0);
  f.if_(false);
  f.end();
  const bytes = moduleOf(f);
  const text = Buffer.from(bytes).toString('latin1');
  const at = text.indexOf('metadata.code.branch_hint') + 25;
  // One function, the first; one hint; after three bytes of locals and two of code; one byte: unlikely.
  expect([...bytes.subarray(at, at + 6)]).toEqual([1, 0, 1, 5, 1, 0]);
  expect(WebAssembly.validate(bytes)).toBe(true);
});

test('a gap takes code later, and hints after it keep their places', () => {
  const f = new FunctionBuilder([ValType.I32], [ValType.I32]);
  const early = f.gap();
  f.get(0);
  f.if_(false);
  f.end();
  const kept = f.local(ValType.I32);
  f.fill(early, () => {
    f.i32(40);
    f.set(kept);
  });
  f.get(kept);
  f.i32(2);
  f.op(Wasm.i32_add);
  const bytes = moduleOf(f);
  const text = Buffer.from(bytes).toString('latin1');
  const at = text.indexOf('metadata.code.branch_hint') + 25;
  // Three bytes of locals, four of the gap, two of code.
  expect([...bytes.subarray(at, at + 6)]).toEqual([1, 0, 1, 9, 1, 0]);
  const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory } });
  expect((instance.exports.run as (x: number) => number)(1)).toBe(42);
});

test('ByteBuffer grows', () => {
  const buffer = new ByteBuffer(1);
  for (let i = 0; i < 1000; i++) buffer.u32(i);
  buffer.name('é');
  expect([...buffer.take().slice(-3)]).toEqual([2, 0xc3, 0xa9]);
});
