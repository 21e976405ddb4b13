// SPDX-License-Identifier: MIT
//
// What templates, JSON.stringify and structured clones make of the API's objects and errors.
import { MessageChannel } from 'node:worker_threads';
import { KernelModule, local, OpenCLError, open, openTeam, part, type Session, TeamError } from '../../ts';
import { shutdownAll } from './devices';

let cl: Session;
beforeAll(async () => {
  cl = await open({ device: 'software' });
});
afterAll(async () => {
  cl.close();
  await shutdownAll();
});

test('an object cannot be cloned into one without methods: the error says why', async () => {
  const program = await cl.build('kernel void k(global float *x) { x[0] = 1; }');
  const memory = cl.buffer(Float32Array.of(1));
  const objects = {
    session: cl,
    platform: cl.device.platform,
    device: cl.device,
    context: cl.context,
    queue: cl.queue,
    program,
    kernel: program.kernels.k,
    memory,
    image: cl.image({ width: 4, height: 4, format: 'rgba8' }),
    sampler: cl.sampler(),
    svm: cl.context.createSvm(64),
    event: cl.context.createUserEvent(),
    team: await openTeam({ over: [cl] }),
  };
  const { port1, port2 } = new MessageChannel();
  for (const object of Object.values(objects)) {
    const expected = /an OpenCL object, which only the thread that made it can use/;
    expect(() => structuredClone(object)).toThrow(expected);
    expect(() => port1.postMessage({ object })).toThrow(expected);
  }
  port1.close();
  port2.close();
  objects.team.close();
});

test('objects in templates say what they are', async () => {
  const { k } = (await cl.build('kernel void k(global float *x, local int *t) { x[0] = t[0]; }')).kernels;
  const module = new KernelModule({ name: 'k.cl', source: 'kernel void k() {}', kernels: { k: [] } });
  const team = await openTeam({ over: [cl] });
  const ofTeam = await team.kernel('kernel void k(global float *x) { x[0] = 1; }', 'k');
  const { name } = cl.device;
  expect(`${local(16)}`).toBe('LocalArgument { size: 16 bytes }');
  expect(`${k.arguments}`).toBe('float* x,int* t');
  expect(`${module}, ${module.kernel('k')}`).toBe('KernelModule { name: k.cl }, ModuleKernel { name: k }');
  expect(`${team}`).toBe(`Team { devices: ${name} }`);
  expect(`${ofTeam}`).toBe(`TeamKernel { name: k, devices: ${name} }`);
  expect(`${part.read(new Float32Array(3))}`).toBe('SplitArray { access: read, array: Float32Array(3) }');
  team.close();
});

test('JSON of an error has its message, and the build log', async () => {
  const error: unknown = await cl.build('kernel void k() { x = 1; }').catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(OpenCLError);
  const { message, buildLog } = error as OpenCLError;
  expect(JSON.parse(JSON.stringify({ error }))).toEqual({
    error: {
      name: 'OpenCLError',
      message,
      code: -11,
      codeName: 'CL_BUILD_PROGRAM_FAILURE',
      functionName: 'clBuildProgram',
      buildLog,
    },
  });
  expect(buildLog).toContain("undeclared identifier 'x'");
  const failures = [{ device: cl.device, error: new Error('it was lost') }];
  expect(JSON.parse(JSON.stringify(new TeamError('none is left', failures)))).toEqual({
    name: 'TeamError',
    message: `none is left: ${cl.device.name}: it was lost`,
    failures: [{ device: cl.device.name, error: { name: 'Error', message: 'it was lost' } }],
  });
});
