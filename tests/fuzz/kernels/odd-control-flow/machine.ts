// SPDX-License-Identifier: MIT
//
// What random control flow does, as instructions with jumps, and a machine that runs the work-items of a group from one barrier
// to the next.

/** A work-item's variables: unsigned ones of 32 bits, and what is left of jumps. */
export interface Item {
  readonly x: number;
  readonly lid: number;
  s: number;
  t: number;
  /** The same in the whole group, as `shared` is. */
  u: number;
  fuel: number;
  shared: number;
  readonly counters: number[];
  readonly array: number[];
  readonly out: bigint[];
}

/** A place in the code, once it is known. */
export interface Label {
  at: number;
}

export type Instruction =
  | { readonly kind: 'do'; readonly run: (item: Item, local: number[]) => void }
  | { readonly kind: 'barrier' }
  | { readonly kind: 'jump'; to: Label }
  | { readonly kind: 'unless'; readonly holds: (item: Item) => boolean; readonly to: Label }
  | {
      readonly kind: 'switch';
      readonly value: (item: Item) => number;
      readonly cases: ReadonlyMap<number, Label>;
      readonly otherwise: Label;
    };

/** More than any work-item needs. */
const MOST_STEPS = 100_000;

/** Runs a group's work-items; all come to the same barriers, or the program is not one of OpenCL C. */
export function runGroup(code: readonly Instruction[], items: readonly Item[]): void {
  const local = items.map(() => 0);
  let places: (number | undefined)[] = items.map(() => 0);
  while (places.some((at) => at !== undefined)) {
    places = items.map((item, i) => runToBarrier(code, item, local, places[i]!));
    if (places.some((at) => at !== places[0])) throw new Error('work-items wait at different barriers');
  }
}

/** Where a work-item goes on after the barrier that it comes to; undefined at the end. */
function runToBarrier(
  code: readonly Instruction[],
  item: Item,
  local: number[],
  from: number,
): number | undefined {
  let at = from;
  for (let steps = 0; at < code.length; steps++) {
    if (steps > MOST_STEPS) throw new Error('a work-item does not end');
    const instruction = code[at++]!;
    switch (instruction.kind) {
      case 'do':
        instruction.run(item, local);
        break;
      case 'barrier':
        return at;
      case 'jump':
        at = instruction.to.at;
        break;
      case 'unless':
        if (!instruction.holds(item)) at = instruction.to.at;
        break;
      case 'switch':
        at = (instruction.cases.get(instruction.value(item)) ?? instruction.otherwise).at;
    }
  }
  return undefined;
}
