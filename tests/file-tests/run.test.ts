// SPDX-License-Identifier: MIT
//
// tests/run/*.cl: kernels with their arguments and results, on every device there is. Every buffer lies between guard
// words, which no kernel may change. run-directives.ts has the notation.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Device } from '../../ts/api/objects/device';
import type { Session } from '../../ts/api/open';
import { node, root } from '../helpers/command';
import { type Run, type RunArgument, readRunDirectives } from './run-directives';

const { local, open, platforms } = require(join(root, 'dist/index.cjs')) as typeof import('../../ts/index');

const folder = join(root, 'tests/run');
const files = readdirSync(folder)
  .filter((name) => name.endsWith('.cl'))
  .map((name) => {
    const text = readFileSync(join(folder, name), 'utf8');
    return { name, text, ...readRunDirectives(text) };
  });

const GUARD = 0xa5;
/** A multiple of every device's alignment of a sub-buffer's origin. */
const GUARD_BYTES = 4096;

const bytesOf = (view: ArrayBufferView) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);

function claims(device: Device): readonly string[] {
  try {
    return [...device.extensions, ...device.info('OPENCL_C_FEATURES').map(({ name }) => name)];
  } catch {
    return device.extensions; // Before OpenCL 3.0 there are no features.
  }
}

const devices = platforms().flatMap((platform) =>
  platform.devices.map((device) => ({
    platform: platform.name,
    selector: device.type === 'software' ? device.name : platform.name,
    isSoftware: device.type === 'software',
    claims: claims(device),
  })),
);

/** An argument in the device's memory, and how to read it after the run. */
function place(cl: Session, argument: RunArgument) {
  if (argument.kind === 'local') return { value: local(argument.bytes) };
  if (argument.kind === 'value') return { value: argument.values };
  const { before, after } = argument;
  const guarded = new Uint8Array(before.byteLength + 2 * GUARD_BYTES).fill(GUARD);
  guarded.set(bytesOf(before), GUARD_BYTES);
  const whole = cl.buffer(guarded);
  const check = async () => {
    const bytes = await whole.read();
    const end = GUARD_BYTES + before.byteLength;
    const found = bytes.slice(GUARD_BYTES, end);
    const Type = before.constructor as new (buffer: ArrayBufferLike) => typeof before;
    expect(Array.from(new Type(found.buffer), String)).toEqual(Array.from(after, String));
    const touched = bytes.findIndex((byte, i) => (i < GUARD_BYTES || i >= end) && byte !== GUARD);
    expect({ writtenOutsideAt: touched - GUARD_BYTES }).toEqual({ writtenOutsideAt: -1 - GUARD_BYTES });
  };
  return { value: whole.sub(GUARD_BYTES, before.byteLength), check };
}

async function runOn(cl: Session, kernels: Awaited<ReturnType<Session['build']>>['kernels'], run: Run) {
  const placed = run.args.map((argument) => place(cl, argument));
  const { global, local: localSize } = run;
  await kernels[run.kernel]!.run({ global, local: localSize }, ...placed.map(({ value }) => value));
  for (const { check } of placed) await check?.();
}

/** A kernel prints to the process's standard output, so it runs in a separate process. */
function printed(file: string, options: string, device: string, run: Run): string[] {
  const sizes = ['--global', run.global.join(','), ...(run.local ? ['--local', run.local.join(',')] : [])];
  const flags = ['--kernel', run.kernel, ...sizes, '--device', device, '--build-options', options];
  const { status, stdout, stderr } = node('dist/cli.cjs', ['run', join(folder, file), ...flags]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout.trimEnd().split('\n');
}

describe.each(devices)('on $platform, $selector', ({ platform, selector, isSoftware, claims }) => {
  let cl: Session;
  beforeAll(async () => {
    cl = await open({ device: selector });
  });
  afterAll(() => cl.close());

  describe.each(files)('$name', ({ name, text, options, requires, runs }) => {
    const missing = requires.filter((feature) => !claims.includes(feature));
    // The software device supports everything that is tested; tests that a driver does not support are reported as
    // skipped.
    const there = missing.length === 0 || isSoftware ? test : test.skip;
    let program: ReturnType<Session['build']> | undefined;

    for (const run of runs) {
      const { kernel, prints, exceptions } = run;
      const known = exceptions.find((exception) => platform.startsWith(exception.platform));
      (known ? test.skip : there)(known ? `${kernel}: ${known.why}` : kernel, async () => {
        expect(missing).toEqual([]);
        if (prints.length > 0) return expect(printed(name, options, selector, run)).toEqual(prints);
        program ??= cl.build(text, options);
        await runOn(cl, (await program).kernels, run);
      });
    }
  });
});
