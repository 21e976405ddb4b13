// SPDX-License-Identifier: MIT
// node csv-totals.mjs FILE.csv [CHUNK-BYTES]: mean, least and greatest value of each group, as JSON.
import { createReadStream } from 'node:fs';
import { open } from 'anycl';
import { csvTotals } from './totals.mjs';

const [file, chunk] = process.argv.slice(2);
if (file === undefined) {
  console.error('node csv-totals.mjs FILE.csv [CHUNK-BYTES]');
  process.exit(2);
}
const cl = await open();
try {
  const source = createReadStream(file, { highWaterMark: 1 << 20 });
  const result = await csvTotals(cl, source, chunk === undefined ? {} : { chunk: Number(chunk) });
  console.log(JSON.stringify(result, undefined, 1));
  if (result.wrongLines > 0) process.exitCode = 1;
} catch (error) {
  console.error(`${file}: ${error.message}`);
  process.exitCode = 1;
}
cl.close();
