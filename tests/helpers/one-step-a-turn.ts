// SPDX-License-Identifier: MIT
import { NodeHost } from '../../ts/host/node/node-host';

/** A host on which each step has a turn of the event loop of its own: each reading of its clock is a turn's limit later. */
export class OneStepATurn extends NodeHost {
  turns = 0;
  private time = 0n;

  override now(): bigint {
    this.time += 10_000_000n;
    return this.time;
  }

  override nextTurn(): Promise<void> {
    this.turns++;
    return super.nextTurn();
  }
}
