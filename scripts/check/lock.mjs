// SPDX-License-Identifier: MIT
// Fails if package-lock.json lacks an optional package, as `npm install` leaves out those of other platforms where node_modules
// exists already, and `npm ci` then fails there. To fix it: remove node_modules and package-lock.json, then run npm install.
import { readFileSync } from 'node:fs';

const { packages } = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'));
const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
  Object.keys(optionalDependencies)
    .filter((name) => !packages[`node_modules/${name}`] && !packages[`${path}/node_modules/${name}`])
    .map((name) => `${path} needs ${name}`),
);
for (const line of missing) console.error(`package-lock.json: ${line}`);
process.exit(missing.length > 0 ? 1 : 0);
