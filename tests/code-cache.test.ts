// SPDX-License-Identifier: MIT
// V8's code for the package, stored by scripts/code-cache.cjs: taken where it fits, ignored where it does not.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const PROGRAM = `
  const vm = require('node:vm');
  let rejected = [];
  vm.Script = class extends vm.Script {
    constructor(text, options) {
      super(text, options);
      rejected.push(this.cachedDataRejected);
    }
  };
  const { openSync } = require(process.argv[1]);
  const cl = openSync({ device: 'software' });
  console.log(JSON.stringify({ rejected, version: typeof cl.device.name }));
  process.exit(0);
`;

function load(...flags: string[]): unknown {
  const index = join(__dirname, '..', 'dist', 'index.cjs');
  const output = execFileSync(process.execPath, [...flags, '-e', PROGRAM, index], { encoding: 'utf8' });
  return JSON.parse(output.trim().split('\n').at(-1)!);
}

test('stored code is taken by the version and the flags that it was made with', () => {
  expect(load()).toEqual({ rejected: [false], version: 'string' });
});

test('code made with other flags does no harm', () => {
  expect(load('--max-lazy')).toEqual({ rejected: [true], version: 'string' });
});
