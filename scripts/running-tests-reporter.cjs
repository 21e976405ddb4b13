// SPDX-License-Identifier: MIT
// Notes in the file that ANYCL_RUNNING_TESTS names which test files run, so that `.ci/run` can say where a process ended that crashed.
const { writeFileSync } = require('node:fs');
const { relative } = require('node:path');

module.exports = class RunningTestsReporter {
  running = new Set();

  onTestFileStart({ path }) {
    this.running.add(relative(process.cwd(), path));
    this.note();
  }

  onTestFileResult({ path }) {
    this.running.delete(relative(process.cwd(), path));
    this.note();
  }

  note() {
    const file = process.env.ANYCL_RUNNING_TESTS;
    if (file) writeFileSync(file, [...this.running].join('\n'));
  }
};
