// SPDX-License-Identifier: MIT
//
// Splits a range over the stub driver and the software device, once for each call of the driver, which fails: in the middle of
// the split, or when the team is closed. The stub computes nothing, so its slices keep their contents, and the others' count up.
// `code` is the error: of a lost device, unless another is given.
import { open, openTeam, part, split } from '../../dist/index.mjs';
import { direct, lost, must, software, vendor } from './stub-driver.mjs';

const code = Number(process.argv[2] ?? -5);
const SOURCE =
  'kernel void k(global int *x, global const int *n) { int i = get_global_id(0); for (int j = 0; j < *n; j++) x[i] = x[i] * 3 + j; x[i] = 1; }';
const N = 1 << 14;

const seen = new Set();
let hit = 0;
for (let call = 1; ; call++) {
  direct('reset');
  const session = await open({ device: lost });
  const team = await openTeam({ over: [session, software.devices[0]] });
  const kernel = await team.kernel(SOURCE, 'k');
  const x = new Int32Array(N);
  direct(`nth ${call} ${code}`);
  const { devices, failures } = await split(
    kernel,
    { global: N },
    part.readWrite(x),
    part.whole(Int32Array.of(500)),
  );
  team.close();
  session.close();
  const failed = vendor(/failed=(\w*)/);
  direct('reset');
  if (failed === '') break;
  seen.add(failed);
  hit++;
  const untouched = x.filter((value) => value === 0).length;
  const computed = x.filter((value) => value === 1).length;
  must(devices.length + failures.length >= 2, `${failed}: a device is missing`);
  const own = devices.find(({ device }) => device === lost)?.slices ?? 0;
  must(
    untouched === own && computed === N - own,
    `${failed}: ${untouched} untouched of ${own}, ${computed} computed`,
  );
  for (const { device, error } of failures)
    must(device === lost && error.message.includes(failed), `${failed}: ${error.message}`);
}

// A session that has used no queue creates none when it is closed.
const unused = await openTeam({ over: [lost] });
direct(`fail clCreateCommandQueueWithProperties ${code}`);
unused.close();
must(vendor(/bad=(\d+)/) === '0', 'a call named an object that did not live');
console.log(`${hit} calls: ${[...seen].sort().join(' ')}`);
