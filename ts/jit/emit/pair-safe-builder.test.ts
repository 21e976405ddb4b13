// SPDX-License-Identifier: MIT
import { setFlagsFromString } from 'node:v8';
import { FunctionBuilder, ValType } from '../../wasm/function-builder';
import { ModuleBuilder } from '../../wasm/module-builder';
import { opcodeTable } from '../../wasm/opcode-table';
import { Wasm } from '../../wasm/opcodes';
import { PairSafeBuilder } from './pair-safe-builder';

/** Emits code that computes `VECTORS` vectors from 16 vectors of input, and returns their locals. */
type Case = (f: FunctionBuilder) => readonly number[];

const [FROM, TO, CONDITION] = [0, 1, 2];
const INPUT = 1024;

function load(f: FunctionBuilder, vector: number): number {
  const local = f.local(ValType.V128);
  f.get(FROM);
  f.memory(Wasm.v128_load, vector * 16);
  f.set(local);
  return local;
}

function binary(f: FunctionBuilder, code: Wasm, left: number, right: number): number {
  const local = f.local(ValType.V128);
  f.get(left);
  f.get(right);
  f.op(code);
  f.set(local);
  return local;
}

/** Two vectors that V8 pairs. */
const OPERANDS: Record<string, (f: FunctionBuilder, first: number) => number[]> = {
  loaded: (f, first) => [load(f, first), load(f, first + 1)],
  computed: (f, first) =>
    [0, 1].map((half) => binary(f, Wasm.i32x4_sub, load(f, first + half), load(f, first + 2 + half))),
  merged: (f, first) => {
    const pair = [load(f, first), load(f, first + 1)];
    f.get(CONDITION);
    f.if_();
    for (const [half, local] of pair.entries()) {
      f.get(load(f, first + 2 + half));
      f.set(local);
    }
    f.end();
    return pair;
  },
};

const CASES = new Map<string, Case>();
for (const { code, signature, name } of opcodeTable().values()) {
  if (!/(extend|extmul)_low_/.test(name)) continue;
  const high = [...opcodeTable().values()].find((other) => other.name === name.replace('_low_', '_high_'))!;
  for (const [kind, make] of Object.entries(OPERANDS))
    CASES.set(`${name} of ${kind} vectors`, (f) => {
      const left = make(f, 0);
      const right = make(f, 4);
      const results: number[] = [];
      for (const half of [0, 1])
        for (const each of [code, high.code]) {
          const local = f.local(ValType.V128);
          f.get(left[half]!);
          if (signature!.operands.length === 2) f.get(right[half]!);
          f.op(each);
          f.set(local);
          results.push(local);
        }
      // V8 pairs the operands themselves, too.
      for (const half of [0, 1]) results.push(binary(f, Wasm.i32x4_add, left[half]!, right[half]!));
      return results;
    });
}
for (const bytes of [4, 8])
  for (let lane = 0; lane < 32 / bytes; lane++)
    CASES.set(`a splat of lane ${lane} of ${bytes} bytes, loaded before a store`, (f) => {
      const [left, right] = [load(f, 0), load(f, 1)];
      for (let i = 0; i < 8; i++) {
        f.get(FROM);
        f.i32(0x1234567 * (i + 1));
        f.memory(Wasm.i32_store, i * 4);
      }
      const splat = f.local(ValType.V128);
      f.get(left);
      f.get(right);
      f.shuffle(Array.from({ length: 16 }, (_, i) => lane * bytes + (i % bytes)));
      f.set(splat);
      return [2, 3].map((vector) => binary(f, Wasm.i32x4_add, splat, load(f, vector)));
    });

/** A module whose `run` stores the results in pairs, the upper vector first. */
function moduleOf(emit: Case, Builder: typeof FunctionBuilder): Uint8Array {
  const module = new ModuleBuilder();
  const parameters = [ValType.I32, ValType.I32, ValType.I32];
  const main = module.declare(parameters, []);
  const f = new Builder(parameters);
  const results = emit(f);
  results.forEach((_, i) => {
    f.get(TO);
    f.get(results[i ^ 1]!);
    f.memory(Wasm.v128_store, (i ^ 1) * 16);
  });
  module.define(main, f);
  module.export('run', main);
  return module.encode();
}

/** The results for a condition that is false, and one that is true. */
function run(wasm: Uint8Array): string {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 65536, shared: true });
  const bytes = new Uint8Array(memory.buffer);
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(wasm), {
    env: { memory },
  });
  return [0, 1]
    .map((condition) => {
      for (let i = 0; i < INPUT; i++) bytes[i] = (i * 7919) >> 3;
      (exports.run as (from: number, to: number, condition: number) => void)(0, INPUT, condition);
      return Buffer.from(bytes.slice(INPUT, INPUT + 128)).toString('hex');
    })
    .join(' ');
}

/** V8 shares the code of equal modules. With another section, they are not equal. */
const asAnother = (wasm: Uint8Array): Uint8Array => Uint8Array.from([...wasm, 0, 3, 1, 0x77, 0]);

const PAIRS = process.arch === 'x64' && Number(process.versions.node.split('.')[0]) === 26;
const FLAGS = ['no-liftoff', 'no-wasm-lazy-compilation', 'no-wasm-inlining'];
const PAIRING = ['experimental-wasm-revectorize', 'no-turbo-move-optimization'];
const set = (flags: readonly string[]) => setFlagsFromString(flags.map((flag) => `--${flag}`).join(' '));
const opposite = (flag: string) => (flag.startsWith('no-') ? flag.slice(3) : `no-${flag}`);

describe('the form that V8 pairs right', () => {
  test.each([...CASES.keys()])('computes the same: %s', (name) => {
    const emit = CASES.get(name)!;
    expect(run(moduleOf(emit, PairSafeBuilder))).toBe(run(moduleOf(emit, FunctionBuilder)));
  });

  (PAIRS ? test : test.skip)('computes the same in pairs (Node.js 26 on x86-64)', () => {
    const plain = [...CASES.values()].map((emit) => run(moduleOf(emit, PairSafeBuilder)));
    set([...FLAGS, ...PAIRING]);
    try {
      const paired = [...CASES.values()].map((emit) => run(asAnother(moduleOf(emit, PairSafeBuilder))));
      expect(paired).toEqual(plain);
    } finally {
      set([...FLAGS, ...PAIRING].map(opposite));
    }
  });

  test('uses nothing more where nothing is paired wrong', () => {
    const emit: Case = (f) => [binary(f, Wasm.i32x4_add, load(f, 0), load(f, 1))];
    const both = [PairSafeBuilder, FunctionBuilder].map((Builder) => moduleOf(emit, Builder));
    expect(both[0]).toEqual(both[1]);
  });
});
