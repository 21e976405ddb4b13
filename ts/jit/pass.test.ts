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

describe('a pass that needs an operation', () => {
  const log: string[] = [];
  const passOf = (name: string, needs: readonly Op[], changes: boolean): Pass => ({
    name,
    needs,
    run: () => {
      log.push(name);
      return changes;
    },
  });
  const { func, signature } = optimizedWithSignature(SOURCE);
  const run = (pass: Pass, check: boolean) => {
    log.length = 0;
    runPasses([pass], new Analyses(func), { signature, fuse: false }, { check });
    return log;
  };

  test('runs where the function has it, or another one that it needs', () => {
    expect(run(passOf('sums', [Op.FAdd, Op.Add], false), false)).toEqual(['sums']);
    expect(run(passOf('returns', [Op.Return], false), false)).toEqual(['returns']);
  });

  test('is skipped elsewhere, and tests run it to see that it changes nothing', () => {
    expect(run(passOf('float sums', [Op.FAdd], true), false)).toEqual([]);
    expect(run(passOf('float sums', [Op.FAdd], false), true)).toEqual(['float sums']);
    const wrong = passOf('all sums', [Op.FAdd], true);
    expect(() => run(wrong, true)).toThrow(/pass 'all sums' does not name what it needs/);
  });
});
