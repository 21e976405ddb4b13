// SPDX-License-Identifier: MIT
import { Builder } from '../builder';
import { Op } from '../grammar.gen';
import { spellOutConstructs } from './spell-out-constructs';

/** The opcodes of a function that makes a float4 of `parts`, which are its parameters of these widths. */
function spelled(widths: readonly number[], splat = false): string[] {
  const b = new Builder({ addressBits: 32 });
  const float = b.float(32);
  const type = b.vector(float, 4);
  const parts = b.beginFunction(
    b.id(),
    type,
    widths.map((width) => (width === 1 ? float : b.vector(float, width))),
  );
  b.label();
  const value = b.emit(Op.CompositeConstruct, type, splat ? new Array(4).fill(parts[0]) : [...parts]);
  b.terminate(Op.ReturnValue, [value]);
  const definition = b.endFunction();
  spellOutConstructs(b, definition);
  const { instructions } = definition.blocks[0]!;
  expect(instructions.at(-2)!.result).toBe(value);
  return instructions.map(({ op }) => Op[op]!);
}

test('a construct becomes insertions, of vectors component by component', () => {
  const insert = 'CompositeInsert';
  expect(spelled([1, 1, 1, 1])).toEqual([insert, insert, insert, insert, 'ReturnValue']);
  expect(spelled([1, 3]).filter((op) => op === 'CompositeExtract')).toHaveLength(3);
  expect(spelled([1, 3]).filter((op) => op === insert)).toHaveLength(4);
});

test('a splat becomes an insertion and a shuffle', () => {
  expect(spelled([1], true)).toEqual(['CompositeInsert', 'VectorShuffle', 'ReturnValue']);
});
