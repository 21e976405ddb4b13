// SPDX-License-Identifier: MIT
// native/icd/dispatch.gen.h: the table of functions that every object of an ICD begins with (cl_khr_icd), and the declarations of
// ours. The order of the table is the loaders' ABI, written down below; cl.xml has the signatures.
import { banner, readRegistry } from '../cl-registry.mjs';

/** The table's entries by the version or extension that brought them, in order. Names without their `cl`. */
const ORDER = `
1.0 GetPlatformIDs GetPlatformInfo GetDeviceIDs GetDeviceInfo CreateContext CreateContextFromType RetainContext ReleaseContext
  GetContextInfo CreateCommandQueue RetainCommandQueue ReleaseCommandQueue GetCommandQueueInfo SetCommandQueueProperty
  CreateBuffer CreateImage2D CreateImage3D RetainMemObject ReleaseMemObject GetSupportedImageFormats GetMemObjectInfo
  GetImageInfo CreateSampler RetainSampler ReleaseSampler GetSamplerInfo CreateProgramWithSource CreateProgramWithBinary
  RetainProgram ReleaseProgram BuildProgram UnloadCompiler GetProgramInfo GetProgramBuildInfo CreateKernel
  CreateKernelsInProgram RetainKernel ReleaseKernel SetKernelArg GetKernelInfo GetKernelWorkGroupInfo WaitForEvents GetEventInfo
  RetainEvent ReleaseEvent GetEventProfilingInfo Flush Finish EnqueueReadBuffer EnqueueWriteBuffer EnqueueCopyBuffer
  EnqueueReadImage EnqueueWriteImage EnqueueCopyImage EnqueueCopyImageToBuffer EnqueueCopyBufferToImage EnqueueMapBuffer
  EnqueueMapImage EnqueueUnmapMemObject EnqueueNDRangeKernel EnqueueTask EnqueueNativeKernel EnqueueMarker
  EnqueueWaitForEvents EnqueueBarrier GetExtensionFunctionAddress CreateFromGLBuffer CreateFromGLTexture2D
  CreateFromGLTexture3D CreateFromGLRenderbuffer GetGLObjectInfo GetGLTextureInfo EnqueueAcquireGLObjects
  EnqueueReleaseGLObjects GetGLContextInfoKHR
cl_khr_d3d10_sharing GetDeviceIDsFromD3D10KHR CreateFromD3D10BufferKHR CreateFromD3D10Texture2DKHR
  CreateFromD3D10Texture3DKHR EnqueueAcquireD3D10ObjectsKHR EnqueueReleaseD3D10ObjectsKHR
1.1 SetEventCallback CreateSubBuffer SetMemObjectDestructorCallback CreateUserEvent SetUserEventStatus EnqueueReadBufferRect
  EnqueueWriteBufferRect EnqueueCopyBufferRect
cl_ext_device_fission CreateSubDevicesEXT RetainDeviceEXT ReleaseDeviceEXT
cl_khr_gl_event CreateEventFromGLsyncKHR
1.2 CreateSubDevices RetainDevice ReleaseDevice CreateImage CreateProgramWithBuiltInKernels CompileProgram LinkProgram
  UnloadPlatformCompiler GetKernelArgInfo EnqueueFillBuffer EnqueueFillImage EnqueueMigrateMemObjects
  EnqueueMarkerWithWaitList EnqueueBarrierWithWaitList GetExtensionFunctionAddressForPlatform CreateFromGLTexture
cl_khr_d3d11_sharing GetDeviceIDsFromD3D11KHR CreateFromD3D11BufferKHR CreateFromD3D11Texture2DKHR
  CreateFromD3D11Texture3DKHR CreateFromDX9MediaSurfaceKHR EnqueueAcquireD3D11ObjectsKHR EnqueueReleaseD3D11ObjectsKHR
cl_khr_dx9_media_sharing GetDeviceIDsFromDX9MediaAdapterKHR EnqueueAcquireDX9MediaSurfacesKHR
  EnqueueReleaseDX9MediaSurfacesKHR
cl_khr_egl_image CreateFromEGLImageKHR EnqueueAcquireEGLObjectsKHR EnqueueReleaseEGLObjectsKHR
cl_khr_egl_event CreateEventFromEGLSyncKHR
2.0 CreateCommandQueueWithProperties CreatePipe GetPipeInfo SVMAlloc SVMFree EnqueueSVMFree EnqueueSVMMemcpy EnqueueSVMMemFill
  EnqueueSVMMap EnqueueSVMUnmap CreateSamplerWithProperties SetKernelArgSVMPointer SetKernelExecInfo
cl_khr_sub_groups GetKernelSubGroupInfoKHR
2.1 CloneKernel CreateProgramWithIL EnqueueSVMMigrateMem GetDeviceAndHostTimer GetHostTimer GetKernelSubGroupInfo
  SetDefaultDeviceCommandQueue
2.2 SetProgramReleaseCallback SetProgramSpecializationConstant
3.0 CreateBufferWithProperties CreateImageWithProperties SetContextDestructorCallback
`;

/** Sharing with other interfaces: no device of ours has it. */
const ABSENT = /GL|D3D|DX9/;

/** Functions of extensions, and of versions that the table does not reach, which loaders hand out by name (clGetExtensionFunctionAddressForPlatform). */
const BY_NAME = [
  'clCreateCommandQueueWithPropertiesKHR',
  'clGetKernelSuggestedLocalWorkSize',
  'clGetKernelSuggestedLocalWorkSizeKHR',
  'clTerminateContextKHR',
  // cl_khr_semaphore
  'clCreateSemaphoreWithPropertiesKHR',
  'clEnqueueWaitSemaphoresKHR',
  'clEnqueueSignalSemaphoresKHR',
  'clGetSemaphoreInfoKHR',
  'clReleaseSemaphoreKHR',
  'clRetainSemaphoreKHR',
  // cl_khr_external_semaphore, which programs look up together with the others; no semaphore can be exported
  'clGetSemaphoreHandleForTypeKHR',
  // cl_ext_buffer_device_address
  'clSetKernelArgDevicePointerEXT',
  // cl_khr_command_buffer
  'clCreateCommandBufferKHR',
  'clFinalizeCommandBufferKHR',
  'clRetainCommandBufferKHR',
  'clReleaseCommandBufferKHR',
  'clEnqueueCommandBufferKHR',
  'clGetCommandBufferInfoKHR',
  'clCommandBarrierWithWaitListKHR',
  'clCommandCopyBufferKHR',
  'clCommandCopyBufferRectKHR',
  'clCommandCopyBufferToImageKHR',
  'clCommandCopyImageKHR',
  'clCommandCopyImageToBufferKHR',
  'clCommandFillBufferKHR',
  'clCommandFillImageKHR',
  'clCommandSVMMemcpyKHR',
  'clCommandSVMMemFillKHR',
  'clCommandNDRangeKernelKHR',
  // cl_khr_command_buffer_mutable_dispatch
  'clUpdateMutableCommandsKHR',
  'clGetMutableCommandInfoKHR',
];

const entries = ORDER.trim()
  .split('\n')
  .flatMap((line) =>
    line
      .trim()
      .replace(/^(?:\d\.\d|cl_\w+) /, '')
      .split(/\s+/),
  )
  .map((name) => `cl${name}`);

function header(registry) {
  const out = [
    banner('icd-dispatch.mjs'),
    '#pragma once',
    '#include "../src/cl/opencl.gen.h"',
    '',
    'namespace icd {',
    '',
  ];
  const present = entries.filter((name) => !ABSENT.test(name));
  for (const name of [...present, ...BY_NAME]) {
    const { result, params } = registry.commands.get(name);
    out.push(`${result} CL_API_CALL ${name}(${params.join(', ')});`);
  }
  out.push('', '/** The entries in the order that loaders expect. */', 'struct Dispatch {');
  for (const name of entries)
    out.push(ABSENT.test(name) ? `  void (*${name})();` : `  decltype(&icd::${name}) ${name};`);
  out.push('};', '', '/** What a call of a function that no device of ours has comes to. */');
  out.push('cl_int CL_API_CALL refuse();', '');
  out.push(
    'inline constexpr void (*const kRefuse)() = reinterpret_cast<void (*)()>(&refuse);'.replace(
      'constexpr ',
      '',
    ),
  );
  out.push('inline const Dispatch kDispatch = {');
  for (const name of entries) out.push(ABSENT.test(name) ? '  kRefuse,' : `  &icd::${name},`);
  out.push(
    '};',
    '',
    '/** Every function by its name. */',
    'struct NamedFunction {',
    '  const char* name;',
    '  void* address;',
    '};',
  );
  out.push('inline const NamedFunction kFunctions[] = {');
  for (const name of [...present, ...BY_NAME].sort())
    out.push(`  {"${name}", reinterpret_cast<void*>(&icd::${name})},`);
  out.push('};', '', '}  // namespace icd', '');
  return out.join('\n');
}

export function outputs(folder) {
  const registry = readRegistry(folder);
  if (!registry) return null;
  return new Map([['native/icd/dispatch.gen.h', header(registry)]]);
}
