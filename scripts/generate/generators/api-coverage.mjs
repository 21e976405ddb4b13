// SPDX-License-Identifier: MIT
// docs/api-coverage.md: every function of the core API and of the extensions that make sense headless, with the method
// that reaches it. The API's own methods are found by the function names in their signatures and errors; what only the
// Backend interface has is listed here, as is what the addon uses by itself.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { banner, readRegistry } from '../cl-registry.mjs';
import { commandsByProvider } from './cl-entry-points.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');

/** Other functions for the same command. */
const SAME_COMMAND = {
  barrier: 'clEnqueueBarrier clEnqueueWaitForEvents',
  migrate: 'clEnqueueMigrateMemObjectEXT',
};

/** The commands, which are data: routes to the functions that enqueue and record them. */
function commandRoutes() {
  const table = readFileSync(join(root, 'ts/backend/command-table.ts'), 'utf8');
  const rows = [
    ...table.matchAll(/^ {2}(\w+): row\(\s*CommandType\.\w+,\s*'(cl\w+)'(?:,\s*'(cl\w+)')?,?\s*\)/gm),
  ];
  return rows.flatMap(([, op, enqueuedBy, recordedBy]) => [
    [`BackendQueue.enqueue, ${op}`, [enqueuedBy, SAME_COMMAND[op]].filter(Boolean).join(' ')],
    ...(recordedBy ? [[`BackendCommandBuffer.record, ${op}`, recordedBy]] : []),
  ]);
}

const backend = {
  ...Object.fromEntries(commandRoutes()),
  'Backend.platforms': 'clGetPlatformIDs',
  'BackendPlatform.info': 'clGetPlatformInfo',
  'BackendPlatform.devices': 'clGetDeviceIDs',
  'BackendPlatform.unloadCompiler': 'clUnloadPlatformCompiler clUnloadCompiler',
  'BackendPlatform.createContextFromType': 'clCreateContextFromType',
  'BackendDevice.info': 'clGetDeviceInfo',
  'BackendDevice.createSubDevices': 'clCreateSubDevices clCreateSubDevicesEXT',
  'BackendDevice.createContext': 'clCreateContext',
  'BackendDevice.timers': 'clGetDeviceAndHostTimer clGetHostTimer',
  '….release, and collection':
    'clReleaseDevice clReleaseDeviceEXT clReleaseContext clReleaseCommandQueue clReleaseMemObject clReleaseSampler clReleaseProgram clReleaseKernel clReleaseEvent clReleaseSemaphoreKHR clReleaseCommandBufferKHR',
  'counted by the addon: arguments, mappings, commands in flight':
    'clRetainDevice clRetainDeviceEXT clRetainContext clRetainCommandQueue clRetainMemObject clRetainSampler clRetainProgram clRetainKernel clRetainEvent clRetainSemaphoreKHR clRetainCommandBufferKHR',
  'BackendContext.info': 'clGetContextInfo',
  'BackendContext.createQueue':
    'clCreateCommandQueueWithProperties clCreateCommandQueueWithPropertiesKHR clCreateCommandQueue',
  'BackendContext.createBuffer': 'clCreateBuffer clCreateBufferWithProperties',
  'BackendContext.createImage': 'clCreateImage clCreateImageWithProperties clCreateImage2D clCreateImage3D',
  'BackendContext.supportedImageFormats': 'clGetSupportedImageFormats',
  'BackendContext.createSampler': 'clCreateSamplerWithProperties clCreateSampler',
  'BackendContext.createPipe': 'clCreatePipe',
  'BackendContext.createProgramWithSource': 'clCreateProgramWithSource',
  'BackendContext.createProgramWithIL': 'clCreateProgramWithIL clCreateProgramWithILKHR',
  'BackendContext.createProgramWithBinary': 'clCreateProgramWithBinary',
  'BackendContext.createProgramWithBuiltInKernels': 'clCreateProgramWithBuiltInKernels',
  'BackendContext.linkProgram': 'clLinkProgram',
  'BackendContext.createUserEvent': 'clCreateUserEvent',
  'BackendContext.svmAlloc': 'clSVMAlloc',
  'BackendSvm.free': 'clSVMFree clSVMFreeWithPropertiesKHR',
  'BackendContext.unifiedSvmAlloc': 'clSVMAllocWithPropertiesKHR',
  'BackendContext.svmTypeIndex': 'clGetSVMSuggestedTypeIndexKHR',
  'BackendContext.setDefaultDeviceQueue': 'clSetDefaultDeviceCommandQueue',
  'BackendContext.onDestroy': 'clSetContextDestructorCallback',
  'BackendContext.terminate': 'clTerminateContextKHR',
  'BackendContext.imageRequirements': 'clGetImageRequirementsInfoEXT',
  'BackendContext.createSemaphore': 'clCreateSemaphoreWithPropertiesKHR',
  'BackendSemaphore.info': 'clGetSemaphoreInfoKHR',
  'BackendSemaphore.exportHandle': 'clGetSemaphoreHandleForTypeKHR',
  'BackendSemaphore.reimportSyncFd': 'clReImportSemaphoreSyncFdKHR',
  'BackendContext.createFromGl':
    'clCreateFromGLBuffer clCreateFromGLTexture clCreateFromGLTexture2D clCreateFromGLTexture3D clCreateFromGLRenderbuffer',
  'BackendMemory.info': 'clGetMemObjectInfo',
  'BackendMemory.imageInfo': 'clGetImageInfo',
  'BackendMemory.pipeInfo': 'clGetPipeInfo',
  'BackendMemory.createSubBuffer': 'clCreateSubBuffer',
  'BackendMemory.onDestroy': 'clSetMemObjectDestructorCallback',
  'BackendSampler.info': 'clGetSamplerInfo',
  'BackendProgram.info, binaries, kernelNames': 'clGetProgramInfo',
  'BackendProgram.buildInfo': 'clGetProgramBuildInfo',
  'BackendProgram.build': 'clBuildProgram',
  'BackendProgram.compile': 'clCompileProgram',
  'BackendProgram.setSpecializationConstant': 'clSetProgramSpecializationConstant',
  'BackendProgram.createKernel': 'clCreateKernel',
  'BackendKernel.info': 'clGetKernelInfo',
  'BackendKernel.argInfo': 'clGetKernelArgInfo',
  'BackendKernel.workGroupInfo': 'clGetKernelWorkGroupInfo',
  'BackendKernel.subGroupInfo': 'clGetKernelSubGroupInfo clGetKernelSubGroupInfoKHR',
  'BackendKernel.setArg': 'clSetKernelArg clSetKernelArgSVMPointer',
  'BackendKernel.setExecInfo': 'clSetKernelExecInfo',
  'BackendKernel.suggestedLocalSize':
    'clGetKernelSuggestedLocalWorkSize clGetKernelSuggestedLocalWorkSizeKHR',
  'BackendKernel.clone': 'clCloneKernel',
  'BackendKernel.setDevicePointer': 'clSetKernelArgDevicePointerEXT',
  'BackendProgram.onRelease': 'clSetProgramReleaseCallback',
  'BackendMemory.glObject': 'clGetGLObjectInfo',
  'BackendMemory.glTextureInfo': 'clGetGLTextureInfo',
  'BackendQueue.info': 'clGetCommandQueueInfo',
  'BackendQueue.enqueueKernel': 'clEnqueueNDRangeKernel clEnqueueTask',
  'BackendQueue.enqueueNativeKernel': 'clEnqueueNativeKernel',
  'BackendQueue.mapBuffer': 'clEnqueueMapBuffer',
  'BackendQueue.mapImage': 'clEnqueueMapImage',
  'BackendQueue.marker': 'clEnqueueMarkerWithWaitList clEnqueueMarker',
  'BackendQueue.flush': 'clFlush',
  'BackendQueue.finish, finishSync': 'clFinish',
  'BackendEvent.info, status': 'clGetEventInfo',
  'BackendEvent.profilingInfo': 'clGetEventProfilingInfo',
  'BackendEvent.onComplete, onStatus': 'clSetEventCallback',
  'BackendEvent.waitSync': 'clWaitForEvents',
  'BackendEvent.setUserStatus': 'clSetUserEventStatus',
  'BackendContext.createCommandBuffer': 'clCreateCommandBufferKHR',
  'BackendCommandBuffer.info': 'clGetCommandBufferInfoKHR',
  'BackendCommandBuffer.recordKernel': 'clCommandNDRangeKernelKHR',
  'BackendCommandBuffer.finalize': 'clFinalizeCommandBufferKHR',
  'BackendCommandBuffer.update': 'clUpdateMutableCommandsKHR',
  'BackendCommandBuffer.enqueue': 'clEnqueueCommandBufferKHR',
  'the addon, on opening a platform':
    'clGetExtensionFunctionAddressForPlatform clGetExtensionFunctionAddress',
  'BackendProgram.createKernels': 'clCreateKernelsInProgram',
  'BackendQueue.setProperty': 'clSetCommandQueueProperty',
  'BackendContext.svmPointerInfo': 'clGetSVMPointerInfoKHR',
  'BackendCommandBuffer.mutableInfo': 'clGetMutableCommandInfoKHR',
  'BackendCommandBuffer.remap': 'clRemapCommandBufferKHR',
  'BackendPlatform.glDevices': 'clGetGLContextInfoKHR',
  'BackendContext.eventFromGlSync': 'clCreateEventFromGLsyncKHR',
  'BackendContext.createFromEglImage': 'clCreateFromEGLImageKHR',
  'BackendContext.eventFromEglSync': 'clCreateEventFromEGLSyncKHR',
};

/** The same from the tables of signatures, in which the short forms name the functions of their commands. */
function tabledMethods(folder) {
  const found = new Map();
  for (const file of readdirSync(folder).filter((f) => f.endsWith('.ts') && !f.endsWith('.test.ts'))) {
    let type = '';
    for (const [, owner, method, name] of readFileSync(join(folder, file), 'utf8').matchAll(
      /^ {2}(\w+): \{|(\w+): (?:\w+\()+\s*'(cl[A-Z]\w+)'/gm,
    )) {
      if (!method) type = owner;
      else if (!found.has(name)) found.set(name, new Set([`${type}.${method}`]));
      else found.get(name).add(`${type}.${method}`);
    }
  }
  return found;
}

/** Function -> methods of the API that name it. */
function apiMethods() {
  const folder = join(root, 'ts', 'api');
  if (!existsSync(folder)) return new Map();
  const found = tabledMethods(join(folder, 'checks', 'signatures'));
  const exported = readFileSync(join(folder, 'public.ts'), 'utf8');
  const isPublic = (name) => new RegExp(`\\b${name}\\b`).test(exported);
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((f) => f.endsWith('.ts') && !f.endsWith('.test.ts'))
    .sort()) {
    let owner = '';
    let method = '';
    let internal = false;
    for (const line of readFileSync(join(folder, file), 'utf8').split('\n')) {
      const type = /^export (?:abstract )?class (\w+)/.exec(line)?.[1];
      const free = /^export (?:async )?function (\w+)/.exec(line)?.[1];
      if (type) [owner, method] = [`${type}.`, ''];
      else if (free) [owner, method] = ['', isPublic(free) ? free : ''];
      if (/^ {2}\/\*\*/.test(line)) internal = line.includes('@internal');
      const member = /^ {2}(?:static |override |async |get )*(#?[a-z]\w*)(?:<[^(]*>)?\(/.exec(line)?.[1];
      // Methods that others call internally are listed with these.
      if (member && owner && member !== 'constructor') method = internal || member[0] === '#' ? '' : member;
      if (member) internal = false;
      if (!method) continue;
      for (const [, name] of line.matchAll(/'(cl[A-Z]\w+)'/g)) {
        if (!found.has(name)) found.set(name, new Set());
        found.get(name).add(owner + method);
      }
    }
  }
  return found;
}

/** Functions that no method of the API names as a string, and the methods that call them. */
const unnamed = {
  clGetPlatformIDs: ['platforms'],
  clUnloadPlatformCompiler: ['Platform.unloadCompiler'],
  clEnqueueAcquireGLObjects: ['CommandQueue.enqueueAcquire'],
  clEnqueueAcquireEGLObjectsKHR: ['CommandQueue.enqueueAcquire'],
  clEnqueueReleaseGLObjects: ['CommandQueue.enqueueRelease'],
  clEnqueueReleaseEGLObjectsKHR: ['CommandQueue.enqueueRelease'],
  clSVMFree: ['Svm.release'],
  clSVMFreeWithPropertiesKHR: ['Svm.release'],
};

/** The API's methods: those that name the function, or for another name of it those of its route. */
function reachedBy(name, route, api) {
  if (unnamed[name]) return unnamed[name];
  if (api.has(name)) return [...api.get(name)];
  const released = /^clRelease(\w+?)(?:KHR|EXT)?$/.exec(name)?.[1];
  if (released) return [`${{ MemObject: 'MemoryObject' }[released] ?? released}.release`];
  if (route.startsWith('….') || route.startsWith('counted')) return [];
  const spellings = (backend[route] ?? '').split(' ');
  return [...new Set(spellings.flatMap((other) => [...(api.get(other) ?? unnamed[other] ?? [])]))];
}

/** All sources of the addon, to prove that they call the functions that the table claims. */
function nativeSources() {
  const folder = join(root, 'native', 'src');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files
    .filter((f) => /\.(cc|h)$/.test(f) && !f.includes('.gen.'))
    .map((f) => readFileSync(join(folder, f), 'utf8'))
    .join('\n');
}

/** Throws for a route whose members the Backend interfaces do not have. */
function checkRoutes() {
  const folder = join(root, 'ts/backend');
  const interfaces = readdirSync(folder)
    .filter((file) => /^backend.*\.ts$/.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n');
  /** An interface's text, and that of the one that it extends. */
  const textOf = (name) => {
    const [text = '', base] =
      new RegExp(`^export interface ${name} (?:extends (\\w+) )?\\{.*?^}`, 'ms').exec(interfaces) ?? [];
    return base ? text + textOf(base) : text;
  };
  for (const route of Object.keys(backend)) {
    const [, owner, members] = /^(Backend\w*)\.(.*)$/.exec(route) ?? [];
    if (owner === undefined) continue;
    // After `enqueue` and `record` there is the name of a command, from the table of commands.
    const names = /^(?:enqueue|record), /.test(members) ? [members.split(',')[0]] : members.split(', ');
    for (const name of names)
      if (!new RegExp(`^ {2}(?:readonly )?${name}\\??[(:<]`, 'm').test(textOf(owner)))
        throw new Error(`${owner} has no member ${name}`);
  }
}

export function outputs(folder) {
  const registry = readRegistry(folder);
  if (!registry) return null;
  checkRoutes();
  const routes = new Map();
  for (const [method, names] of Object.entries(backend))
    for (const name of names.split(' ')) routes.set(name, method);
  const sources = nativeSources();
  const api = apiMethods();
  const rows = { core: [], extensions: [] };
  for (const { name, provider, version } of commandsByProvider(registry)) {
    const route = routes.get(name);
    if (!route) throw new Error(`${name}: api-coverage.mjs has no route to it`);
    if (!new RegExp(`\\b${name}\\b`).test(sources)) throw new Error(`${name}: the addon never calls it`);
    routes.delete(name);
    const methods = reachedBy(name, route, api)
      .map((m) => `\`${m}\``)
      .join(', ');
    const row = `| \`${name}\` | ${version ?? `\`${provider}\``} | ${methods || '–'} | ${route} |`;
    (version ? rows.core : rows.extensions).push(row);
  }
  if (routes.size > 0) throw new Error(`no such functions: ${[...routes.keys()].join(' ')}`);
  const head = (since) => `| function | ${since} | API | reached by |\n| --- | --- | --- | --- |`;
  const text = `${banner('api-coverage.mjs').replace(/^\/\/ (.*)$/gm, '<!-- $1 -->')}
# API coverage

Each OpenCL function and what reaches it: the API's methods that name it, and the route through the Backend interface.
A driver or loader without a function gives an \`OpenCLError\` with its name and the version or extension that it needs.

## Core (${rows.core.length} functions)

${head('since')}
${rows.core.join('\n')}

## Extensions (${rows.extensions.length} functions)

${head('extension')}
${rows.extensions.join('\n')}
`;
  return new Map([['docs/api-coverage.md', text]]);
}
