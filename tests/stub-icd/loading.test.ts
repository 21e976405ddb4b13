// SPDX-License-Identifier: MIT
//
// What the machine may have in place of a loader with good drivers: none of them, one that is old, one that crashes; and
// layers between. Each in a process of its own, as a user's program meets it.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { node, root, temporaryFolder } from '../helpers/command';
import { testNeeding } from '../helpers/needs';
import { compileLibrary } from './stub';

const addon = existsSync(join(process.env['ANYCL_PREBUILD'] ?? root, 'build', 'Release', 'anycl.node'));
const info = (env: Record<string, string>) =>
  JSON.parse(node('dist/cli.cjs', ['info', '--json'], { env }).stdout) as { platforms: { NAME: string }[] };
const names = (env: Record<string, string>) => info(env).platforms.map(({ NAME }) => NAME);
const pocl = addon && names({}).includes('Portable Computing Language');
/** Debian's loader finds drivers by these folders; without PoCL there may be no loader at all. */
const withLoader = testNeeding('PoCL', Boolean(pocl));
const withAddon = testNeeding('the addon', Boolean(addon));

/** A folder that tells the loader of these drivers and no others. */
function vendors(...libraries: readonly string[]): string {
  const folder = join(temporaryFolder(), 'vendors');
  mkdirSync(folder);
  for (const [i, library] of libraries.entries()) writeFileSync(join(folder, `${i}.icd`), `${library}\n`);
  return folder;
}

const doctor = (env: Record<string, string>) => node('dist/cli.cjs', ['doctor'], { env });

describe('a machine', () => {
  withLoader('with a loader and no driver has no platforms, which is not an error', () => {
    const env = { OCL_ICD_VENDORS: vendors() };
    expect(names(env)).toEqual(['anycl']);
    const { status, stdout } = doctor(env);
    expect(stdout).toContain('an OpenCL loader is installed, but no driver');
    expect(status).toBe(0);
  });

  withAddon('without a loader has no platforms either', () => {
    const env = { ANYCL_OPENCL_LIBRARY: '/nonexistent/libOpenCL.so' };
    expect(names(env)).toEqual(['anycl']);
    expect(doctor(env).stdout).toContain(
      'ANYCL_OPENCL_LIBRARY is /nonexistent/libOpenCL.so, which cannot be opened',
    );
  });

  withLoader(
    'with a driver that crashes while it is loaded gets a report and keeps the software device',
    () => {
      const crashing = compileLibrary('libcrash.so', 'layer.cc', ['-DCRASHES']);
      if (!crashing) return;
      const env = { OCL_ICD_VENDORS: vendors(crashing) };
      // The driver does end a process that loads it.
      expect(node('dist/cli.cjs', ['info', '--json'], { env }).status).not.toBe(0);
      const { status, stdout } = doctor(env);
      expect(stdout).toContain('a driver crashed while it was loaded or used (SIGABRT)');
      expect(stdout).toMatch(/anycl.*: ok, /);
      expect(stdout).toContain(`${crashing}: alone, it crashed while it was loaded or used (SIGABRT)`);
      expect(stdout).toContain('ANYCL_DEVICE=software');
      expect(stdout).not.toContain('export OCL_ICD_VENDORS');
      expect(status).toBe(0);
      const program = ["require('./dist/index.cjs').open().then((cl) => console.log(cl.device.type))"];
      const ran = node('-e', program, { env: { ...env, ANYCL_DEVICE: 'software' }, bare: true });
      expect(ran.stdout).toBe('software\n');
    },
  );

  withLoader('with a crashing driver beside a good one hears which it is, and how to use the other', () => {
    const crashing = compileLibrary('libcrash.so', 'layer.cc', ['-DCRASHES']);
    if (!crashing) return;
    const good = readFileSync('/etc/OpenCL/vendors/pocl.icd', 'utf8').trim();
    const folder = vendors(crashing, good);
    const { status, stdout } = doctor({ OCL_ICD_VENDORS: folder });
    expect(stdout).toContain(`${crashing}: alone, it crashed`);
    expect(stdout).toContain(`${good}: works alone`);
    expect(stdout).toMatch(/Portable Computing Language: .*: ok, /);
    expect(stdout).toContain(`ln -s ${join(folder, '1.icd')} ~/.opencl-vendors`);
    expect(status).toBe(0);
  });

  withAddon('with a loader of OpenCL 1.1 hears which function of a newer version is missing', () => {
    const old = compileLibrary('libold.so', 'stub.cc', [`-Wl,--version-script=${versionScript(11)}`]);
    if (!old) return;
    const script = `
      const { platforms } = require('./dist/index.cjs');
      const context = platforms()[0].devices[0].createContext();
      context.createBuffer(64).release();
      const failure = (call) => { try { call(); } catch (e) { return [e.name, e.functionName, e.message]; } };
      console.log(JSON.stringify([failure(() => context.createSvm(64)), failure(() => context.createPipe(4, 4))]));`;
    const ran = node('-e', [script], { env: { ANYCL_OPENCL_LIBRARY: old }, bare: true });
    expect(ran.stderr).toBe('');
    const [svm, pipe] = JSON.parse(ran.stdout) as [string, string, string][];
    expect(svm!.slice(0, 2)).toEqual(['OpenCLError', 'clSVMAlloc']);
    expect(svm![2]).toContain(`it needs OpenCL 2.0, and the loader ${old} is older than that`);
    expect(pipe!.slice(0, 2)).toEqual(['OpenCLError', 'clCreatePipe']);
  });

  withLoader('with a layer has it see our calls', () => {
    const layer = compileLibrary('liblayer.so', 'layer.cc', []);
    if (!layer) return;
    const script = `
      const { platforms } = require('./dist/index.cjs');
      const pocl = platforms().find(({ name }) => name === 'Portable Computing Language');
      const context = pocl.devices[0].createContext();
      for (let i = 0; i < 3; i++) context.createBuffer(64).release();`;
    const { stderr } = node('-e', [script], { env: { OPENCL_LAYERS: layer }, bare: true });
    expect(stderr).toContain('the layer saw 3 buffers');
  });
});

/** Limits a library to the functions of OpenCL up to a version, times ten. */
function versionScript(newest: number): string {
  const table = readFileSync(join(root, 'native', 'src', 'cl', 'entry-points.gen.inc'), 'utf8');
  const functions = [...table.matchAll(/^ANYCL_CORE\((\w+), (\d+),/gm)]
    .filter(([, , version]) => Number(version) <= newest)
    .map(([, name]) => name);
  const file = join(temporaryFolder(), 'old.map');
  writeFileSync(file, `{ global: ${functions.join('; ')}; local: *; };\n`);
  return file;
}
