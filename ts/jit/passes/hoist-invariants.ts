// SPDX-License-Identifier: MIT
//
// Loop-invariant code motion: invariants move before the loop, out of as many loops as possible. Loads move only from a loop's
// header, where they are certainly executed, and only if the loop does not write their memory.
import { dominatorsOf, naturalLoops, type OwnLoop } from '../ir/cfg';
import { type AddressSpace, type Block, type Func, type Inst, Op } from '../ir/ir';
import { preheader } from '../ir/preheader';
import { isPure } from '../ir/rewrite';
import { isUnwritten } from './memory-roots';

export function hoistInvariants(func: Func): boolean {
  const dominators = dominatorsOf(func);
  const loops = naturalLoops(dominators);
  if (loops.length === 0) return false;
  const innermost = new Map<Block, OwnLoop>();
  for (const loop of loops) for (const block of loop.blocks) innermost.set(block, loop);
  const preheaders = new Map<OwnLoop, Block>();
  const preheaderOf = (loop: OwnLoop): Block => {
    let block = preheaders.get(loop);
    if (!block) {
      block = preheader(func, loop);
      preheaders.set(loop, block);
    }
    return block;
  };
  const written = new Map<OwnLoop, Written>();
  const isWritten = (loop: OwnLoop, space: AddressSpace | undefined): boolean => {
    let by = written.get(loop);
    if (!by) {
      by = writtenIn(loop);
      written.set(loop, by);
    }
    if (by === 'anything' || by.size === 0) return by === 'anything';
    return space === undefined || space === 'generic' || by.has(space) || by.has('generic');
  };
  let changed = false;
  for (const block of dominators.order) {
    const loop = innermost.get(block);
    if (!loop) continue;
    let kept = 0;
    for (const inst of block.insts) {
      const target = outermost(
        inst,
        loop,
        block,
        (by, load) => isWritten(by, load.facts.space) && !isUnwritten(func, load),
      );
      if (target) {
        const to = preheaderOf(target);
        inst.block = to;
        to.insts.push(inst);
        changed = true;
      } else block.insts[kept++] = inst;
    }
    block.insts.length = kept;
  }
  return changed;
}

/** The outermost loop around an instruction in which all of its operands are invariant. */
function outermost(
  inst: Inst,
  innermost: OwnLoop,
  block: Block,
  mayWrite: (loop: OwnLoop, load: Inst) => boolean,
): OwnLoop | undefined {
  const isLoad = inst.op === Op.Load && !inst.facts.volatile;
  if (!isLoad && !isPure(inst.op)) return undefined;
  let result: OwnLoop | undefined;
  for (let loop: OwnLoop | undefined = innermost; loop; loop = loop.parent) {
    for (const operand of inst.operands) if (loop.blocks.has(operand.block)) return result;
    // A load moves before the loop only if the loop's header executes it in any case.
    if (isLoad && (block !== loop.header || mayWrite(loop, inst))) return result;
    result = loop;
    // In an outer loop it would not be in the header.
    if (isLoad) return result;
  }
  return result;
}

/** The address spaces that a loop stores to; 'anything' if that is unknown, or if work-items synchronize in the loop. */
type Written = ReadonlySet<AddressSpace> | 'anything';

function writtenIn(loop: OwnLoop): Written {
  const spaces = new Set<AddressSpace>();
  for (const block of loop.blocks)
    for (const { op, facts } of block.insts) {
      if (op === Op.Store) spaces.add(facts.space ?? 'generic');
      else if (op >= Op.AtomicLoad && op !== Op.Printf) return 'anything';
    }
  return spaces;
}
