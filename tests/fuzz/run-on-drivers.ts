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
    private readonly theirs: Session,
  ) {}

  /** `driver`: the name of a platform. */
  static async open(api: Api, driver: string): Promise<Drivers> {
    return new Drivers(api, await api.open({ device: 'software' }), await api.open({ device: driver }));
  }

  /**
   * The place where the driver's results differ from the software device's; undefined if they agree. `onDriver`:
   * called when the driver begins.
   */
  async firstDifference(kernel: RandomKernel, onDriver: () => void): Promise<string | undefined> {
    const expected = await runThroughApi(this.api, this.ours, kernel, OPTIONS);
    onDriver();
    return differenceOf(expected, await runThroughApi(this.api, this.theirs, kernel, OPTIONS));
  }
}
