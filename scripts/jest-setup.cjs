// SPDX-License-Identifier: MIT
// Worker threads and the command line run from dist/, so the tests build it first.
const { execFileSync } = require('node:child_process');
const { join } = require('node:path');

module.exports = () => {
  execFileSync(process.execPath, [join(__dirname, 'build.mjs'), '--fast'], { stdio: 'inherit' });
};
