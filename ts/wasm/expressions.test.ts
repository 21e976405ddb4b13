// SPDX-License-Identifier: MIT

import { ByteBuffer } from './byte-buffer';
import {
  type Expr,
  emit,
  f32,
  f32x4,
  f64,
  f64x2,
  i8x16,
  i16x8,
  i32,
  i32x4,
  i64,
  i64x2,
  select,
  set,
  tee,
  v128,
} from './expressions';
import { FunctionBuilder, ValType } from './function-builder';
import { opcodeTable } from './opcode-table';
import { Wasm } from './opcodes';

/** The bytes of a function without locals whose body is written by `write`. */
function bodyOf(write: (f: FunctionBuilder) => void): number[] {
  const f = new FunctionBuilder([ValType.I32, ValType.I32]);
  write(f);
  const bytes = new ByteBuffer(64);
  f.finish(bytes);
  // The bytes after the size and the count of local types, without the end.
  return [...bytes.view().subarray(2, -1)];
}

const NAMESPACES = { i32, i64, f32, f64, i8x16, i16x8, i32x4, i64x2, f32x4, f64x2, v128 };
const byName = new Map([...opcodeTable().values()].map((opcode) => [opcode.name, opcode]));

test.each(Object.entries(NAMESPACES))(
  'the operations of %s are the instructions of their names',
  (namespace, made) => {
    const operations = Object.entries(made) as [string, (...args: unknown[]) => Expr][];
    expect(operations.length).toBeGreaterThan(2);
    for (const [name, make] of operations) {
      if (name === 'const' || name === 'extract_lane' || name === 'shuffle') continue;
      const opcode = byName.get(`${namespace}.${name}`);
      expect([name, opcode]).not.toEqual([name, undefined]);
      const operands = opcode!.signature!.operands.length;
      const expected = bodyOf((f) => {
        for (let i = 0; i < operands; i++) f.get(i);
        f.op(opcode!.code);
      });
      expect([name, bodyOf((f) => emit(f, make(...Array.from({ length: operands }, (_, i) => i))))]).toEqual([
        name,
        expected,
      ]);
    }
  },
);

test('operands come before their operation, from left to right', () => {
  const nested = bodyOf((f) => set(f, 1, i32.sub(i32.mul(0, i32.const(3)), tee(0, i32.eqz(1)))));
  expect(nested).toEqual(
    bodyOf((f) => {
      f.get(0);
      f.i32(3);
      f.op(Wasm.i32_mul);
      f.get(1);
      f.op(Wasm.i32_eqz);
      f.tee(0);
      f.op(Wasm.i32_sub);
      f.set(1);
    }),
  );
});

test('selects, shuffles and lanes take their operands in the order of WebAssembly', () => {
  const bytes = Array.from({ length: 16 }, (_, i) => 31 - i);
  expect(bodyOf((f) => emit(f, select(0, i64.const(5), i32.const(1))))).toEqual(
    bodyOf((f) => {
      f.get(0);
      f.i64(5n);
      f.i32(1);
      f.op(Wasm.select);
    }),
  );
  expect(bodyOf((f) => emit(f, i32x4.extract_lane(v128.shuffle(0, f32x4.splat(1), bytes), 2)))).toEqual(
    bodyOf((f) => {
      f.get(0);
      f.get(1);
      f.op(Wasm.f32x4_splat);
      f.shuffle(bytes);
      f.lane(Wasm.i32x4_extract_lane, 2);
    }),
  );
});

test('an expression can be emitted more than once', () => {
  const one = f64.add(f64.const(1), 0);
  const once = bodyOf((f) => emit(f, one));
  expect(
    bodyOf((f) => {
      emit(f, one);
      emit(f, one);
    }),
  ).toEqual([...once, ...once]);
});
