// SPDX-License-Identifier: MIT
//
// Runs kernels through the public API, on the software device and on a driver, and compares what they leave in memory.
import type { RandomKernel } from './kernels/model';
import { type Api, differenceOf, runThroughApi, type Session } from './run-through-api';

/** Exact results need divisions and roots that are correctly rounded. */
const OPTIONS = '-w -cl-std=CL3.0 -cl-fp32-correctly-rounded-divide-sqrt';

export class Drivers {
  private constructor(
    private readonly api: Api,
    private readonly ours: Session,
    private readonly theirs: readonly Session[],
  ) {}

  /** `names`: of platforms. */
  static async open(api: Api, names: readonly string[]): Promise<Drivers> {
    const open = (device: string) => api.open({ device });
    return new Drivers(api, await open('software'), await Promise.all(names.map(open)));
  }

  /**
   * The places where the drivers' results differ from the software device's; undefined if those of one driver agree:
   * drivers have faults of their own, but seldom the same. `onDriver`: called when the drivers begin.
   */
  async firstDifference(kernel: RandomKernel, onDriver: () => void): Promise<string | undefined> {
    const expected = await runThroughApi(this.api, this.ours, kernel, OPTIONS);
    onDriver();
    const differences: string[] = [];
    for (const driver of this.theirs) {
      const difference = await runThroughApi(this.api, driver, kernel, OPTIONS).then(
        (actual) => differenceOf(expected, actual),
        (error: Error) => `the driver throws: ${error.message}`,
      );
      if (difference === undefined) return undefined;
      differences.push(difference);
    }
    return differences.join('; ');
  }
}
