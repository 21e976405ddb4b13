// SPDX-License-Identifier: MIT
// Reports at the end of a run how many tests were skipped for lack of which tool or driver (tests/helpers/needs.ts).
const { relative } = require('node:path');

module.exports = class SkippedReporter {
  onRunComplete(_contexts, { testResults }) {
    const wants = new Map();
    for (const { testFilePath, testResults: tests } of testResults)
      for (const { fullName, status } of tests) {
        const need = status === 'pending' && /\[needs ([^\]]+)\]/.exec(fullName)?.[1];
        if (!need) continue;
        if (!wants.has(need)) wants.set(need, { count: 0, files: new Set() });
        wants.get(need).count++;
        wants.get(need).files.add(relative(process.cwd(), testFilePath));
      }
    for (const [need, { count, files }] of wants)
      console.error(`skipped for want of ${need}: ${count} (${[...files].sort().join(', ')})`);
  }
};
