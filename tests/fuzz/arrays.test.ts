// SPDX-License-Identifier: MIT
//
// Random programs of arrays give what plain JavaScript gives, on every device and in each style of kernels. `FUZZ=FIRST:COUNT` chooses
// the seeds, COUNT for each style; scripts/fuzz/arrays.mjs runs many.
import { openSync } from '../../ts';
import { arrays } from '../../ts/array';
import { apiDevices, shutdownAll } from '../conformance/devices';
import { PROFILES } from './arrays/profiles';
import { runProgram } from './arrays/program';

afterAll(shutdownAll);

const [first = 1, count = 4] = (process.env.FUZZ ?? '').split(':').filter(Boolean).map(Number);

test.each(apiDevices)(
  '%s',
  async (_, device) => {
    const cl = openSync({ device });
    const found: string[] = [];
    // Drivers take seconds to build the kernels of a program.
    const rounds = device.type === 'software' ? count : Math.ceil(count / 4);
    for (const [k, profile] of PROFILES.entries()) {
      const nd = arrays(cl, { profile });
      for (let seed = first + k; seed < first + PROFILES.length * rounds; seed += PROFILES.length) {
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
