// SPDX-License-Identifier: MIT
import { flowOf } from '../analyses/postdominators';
import { addBlock, Builder } from './build';
import { dominatorsOf } from './cfg';
import { type Block, Func, Op, Target, Type } from './ir';

/** entry -> head; head -> body or end; body -> head. */
function loop(): { func: Func; head: Block; body: Block; end: Block } {
  const func = new Func('f');
  const builder = new Builder(func);
  const [head, body, end] = [addBlock(func), addBlock(func), addBlock(func)];
  const n = builder.leaves.leaf(Op.Argument, Type.I1, { index: 0 });
  builder.jump(head);
  builder.block = head;
  builder.branch(n, body, end);
  builder.block = body;
  builder.jump(head);
  builder.block = end;
  builder.return();
  return { func, head, body, end };
}

test('dominators, loops and postdominators are found once for a form of the control flow', () => {
  const { func, head, body } = loop();
  const dominators = dominatorsOf(func);
  expect(dominators.loops.map(({ blocks }) => [...blocks])).toEqual([[head, body]]);
  // Instructions and the order of the list of blocks do not matter.
  new Builder(func).i32(7);
  func.blocks = [func.entry, ...func.blocks.slice(1).reverse()];
  expect(dominatorsOf(func)).toBe(dominators);
  expect(dominatorsOf(func).loops).toBe(dominators.loops);
  expect(flowOf(dominatorsOf(func))).toBe(flowOf(dominators));
});

test('they are found again when an edge leads elsewhere, is gone or is new', () => {
  const { func, head, body, end } = loop();
  const before = dominatorsOf(func);
  body.targets[0]!.block = end;
  const redirected = dominatorsOf(func);
  expect(redirected).not.toBe(before);
  expect(redirected.loops).toEqual([]);
  expect(redirected.preds.get(end)).toEqual([head, body]);

  body.targets.pop();
  expect(dominatorsOf(func).preds.get(end)).toEqual([head]);

  body.targets.push(new Target(end), new Target(head));
  expect(dominatorsOf(func).loops).toHaveLength(1);

  // A block between the head and the end.
  const between = addBlock(func);
  between.targets = [new Target(end)];
  head.targets[1]!.block = between;
  expect(dominatorsOf(func).idomOf(between)).toBe(head);
});

test('two functions have dominators of their own', () => {
  expect(dominatorsOf(loop().func)).not.toBe(dominatorsOf(loop().func));
});
