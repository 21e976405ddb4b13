// SPDX-License-Identifier: MIT
//
// Random programs of arrays give what plain JavaScript gives, on every device and in each style of kernels. `FUZZ=FIRST:COUNT` chooses
// the seeds; scripts/fuzz/arrays.mjs runs many.
import { openSync } from '../../ts';
import { arrays } from '../../ts/array';
import { apiDevices, shutdownAll } from '../conformance/devices';
import { PROFILES } from './arrays/profiles';
import { runProgram } from './arrays/program';

afterAll(shutdownAll);

const [first = 1, count = 6] = (process.env.FUZZ ?? '').split(':').filter(Boolean).map(Number);

test.each(apiDevices)(
  '%s',
  async (_, device) => {
    const cl = openSync({ device });
    const found: string[] = [];
    for (const [k, profile] of PROFILES.entries()) {
      const nd = arrays(cl, { profile });
      for (let seed = first + k; seed < first + PROFILES.length * count; seed += PROFILES.length) {
        const difference = await runProgram(seed, nd);
        if (difference !== undefined) found.push(`seed ${seed}: ${difference}`);
      }
      nd.release();
    }
    cl.close();
    expect(found).toEqual([]);
  },
  300_000,
);
