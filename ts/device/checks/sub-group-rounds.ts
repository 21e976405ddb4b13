// SPDX-License-Identifier: MIT
//
// Divergent barriers and collective operations of sub-groups: all work-items of one must reach the same ones in the same order, and
// those of the group with the others. A sub-group's work-items run together, those that take a branch before the others. So each
// one is compared with what the first one has reached, wherever the others are.
import type { Arrival } from './barriers';

/** A barrier or operation that some of a sub-group's work-items have reached, but not all. */
interface Point extends Arrival {
  absent: number;
}

interface Round {
  readonly points: Point[];
  /** How many points all of them have reached. */
  done: number;
}

/** So many points a work-item may be ahead of another one of its sub-group, which has then left their loop. */
const MOST_AHEAD = 1000;

export class SubGroupRounds {
  private readonly rounds = new Map<number, Round>();
  /** By work-item: how many points it has reached. */
  private reached = new Int32Array(0);

  beginGroup(): void {
    if (this.rounds.size === 0) return;
    this.rounds.clear();
    this.reached.fill(0);
  }

  /**
   * Returns what another work-item of the sub-group has reached instead: undefined if there is none, `'nothing'` if it has reached
   * nothing for long.
   */
  arrive({ site, item, isEnd }: Arrival, subGroup: number, size: number): Arrival | 'nothing' | undefined {
    const round = this.roundOf(subGroup);
    const { points } = round;
    const at = this.pass(item) - round.done;
    const point = points[at];
    if (!point) {
      if (size > 1) points.push({ site, item, isEnd, absent: size - 1 });
      else round.done++;
      return points.length > MOST_AHEAD ? 'nothing' : undefined;
    }
    // A kernel may end in several places.
    if (point.site !== site && !(isEnd && point.isEnd)) return point;
    point.absent--;
    if (point.absent > 0) return undefined;
    // Each work-item reaches them in order, so it is the first.
    points.shift();
    round.done++;
    return undefined;
  }

  private roundOf(subGroup: number): Round {
    let round = this.rounds.get(subGroup);
    if (!round) {
      round = { points: [], done: 0 };
      this.rounds.set(subGroup, round);
    }
    return round;
  }

  /** How many points the work-item has reached before this one. */
  private pass(item: number): number {
    if (item >= this.reached.length) {
      const longer = new Int32Array(2 ** (32 - Math.clz32(item)));
      longer.set(this.reached);
      this.reached = longer;
    }
    return this.reached[item]!++;
  }
}
