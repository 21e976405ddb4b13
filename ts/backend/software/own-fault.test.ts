// SPDX-License-Identifier: MIT
//
// Faults of anycl's own come out as what they are, with what reproduces them. They are injected: a compiler, a linker and a JIT that throw.
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { InvariantError } from '../../base/invariant';
import { ErrorCode } from '../../cl/constants.gen';
import { type InternalOpenCLError, OpenCLError } from '../../cl/opencl-error';
import { EXIT } from '../../cli/exit';
import { finish } from '../../cli/finish';
import { NodeHost } from '../../host/node/node-host';
import { SoftwareBackend } from '.';
import { defaultToolchain } from './default-toolchain';
import type { Toolchain } from './toolchain';

const SOURCE = 'kernel void k(global int *p) { *p = 1; }';
const folders: string[] = [];

class TestHost extends NodeHost {
  override env(name: string): string | undefined {
    if (name === 'ANYCL_DEBUG') return 'stacks,verify';
    return name === 'ANYCL_CACHE' ? '0' : super.env(name);
  }

  override writeReport(files: Readonly<Record<string, Uint8Array | string>>): string | undefined {
    const folder = super.writeReport(files);
    if (folder) folders.push(folder);
    return folder;
  }
}

const backends: SoftwareBackend[] = [];

afterAll(() => {
  for (const backend of backends) backend.shutdown();
  for (const folder of folders) rmSync(folder, { recursive: true });
});

function failing(change: (toolchain: Toolchain) => Partial<Toolchain>) {
  const backend = new SoftwareBackend(new TestHost(), (host) => {
    const real = defaultToolchain(host);
    return { ...real, ...change(real) };
  });
  backends.push(backend);
  const device = backend.platforms()[0]!.devices()[0]!;
  return { device, context: device.createContext([device], []) };
}

const typeError = (): never => {
  throw new TypeError("Cannot read properties of undefined (reading 'id')");
};

async function errorOf(step: () => unknown): Promise<InternalOpenCLError> {
  try {
    await step();
  } catch (error) {
    return error as InternalOpenCLError;
  }
  throw new Error('nothing was thrown');
}

/** Checks the error, and gives the report's files. */
function reportOf(error: InternalOpenCLError, code: ErrorCode): Map<string, string> {
  expect(error).toBeInstanceOf(OpenCLError);
  expect(error.code).toBe(code);
  expect(error.message).toContain('a fault of anycl itself, not of the program');
  expect(error.message).toContain('please report it');
  const folder = folders[folders.length - 1]!;
  expect(error.message).toContain(folder);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  return new Map(
    readdirSync(folder).map((name) => {
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
      return [name, readFileSync(join(folder, name), 'latin1')];
    }),
  );
}

test('in the compiler', async () => {
  const { context, device } = failing(() => ({ compile: typeError }));
  const program = context.createProgramWithSource([SOURCE]);
  const error = await errorOf(() => program.build([device], '-DN=3'));
  const report = reportOf(error, ErrorCode.BUILD_PROGRAM_FAILURE);
  expect(report.get('program.cl')).toBe(SOURCE);
  expect(JSON.parse(report.get('report.json')!)).toMatchObject({
    options: '-DN=3',
    error: expect.stringContaining("reading 'id'"),
  });
});

test.each([
  ['an exception', typeError],
  [
    'a broken invariant',
    () => {
      throw new InvariantError('kernel IR after promote: two owners');
    },
  ],
])('in the JIT: %s', async (_, compileKernel) => {
  const { context, device } = failing((real) => ({
    load: (module) => ({ ...real.load(module), compileKernel }),
  }));
  const program = context.createProgramWithSource([SOURCE]);
  await program.build([device], '');
  const kernel = program.createKernel('k');
  kernel.setArg(0, context.createBuffer(0, 4));
  const error = await errorOf(() => {
    context.createQueue(device, []).enqueueKernel(kernel, { global: [1] }, undefined, true);
  });
  const report = reportOf(error, ErrorCode.INVALID_PROGRAM_EXECUTABLE);
  expect(Buffer.from(report.get('program.spv')!, 'latin1').readUInt32LE(0)).toBe(0x07230203);
  expect(JSON.parse(report.get('report.json')!)).toMatchObject({ kernel: 'k' });
});

test('the command line ends with the status of our own bugs', async () => {
  const write = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  const { context, device } = failing(() => ({ compile: typeError }));
  const program = context.createProgramWithSource([SOURCE]);
  await finish(async () => {
    await program.build([device], '');
  });
  const said = write.mock.calls.join('');
  write.mockRestore();
  const status = process.exitCode;
  process.exitCode = 0;
  expect(status).toBe(EXIT.bug);
  expect(said).toContain('please report it');
});

test('what a program asks for and we do not have is no fault of ours', async () => {
  const { context, device } = failing(() => ({
    load: () => {
      throw new Error('a feature is not supported');
    },
  }));
  const program = context.createProgramWithSource([SOURCE]);
  const error = await errorOf(() => program.build([device], ''));
  expect(error.isInternal).toBeUndefined();
  expect(error.code).toBe(ErrorCode.BUILD_PROGRAM_FAILURE);
});

test('ANYCL_DEBUG=verify has the JIT verify each pass', async () => {
  const asked: unknown[] = [];
  const { context, device } = failing((real) => ({
    load: (module) => {
      const program = real.load(module);
      return {
        ...program,
        compileKernel: (name, options, trace) => {
          asked.push(trace?.check);
          return program.compileKernel(name, options, trace);
        },
      };
    },
  }));
  const program = context.createProgramWithSource([SOURCE]);
  await program.build([device], '');
  const kernel = program.createKernel('k');
  kernel.setArg(0, context.createBuffer(0, 4));
  const queue = context.createQueue(device, []);
  queue.enqueueKernel(kernel, { global: [1] }, undefined, true);
  await queue.finish();
  expect(asked).toEqual([true]);
});
