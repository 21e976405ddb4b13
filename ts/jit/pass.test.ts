// SPDX-License-Identifier: MIT
import { optimizedWithSignature } from '../../tests/helpers/optimized-kernel';
import { Analyses } from './analyses/analyses';
import { Op } from './ir/ir';
import { type Pass, runPasses } from './pass';
import { removeDeadCode } from './passes/dead-code';

/** Takes an operand away, and goes on as passes do. */
const faulty: Pass = {
  name: 'faulty',
  run: (func) => {
    const sum = func.blocks.flatMap((block) => block.insts).find(({ op }) => op === Op.Add)!;
    sum.operands = [sum.operands[0]!, undefined!];
    return removeDeadCode(func);
  },
};
const dead: Pass = { name: 'dead-code', run: removeDeadCode };

const SOURCE = 'kernel void k(global int *p) { p[get_global_id(0)] += 3; }';

test('the verifier names the pass that lost an operand, before another one fails on it', () => {
  const { func, signature } = optimizedWithSignature(SOURCE);
  const run = () => runPasses([faulty], new Analyses(func), { signature, fuse: false }, { check: true });
  expect(run).toThrow(/kernel IR after faulty: Add \(value \d+\) lacks operand 1/);
});

test('it looks at what precedes the first pass', () => {
  const { func, signature } = optimizedWithSignature(SOURCE);
  expect(() => faulty.run(func, { signature, fuse: false }, new Analyses(func))).toThrow(TypeError);
  const run = () => runPasses([dead], new Analyses(func), { signature, fuse: false }, { check: true });
  expect(run).toThrow(/kernel IR after what came before the passes: Add \(value \d+\) lacks operand 1/);
});
