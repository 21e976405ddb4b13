// SPDX-License-Identifier: MIT
// Fails if the package exports something without documentation. Reads dist/*.d.mts: `npm run build` comes first.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readModel } from './model.mjs';
import { undocumented } from './undocumented.mjs';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const faults = undocumented(readModel(root));
for (const line of faults) console.error(`undocumented: ${line}`);
process.exit(faults.length > 0 ? 1 : 0);
