// SPDX-License-Identifier: MIT
//
// What a newcomer sees of a mistake: the stack begins with his own call, and no line of the bundle is shown. What he sees
// of an object: its class and facts.
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { platforms } from '../../ts';
import { node, type Outcome, root, temporaryFolder } from '../helpers/command';
import { testNeeding } from '../helpers/needs';

const folder = temporaryFolder();

/** Runs a script that uses the built package as `anycl`. */
function script(name: string, body: string, device = 'software'): Outcome {
  const path = join(folder, `${name}.cjs`);
  writeFileSync(
    path,
    `const anycl = require(${JSON.stringify(join(root, 'dist/index.cjs'))});\n(async () => {\nconst cl = await anycl.open({ device: '${device}' });\n${body}\n})();\n`,
  );
  return node(path, [], { bare: true });
}

const MISTAKES: readonly (readonly [name: string, call: string])[] = [
  ['a guarded method', 'cl.buffer(-1);'],
  ['an unknown option', 'cl.queue.enqueueNDRange(cl, { globl: 4 });'],
  ['a method that checks itself', '(await cl.build("kernel void f(int i) {}")).createKernel("f").setArgs();'],
  ['an own argument check', '(await cl.build("kernel void f(int i) {}")).createKernel("f").setArg(0, "x");'],
  ['openSync', 'anycl.openSync({ device: "nothing like it" });'],
  ['a rejected build', 'await cl.build("kernel void f( {");'],
  ['an option of open', 'await anycl.open({ devices: 1 });'],
  [
    'a command that fails',
    'const u = cl.context.createUserEvent(); const e = cl.buffer(4).read({ waitFor: [u] }); u.fail(); await e;',
  ],
  ['a kernel that is not there', '(await cl.build("kernel void f(int i) {}")).kernels.g;'],
  ['a constructor', 'new anycl.Buffer();'],
];

function expectOwnStack(name: string, call: string, device?: string): void {
  const file = name.replaceAll(' ', '-');
  const { status, stderr } = script(file, call, device);
  expect(status).toBe(1);
  expect(stderr).toContain(`${file}.cjs:4`);
  expect(stderr.match(/^ {4}at .*/m)?.[0]).toContain(`${file}.cjs:4`);
  // No frame, and no line of code, of the bundle.
  expect(stderr).not.toMatch(/anycl\.[cm]js|function\(exports|\bvoid 0\b/);
}

test.each(MISTAKES)('%s: the stack begins in the script', (name, call) => expectOwnStack(name, call));

const driver = platforms().find(({ kind, devices }) => kind === 'native' && devices.length > 0)?.devices[0];
testNeeding('a driver', driver !== undefined).each([
  ['a build that a driver rejects', 'await cl.build("kernel void f( {");'],
  [
    'a link that a driver rejects',
    'const p = await cl.context.createProgram("void g(); kernel void f() { g(); }").compile(); await cl.context.link([p]);',
  ],
])('%s: the stack begins in the script', (name, call) => expectOwnStack(name, call, driver!.name));

test('an error of the loader, as of an install with files of two versions, shows a short line', () => {
  const mixed = join(folder, 'mixed');
  cpSync(join(root, 'dist'), join(mixed, 'dist'), { recursive: true });
  writeFileSync(join(mixed, 'dist/base.mjs'), 'export default ({});');
  const { status, stderr } = node(join(mixed, 'dist/index.cjs'), [], { bare: true });
  expect(status).toBe(1);
  expect(stderr).toMatch(/index\.cjs:\d+\n/);
  for (const line of stderr.split('\n')) expect(line.length).toBeLessThan(300);
});

test('with ANYCL_DEBUG=stacks all frames are kept', () => {
  const { stderr } = script('all-frames', 'process.env.ANYCL_DEBUG = "stacks"; cl.buffer(-1);');
  expect(stderr).toContain('dist');
});

test('objects are shown with their class, facts, and whether they were released', () => {
  const { stdout } = script(
    'objects',
    `const b = cl.buffer(Float32Array, 1024);
     const k = (await cl.build('kernel void f(global float *x, int n) {}')).createKernel('f');
     console.log(cl); console.log(cl.device); console.log(cl.queue); console.log(b); console.log(k); console.log({ deep: { deep: { b } } });
     console.log(String(b) + ', ' + cl.device + ', ' + k);
     console.log(JSON.stringify({ b, device: cl.device, k }));
     b.release(); console.log(b); console.log(String(b));`,
  );
  expect(stdout).toMatch(/Session \{[^}]*device: 'anycl software device'[^}]*chosen: /);
  expect(stdout).toMatch(/Device \{[^}]*type: 'software'[^}]*memory: '[\d.]+ \w+'/);
  expect(stdout).toMatch(/CommandQueue \{[^}]*profiling: true/);
  expect(stdout).toContain("Buffer { type: 'Float32Array', length: 1024, size: '4 KiB' }");
  expect(stdout).toContain("Kernel { name: 'f', arguments: 'float* x, int n' }");
  expect(stdout).toContain('{ deep: { deep: { b: Buffer } } }');
  expect(stdout).toContain('Buffer (released) {');
  expect(stdout).toContain(
    'Buffer { type: Float32Array, length: 1024, size: 4 KiB }, anycl: anycl software device',
  );
  expect(stdout).toContain('{"b":{"class":"Buffer","type":"Float32Array","length":1024,"size":"4 KiB"},');
  expect(stdout).toContain('"k":{"class":"Kernel","name":"f","arguments":"float* x, int n"}');
  expect(stdout).toContain('Kernel { name: f, arguments: float* x, int n }');
  expect(stdout).toMatch(/^Buffer \(released\) \{ type: Float32Array/m);
});
