// SPDX-License-Identifier: MIT
//
// Runs kernels on the software device plainly, with robust access and with checks, and where there is one on the software device with
// 64-bit addresses. Correct kernels have the same results in all modes, and no reports.
import type { RandomKernel } from './kernels/model';
import { type Api, differenceOf, runThroughApi, type Session } from './run-through-api';

const OPTIONS = '-w -cl-std=CL3.0';

const MODES = { robust: { robust: true }, checked: { check: 'all' } } as const;
type Mode = keyof typeof MODES | '64-bit addresses' | `64-bit addresses, ${keyof typeof MODES}`;

const WIDE = 'anycl (64-bit)';

const SUB_GROUP_SIZE = /__attribute__\(\(intel_reqd_sub_group_size\((\d+)\)\)\)/;

export class Modes {
  private constructor(
    private readonly api: Api,
    private readonly plain: Session,
    private readonly others: ReadonlyMap<Mode, Session>,
  ) {}

  /** `timeout`: of each launch, in milliseconds. */
  static async open(api: Api, timeout: number): Promise<Modes> {
    const device = 'software';
    const others = new Map<Mode, Session>();
    const hasWide = api.platforms().some(({ name }) => name === WIDE);
    const wide = { device: '64-bit', timeout };
    if (hasWide) others.set('64-bit addresses', await api.open(wide));
    for (const mode of Object.keys(MODES) as (keyof typeof MODES)[]) {
      others.set(mode, await api.open({ device, timeout, ...MODES[mode] }));
      if (hasWide) others.set(`64-bit addresses, ${mode}`, await api.open({ ...wide, ...MODES[mode] }));
    }
    return new Modes(api, await api.open({ device, timeout }), others);
  }

  close(): void {
    for (const session of [this.plain, ...this.others.values()]) session.close();
  }

  /** The first mode whose results are not those of plain code, and how; undefined if there is none. */
  async firstDifference(random: RandomKernel): Promise<string | undefined> {
    const kernel = launchable(random);
    // Plainly, separate arguments have code of their own.
    for (const memory of ['separate', 'overlapping'] as const) {
      const run = (session: Session) => runThroughApi(this.api, session, kernel, OPTIONS, memory);
      const expected = await run(this.plain);
      for (const [mode, session] of this.others) {
        const actual = await run(session);
        const difference = differenceOf(expected, actual) ?? actual.faults[0];
        if (difference !== undefined) return `${mode}, ${memory} arguments: ${difference}`;
      }
    }
    return undefined;
  }
}

/** The kernel without a required size of sub-groups that its work-groups do not consist of. */
function launchable(kernel: RandomKernel): RandomKernel {
  const source = kernel.source.replace(SUB_GROUP_SIZE, (attribute, size) =>
    kernel.local[0] % Number(size) === 0 ? attribute : '',
  );
  return { ...kernel, source };
}
