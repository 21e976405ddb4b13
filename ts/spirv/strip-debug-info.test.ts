// SPDX-License-Identifier: MIT
import { compile } from '../compiler/compile';
import { decode } from './decode';
import { encode } from './encode';
import { DEBUG_INFO, withoutDebugInfo } from './strip-debug-info';
import { disassemble } from './text/disassemble';
import { validate } from './validate';

const TEXT =
  'int twice(int x) { return 2 * x; } kernel void k(global int *p) { int i = get_global_id(0); p[i] = twice(i); }';
const compiled = (options: string) => encode(compile({ name: 'a.cl', text: TEXT, options }).module!);

test('debug information goes, and all else stays', () => {
  const stripped = decode(withoutDebugInfo(compiled('-g')));
  expect(disassemble(decode(compiled('-g')))).toMatch(DEBUG_INFO);
  expect(validate(stripped)).toBeUndefined();
  const text = disassemble(stripped);
  expect(text).not.toMatch(/OpenCL\.DebugInfo|ExtInst .*Debug/);
  expect(text.match(/OpLine|OpFunctionCall|OpStore/g)?.length).toBeGreaterThan(2);
});

test('modules without it, and what is not a module, stay as they are', () => {
  for (const il of [compiled(''), new Uint8Array(3), new Uint8Array(64), compiled('-g').subarray(0, 30)])
    expect(withoutDebugInfo(il)).toBe(il);
});

test('names of what goes go too', () => {
  const bytes = compiled('-g');
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
  let [names, debug] = [0, 0];
  const name: number[] = [];
  for (let at = 5; at < words.length; at += words[at]! >>> 16) {
    const op = words[at]! & 0xffff;
    if (op === 5 && names === 0) names = at;
    if (op === 12 && debug === 0) debug = words[at + 2]!;
  }
  name.push((3 << 16) | 5, debug, 0x61);
  const named = Uint32Array.from([...words.subarray(0, names), ...name, ...words.subarray(names)]);
  const stripped = withoutDebugInfo(new Uint8Array(named.buffer));
  expect(stripped).toEqual(withoutDebugInfo(bytes));
});
