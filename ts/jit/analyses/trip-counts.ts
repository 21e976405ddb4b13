// SPDX-License-Identifier: MIT
//
// Constant trip counts of loops. A loop's condition is evaluated iteration by iteration, whatever its form, so i *= 2 works as well
// as i++.
import { constantOf } from '../ir/build';
import type { Dominators, Loop } from '../ir/cfg';
import { fold } from '../ir/fold';
import { type Block, Op, type Value } from '../ir/ir';
import { isPure } from '../ir/rewrite';

/**
 * The constant number of the header's executions up to the exit by the loop's condition, if it is constant; infinite if it
 * exceeds `most`.
 */
export function executions(loop: Loop, dominators: Dominators, most: number): number | undefined {
  const { header } = loop;
  if (loop.latches.length !== 1) return undefined;
  const latch = loop.latches[0]!;
  const entries = dominators.preds.get(header)!.filter((b) => !loop.blocks.has(b));
  if (entries.length !== 1) return undefined;
  const initial = edge(entries[0]!, header);
  const next = edge(latch, header);
  if (!initial || !next) return undefined;
  for (const exiting of header === latch ? [header] : [header, latch]) {
    if (exiting.terminator.op !== Op.Branch) continue;
    const stays = exiting.targets.map((target) => loop.blocks.has(target.block));
    if (stays[0] === stays[1]) continue;
    const count = simulate(loop, exiting.terminator.operands[0]!, stays[0]!, initial, next, most);
    if (count !== undefined) return count;
  }
  return undefined;
}

/** What a block passes to another one, if it leads there by one edge. */
export function edge(from: Block, to: Block): readonly Value[] | undefined {
  const targets = from.targets.filter((t) => t.block === to);
  return targets.length === 1 ? targets[0]!.arguments : undefined;
}

function simulate(
  loop: Loop,
  condition: Value,
  staysIfTrue: boolean,
  initial: readonly Value[],
  next: readonly Value[],
  most: number,
): number | undefined {
  const { header } = loop;
  let params = initial.map(constantOf);
  const deciding = decidingParams(condition, header, next);
  /** The values of instructions in this iteration. */
  const memo = new Map<Value, number | bigint | undefined>();
  const evaluate = (value: Value, depth: number): number | bigint | undefined => {
    if (value.kind === 'param')
      return value.block === header ? params[header.params.indexOf(value)] : undefined;
    if (value.op === Op.Const) return value.facts.bits;
    if (depth >= 32 || !isPure(value.op) || value.operands.length === 0) return undefined;
    if (memo.has(value)) return memo.get(value);
    const operands = value.operands.map((operand) => evaluate(operand, depth + 1));
    const result = operands.includes(undefined)
      ? undefined
      : fold(value.op, value.type, operands as (number | bigint)[], value.operands[0]!.type);
    memo.set(value, result);
    return result;
  };
  for (let iteration = 1; iteration <= most; iteration++) {
    memo.clear();
    const decision = evaluate(condition, 0);
    if (decision === undefined) return undefined;
    if ((decision !== 0) !== staysIfTrue) return iteration;
    params = next.map((value, at) => (deciding.has(at) ? evaluate(value, 0) : undefined));
  }
  return Number.POSITIVE_INFINITY;
}

/** The header's parameters that a condition depends on, by position, in this iteration or through earlier ones. */
function decidingParams(condition: Value, header: Block, next: readonly Value[]): Set<number> {
  const found = new Set<number>();
  const seen = new Set<Value>();
  const work = [condition];
  for (let value = work.pop(); value; value = work.pop()) {
    if (seen.has(value)) continue;
    seen.add(value);
    if (value.kind === 'inst') {
      if (isPure(value.op)) work.push(...value.operands);
    } else if (value.block === header) {
      const at = header.params.indexOf(value);
      found.add(at);
      work.push(next[at]!);
    }
  }
  return found;
}
