// SPDX-License-Identifier: MIT
//
// `v = p[i]; v.xyz = …; p[i] = v` stores three components, as the fourth one's store has no effect. If the block has read the fourth one, it
// is stored after all: one store of the vector takes less than those of its parts. Had another work-item, kernel or the host written it
// meanwhile, that would be a data race with the read, as nothing between them synchronizes. What the source does not read, such as in `p[i].xyz = …`,
// is not written.
import type { KernelSignature } from '../../../../base/kernel-abi';
import type { Divergence } from '../../../analyses/divergence';
import type { Uses } from '../../../analyses/uses';
import { accessedBytes, accessedType, offsetOf } from '../../../ir/accesses';
import { makeInst } from '../../../ir/build';
import { type Block, type Func, type Inst, Op } from '../../../ir/ir';
import { isPure } from '../../../ir/rewrite';
import { MemoryRoots } from '../../../passes/memory-roots';

const COMPONENTS = 4;
const COMPONENT_BYTES = 4;
const VECTOR_BYTES = 16;

/** Adds the stores that complete vectors of four words. Returns whether there are any. `uses` is called if the pass needs it. */
export function completeVectors(
  func: Func,
  signature: KernelSignature,
  divergence: Divergence,
  uses: () => Uses,
): boolean {
  let roots: MemoryRoots | undefined;
  let changed = false;
  for (const block of func.blocks)
    for (const stores of vectorsInPart(block, divergence)) {
      roots ??= new MemoryRoots(func, signature);
      const missing = missingComponent(stores);
      const read = missing === undefined ? undefined : readBefore(uses, block, stores, missing, roots);
      if (!read) continue;
      const last = stores.at(-1)!;
      const facts = { ...last.facts, offset: missing!, align: COMPONENT_BYTES };
      const store = makeInst(
        func,
        block,
        Op.Store,
        last.type,
        [last.operands[0]!, read],
        facts,
        last.position,
      );
      block.insts = block.insts.toSpliced(block.insts.indexOf(last) + 1, 0, store);
      changed = true;
    }
  return changed;
}

/** Three stores each, in the code's order, to different words of one vector. */
function vectorsInPart(block: Block, divergence: Divergence): Inst[][] {
  const vectors = new Map<string, Inst[]>();
  for (const inst of block.insts) {
    if (inst.op !== Op.Store || accessedBytes(inst) !== COMPONENT_BYTES) continue;
    const [address] = inst.operands;
    const { space, volatile } = inst.facts;
    if (space === 'private' || volatile || divergence.strideAt(address!, block) === 0) continue;
    const key = `${address!.id} ${Math.floor(offsetOf(inst) / VECTOR_BYTES)}`;
    vectors.set(key, [...(vectors.get(key) ?? []), inst]);
  }
  return [...vectors.values()].filter((stores) => stores.length === COMPONENTS - 1);
}

/** The offset of the fourth word, if the stores are to the other three. */
function missingComponent(stores: readonly Inst[]): number | undefined {
  const start = Math.floor(offsetOf(stores[0]!) / VECTOR_BYTES) * VECTOR_BYTES;
  const offsets = new Set(stores.map(offsetOf));
  const isAlike = stores.every((store) => accessedType(store) === accessedType(stores[0]!));
  const places = Array.from({ length: COMPONENTS }, (_, k) => start + k * COMPONENT_BYTES);
  const missing = places.filter((place) => !offsets.has(place));
  return isAlike && missing.length === 1 ? missing[0] : undefined;
}

/** What the block has read of a word before the stores, if that is what the word has after them. */
function readBefore(
  uses: () => Uses,
  block: Block,
  stores: readonly Inst[],
  offset: number,
  roots: MemoryRoots,
): Inst | undefined {
  const [address] = stores[0]!.operands;
  const end = block.insts.indexOf(stores.at(-1)!);
  const read = block.insts.findLastIndex(
    (inst, i) =>
      i < end &&
      inst.op === Op.Load &&
      inst.operands[0] === address &&
      offsetOf(inst) === offset &&
      inst.type === accessedType(stores[0]!) &&
      !inst.facts.volatile &&
      !inst.facts.speculative,
  );
  if (read < 0) return undefined;
  const load = block.insts[read]!;
  const between = block.insts.slice(read + 1, end + 1);
  const mayChange = ({ op }: Inst) => !isPure(op) && op !== Op.Load && op !== Op.Store;
  // The source needs what it reads.
  if (between.some(mayChange) || uses().count[load.id] === 0) return undefined;
  const own = roots.access(load);
  const writes = between.filter(({ op }) => op === Op.Store);
  return writes.some((store) => roots.mayAlias(roots.access(store), own)) ? undefined : load;
}
