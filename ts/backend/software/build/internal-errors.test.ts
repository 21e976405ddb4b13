// SPDX-License-Identifier: MIT
//
// Faults of anycl's own come out as what they are, with what reproduces them. They are injected: a compiler, a linker and a JIT that throw.

import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { settingsWith } from '../../../../tests/helpers/settings';
import { InvariantError } from '../../../base/invariant';
import { BuildStatus, ErrorCode, ProgramBuildInfo } from '../../../cl/constants.gen';
import { type InternalOpenCLError, OpenCLError } from '../../../cl/opencl-error';
import { EXIT } from '../../../cli/exit';
import { finish } from '../../../cli/finish';
import { compile } from '../../../compiler/compile';
import { NodeHost } from '../../../host/node/node-host';
import { JitError } from '../../../jit';
import { encode } from '../../../spirv/encode';
import type { BackendContext, BackendDevice } from '../../backend';
import type { BackendEvent } from '../../backend-objects';
import { SoftwareBackend } from '..';
import type { SoftwareBuffer } from '../memory/buffer';
import { defaultToolchain } from './default-toolchain';
import type { Toolchain } from './toolchain';

const SOURCE = 'kernel void k(global int *p) { *p = 1; }';
const folders: string[] = [];

class TestHost extends NodeHost {
  constructor() {
    super(settingsWith({ ANYCL_DEBUG: 'stacks,verify', ANYCL_CACHE: '0' }));
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

/** Builds and launches the kernel; its event, once it has ended. */
async function launched(context: BackendContext, device: BackendDevice): Promise<BackendEvent> {
  const program = context.createProgramWithSource([SOURCE]);
  await program.build([device], '');
  const kernel = program.createKernel('k');
  kernel.setArg(0, context.createBuffer(0, 4));
  const queue = context.createQueue(device, []);
  const event = queue.enqueueKernel(kernel, { global: [1] }, undefined, true)!;
  await queue.finish();
  return event;
}

/** JavaScript's own errors, and failed invariants. */
const FOREIGN: readonly unknown[] = [
  new TypeError('x is not a function'),
  new RangeError('Invalid array length'),
  new ReferenceError('x is not defined'),
  new SyntaxError('Unexpected token'),
  new Error('no code for Add'),
  new InvariantError('two owners'),
  'a string',
];

const throwing = (thrown: unknown) => (): never => {
  throw thrown;
};

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

/** Checks the error, and returns the report's files. */
function reportOf(error: OpenCLError, code: ErrorCode): Map<string, string> {
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
])('in the JIT: %s', async (_, kernelSteps) => {
  const { context, device } = failing((real) => ({
    load: (module) => ({ ...real.load(module), kernelSteps }),
  }));
  const event = await launched(context, device);
  expect(event.isInternalError).toBe(true);
  const error = new OpenCLError(event.status() as ErrorCode, 'clEnqueueNDRangeKernel', event.failure);
  const report = reportOf(error, ErrorCode.INVALID_PROGRAM_EXECUTABLE);
  expect(Buffer.from(report.get('program.spv')!, 'latin1').readUInt32LE(0)).toBe(0x07230203);
  expect(JSON.parse(report.get('report.json')!)).toMatchObject({ kernel: 'k' });
});

function spirvOf(source: string): Uint8Array {
  const { module } = compile({ name: 'k.cl', text: source, options: '' });
  return encode(module!);
}

test.each<[string, keyof Toolchain, string, ErrorCode]>([
  ['IL is decoded', 'decode', 'il', ErrorCode.INVALID_VALUE],
  ['IL is validated', 'validate', 'il', ErrorCode.INVALID_VALUE],
  ['a binary is decoded', 'decode', 'binary', ErrorCode.INVALID_BINARY],
  ['a binary is validated', 'validate', 'binary', ErrorCode.INVALID_BINARY],
])('where %s', async (_, step, kind, code) => {
  const spirv = spirvOf(SOURCE);
  for (const thrown of FOREIGN) {
    const { context, device } = failing(() => ({ [step]: throwing(thrown) }));
    const error = await errorOf(() =>
      kind === 'il' ? context.createProgramWithIL(spirv) : context.createProgramWithBinary([device], [spirv]),
    );
    const report = reportOf(error, code);
    expect(Buffer.from(report.get('program.spv')!, 'latin1')).toEqual(Buffer.from(spirv));
  }
});

test('where a constant is specialized, which keeps the value that it had', async () => {
  let isBroken = true;
  const { context, device } = failing((real) => ({
    specialize: (...args) => (isBroken ? typeError() : real.specialize(...args)),
  }));
  const program = context.createProgramWithIL(spirvOf(SOURCE));
  const error = await errorOf(() => program.setSpecializationConstant(7, Uint8Array.of(1, 0, 0, 0)));
  const report = reportOf(error, ErrorCode.INVALID_SPEC_ID);
  expect(JSON.parse(report.get('report.json')!)).toMatchObject({ constants: { 7: [1, 0, 0, 0] } });
  isBroken = false;
  await program.build([device], '');
});

test.each<[keyof Toolchain]>([['decode'], ['link'], ['encode'], ['load']])(
  'where programs are linked, in %s',
  async (step) => {
    let isBroken = false;
    const { context, device } = failing((real) => ({
      [step]: (...args: never[]) =>
        isBroken ? typeError() : (real[step] as (...all: never[]) => unknown)(...args),
    }));
    const inputs = ['kernel void a() {}', 'kernel void b() {}'].map((text) =>
      context.createProgramWithSource([text]),
    );
    for (const input of inputs) await input.compile([device], '', new Map());
    isBroken = true;
    const error = await errorOf(() => context.linkProgram([device], '', inputs));
    const report = reportOf(error, ErrorCode.LINK_PROGRAM_FAILURE);
    for (const name of ['input-0.spv', 'input-1.spv'])
      expect(Buffer.from(report.get(name)!, 'latin1').readUInt32LE(0)).toBe(0x07230203);
  },
);

test('where a program is compiled', async () => {
  const { context, device } = failing(() => ({ compile: typeError }));
  const program = context.createProgramWithSource([SOURCE]);
  const error = await errorOf(() => program.compile([device], '-w', new Map()));
  const report = reportOf(error, ErrorCode.COMPILE_PROGRAM_FAILURE);
  expect(report.get('program.cl')).toBe(SOURCE);
  expect(program.buildInfo(device, ProgramBuildInfo.BUILD_STATUS)).toEqual(
    new Uint8Array(new Int32Array([BuildStatus.ERROR]).buffer),
  );
});

/** A module with an unknown import: it cannot be instantiated. */
const WITHOUT_IMPORT = Uint8Array.of(
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...[2, 14, 1, 3, 0x65, 0x6e, 0x76, 4, 0x67, 0x6f, 0x6e, 0x65, 2, 3, 1, 1],
);

test.each([
  ['the calling thread', true],
  ['a worker', false],
])('where a kernel is started on %s', async (_, bounded) => {
  const { context, device } = failing((real) => ({
    load: (module) => ({
      ...real.load(module),
      *kernelSteps(...args) {
        const binary = yield* real.load(module).kernelSteps(...args);
        return {
          ...binary,
          bounded,
          *moduleSteps(...kind) {
            return { ...(yield* binary.moduleSteps(...kind)), wasm: WITHOUT_IMPORT };
          },
        };
      },
    }),
  }));
  const event = await launched(context, device);
  expect(event.status()).toBe(ErrorCode.OUT_OF_RESOURCES);
  expect(event.isInternalError).toBe(true);
  expect(event.failure).toMatch(
    /a fault of anycl itself, not of the program: kernel 'k' .*please report it/s,
  );
  const folder = folders[folders.length - 1]!;
  expect(event.failure).toContain(folder);
  expect(JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'))).toMatchObject({
    kernel: 'k',
    global: [1],
  });
});

test('where a command runs', async () => {
  const { context, device } = failing(() => ({}));
  const buffer = context.createBuffer(0, 4) as SoftwareBuffer;
  buffer.bytes = typeError;
  const queue = context.createQueue(device, []);
  const command = { op: 'readBuffer', buffer, offset: 0, into: new Uint8Array(4) } as const;
  const event = queue.enqueue(command, undefined, true)!;
  await queue.finish();
  expect(event.isInternalError).toBe(true);
  expect(event.failure).toContain('a fault of anycl itself');
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

test('what a program asks for and we do not have is not our fault', async () => {
  const { context, device } = failing(() => ({
    load: () => {
      throw new JitError('a feature is not supported');
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
        kernelSteps: (name, options, trace) => {
          asked.push(trace?.check);
          return program.kernelSteps(name, options, trace);
        },
      };
    },
  }));
  await launched(context, device);
  expect(asked).toEqual([true]);
});
