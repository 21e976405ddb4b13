// SPDX-License-Identifier: MIT
import { foreignSpirv, hasForeignCompiler } from '../../tests/helpers/foreign-spirv';
import { runInterpreted } from '../../tests/helpers/interpreted-kernel';
import { describeNeeding } from '../../tests/helpers/needs';
import { Program } from '../jit/frontend/program';
import { decode } from './decode';
import { encode } from './encode';
import { Op } from './grammar.gen';
import { LinkError, link } from './link';

const foreign = describeNeeding('clang-15 and llvm-spirv-15', hasForeignCompiler());
const compile = (source: string, level: 0 | 2 = 0) => decode(foreignSpirv(source, { level }));

const KERNEL = `
  struct P { int x; float y; };
  extern int twice(struct P *p, long by);
  extern __constant int table[3];
  __kernel void k(__global int *out) {
    size_t i = get_global_id(0);
    struct P p = { i, 2.5f };
    out[i] = twice(&p, i) + table[i];
  }`;
const LIBRARY = `
  struct P { int x; float y; };
  __constant int table[3] = { 100, 200, 300 };
  int twice(struct P *p, long by) {
    switch (by) { case 0: return 7; case 1: return get_global_id(0) + 20; }
    return p->x * 2 + (int)p->y;
  }`;

foreign('linking', () => {
  test.each([0, 2] as const)('imports find their exports at -O%d, whatever the order', (level) => {
    const parts = [compile(KERNEL, level), compile(LIBRARY, level)];
    for (const order of [parts, [...parts].reverse()]) {
      const linked = decode(encode(link(order)));
      const types = linked.globals.filter((i) => i.op === Op.TypeInt && i.operands[0] === 32);
      expect(types).toHaveLength(1);
      const program = new Program(linked, { moduleOf: () => undefined });
      const { func, signature } = program.translate('k');
      const { buffers } = runInterpreted(func, signature, program.binary, {
        global: [3],
        args: [{ buffer: new Int32Array(3) }],
      });
      expect([...new Int32Array(buffers[0]!.buffer)]).toEqual([107, 221, 306]);
    }
  });

  test('what does not fit is refused by name', () => {
    expect(() => link([compile(KERNEL)])).toThrow(new LinkError("'table' is used but defined in no module"));
    expect(() => link([compile(LIBRARY), compile(LIBRARY)])).toThrow(
      "'table' is defined in more than one module",
    );
    const other = compile('__constant int table[3] = {1, 2, 3}; int twice(float *p, long by) { return by; }');
    expect(() => link([compile(KERNEL), other])).toThrow("'twice' is declared with another type");
    expect(link([compile(KERNEL)], { library: true }).functions.length).toBeGreaterThan(0);
  });
});
