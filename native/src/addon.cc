// SPDX-License-Identifier: MIT
//
// The addon's table of methods. Each declaration has its parameters in a comment; ts/backend/native/addon.ts has the same list as
// a type.
#include <napi.h>

#include "interface.gen.h"
#include "napi/arguments.h"
#include "objects/commands.h"
#include "objects/context.h"
#include "objects/copy_apart.h"
#include "objects/event.h"
#include "objects/extensions.h"
#include "objects/image.h"
#include "objects/info.h"
#include "objects/kernel.h"
#include "objects/lifetime.h"
#include "objects/mapping.h"
#include "objects/memory.h"
#include "objects/native_kernel.h"
#include "objects/platform.h"
#include "objects/program.h"
#include "objects/queue.h"
#include "objects/remote_server.h"
#include "objects/svm.h"
#include "place_thread.h"
#include "stay_loaded.h"
#include "workarounds/keep_trap_handler.h"

namespace anycl {
namespace {

/** attach(dispatch, error class, main thread): before anything else; the scratch memory */
napi_value attach(Arguments& a) { return a.environment().attach(a.value(0), a.value(1), a.flag(2)); }

/** The boundary of a call in which drivers are loaded or compile. */
template <napi_value (*F)(Arguments&)>
napi_value compiling(napi_env env, napi_callback_info info) {
  const KeepTrapHandler keep;
  return call<F>(env, info);
}

struct Entry {
  const char* name;
  napi_callback callback;
};

const Entry entries[] = {
    {"attach", call<attach>},
    {"open", call<open>},
    {"platforms", compiling<platforms>},
    {"devices", compiling<devices>},
    {"createSubDevices", call<create_sub_devices>},
    {"unloadCompiler", call<unload_compiler>},
    {"placeThread", call<place_thread>},
    {"currentPart", call<current_part>},
    {"timers", call<timers>},
    {"entryPoint", call<entry_point>},
    {"info", call<info>},
    {"imageInfo", call<image_info>},
    {"pipeInfo", call<pipe_info>},
    {"buildInfo", call<build_info>},
    {"argInfo", call<arg_info>},
    {"workGroupInfo", call<work_group_info>},
    {"subGroupInfo", call<sub_group_info>},
    {"profilingInfo", call<profiling_info>},
    {"svmPointerInfo", call<svm_pointer_info>},
    {"glObjectInfo", call<gl_object_info>},
    {"glTextureInfo", call<gl_texture_info>},
    {"glContextInfo", call<gl_context_info>},
    {"imageRequirements", call<image_requirements>},
    {"binaries", call<binaries>},
    {"release", quick<release>},
    {"retain", call<retain>},
    {"liveObjects", call<live_objects>},
    {"createContext", compiling<create_context>},
    {"createContextFromType", compiling<create_context_from_type>},
    {"onContextDestroyed", call<on_context_destroyed>},
    {"terminateContext", call<terminate_context>},
    {"createQueue", call<create_queue>},
    {"setDefaultDeviceQueue", call<set_default_device_queue>},
    {"setQueueProperty", call<set_queue_property>},
    {"flush", quick<flush>},
    {"finishSync", quick<finish_sync>},
    {"createBuffer", call<create_buffer>},
    {"createSubBuffer", call<create_sub_buffer>},
    {"createImage", call<create_image>},
    {"supportedImageFormats", call<supported_image_formats>},
    {"createPipe", call<create_pipe>},
    {"createSampler", call<create_sampler>},
    {"onMemoryDestroyed", call<on_memory_destroyed>},
    {"createFromGlBuffer", call<create_from_gl_buffer>},
    {"createFromGlTexture", call<create_from_gl_texture>},
    {"createFromGlRenderbuffer", call<create_from_gl_renderbuffer>},
    {"createFromEglImage", call<create_from_egl_image>},
    {"eventFromEglSync", call<event_from_egl_sync>},
    {"createProgramWithSource", compiling<create_program_with_source>},
    {"createProgramWithIl", compiling<create_program_with_il>},
    {"createProgramWithBinary", compiling<create_program_with_binary>},
    {"createProgramWithBuiltInKernels", compiling<create_program_with_built_in_kernels>},
    {"build", call<build>},
    {"buildSync", compiling<build_sync>},
    {"compile", call<compile>},
    {"link", call<link>},
    {"linkedProgram", call<linked_program>},
    {"jobDone", call<job_done>},
    {"setSpecializationConstant", call<set_specialization_constant>},
    {"onProgramReleased", call<on_program_released>},
    {"createKernel", compiling<create_kernel>},
    {"createKernels", compiling<create_kernels>},
    {"cloneKernel", call<clone_kernel>},
    {"setArgBytes", quick<set_arg_bytes>},
    {"setArgLarge", call<set_arg_large>},
    {"setArgLocal", call<set_arg_local>},
    {"setArgObject", quick<set_arg_object>},
    {"setArgSvm", call<set_arg_svm>},
    {"setArgDevicePointer", call<set_arg_device_pointer>},
    {"setExecInfo", call<set_exec_info>},
    {"setExecSvm", call<set_exec_svm>},
    {"suggestedLocalSize", call<suggested_local_size>},
    {"createUserEvent", call<create_user_event>},
    {"setUserStatus", call<set_user_status>},
    {"eventStatus", call<event_status>},
    {"onEvent", call<on_event>},
    {"waitSync", call<wait_sync>},
    {"checkBlocking", call<check_blocking>},
    {"eventFromGlSync", call<event_from_gl_sync>},
    {"svmAlloc", call<svm_alloc>},
    {"unifiedSvmAlloc", call<unified_svm_alloc>},
    {"svmTypeIndex", call<svm_type_index>},
    {"svmCopy", call<svm_copy>},
    {"mapBuffer", call<map_buffer>},
    {"mapImage", call<map_image>},
    {"mappingCopy", call<mapping_copy>},
    {"detach", call<detach>},
    {"execute", call<execute>},
    {"submit", quick<submit>},
    {"copyApart", call<copy_apart>},
    {"copyMemory", call<copy_memory>},
    {"enqueueNativeKernel", call<enqueue_native_kernel>},
    {"nativeKernelMemory", call<native_kernel_memory>},
    {"nativeKernelCopy", call<native_kernel_copy>},
    {"nativeKernelDone", call<native_kernel_done>},
    {"createSemaphore", call<create_semaphore>},
    {"semaphoreHandle", call<semaphore_handle>},
    {"reimportSemaphoreSyncFd", call<reimport_semaphore_sync_fd>},
    {"createCommandBuffer", call<create_command_buffer>},
    {"finalizeCommandBuffer", call<finalize_command_buffer>},
    {"record", call<record>},
    {"updateCommand", call<update_command>},
    {"remapCommandBuffer", call<remap_command_buffer>},
    {"watchServer", call<watch_server>},
    {"awaitServer", call<await_server>},
    {"serverLost", call<server_lost>},
};

/** Lives as long as its JavaScript environment. */
struct Instance {
  explicit Instance(napi_env env) : environment(env) {}
  Environment environment;
  std::vector<std::unique_ptr<Method>> methods;
};

/**
 * Sets the exports. JavaScript cannot run in a thread that is terminated while it loads the addon: then these calls fail, and nobody sees the
 * exports. Those of Napi would throw a C++ exception, which ends the process, as Napi cannot turn it into an exception of JavaScript there.
 */
void initialize(napi_env env, napi_value exports) {
  stay_loaded();
  auto* instance = new Instance(env);
  napi_add_env_cleanup_hook(env, [](void* data) { delete static_cast<Instance*>(data); }, instance);
  const auto set = [&](const char* name, napi_status made, napi_value value) {
    return made == napi_ok && napi_set_named_property(env, exports, name, value) == napi_ok;
  };
  napi_value value = nullptr;
  for (const Entry& entry : entries) {
    instance->methods.push_back(std::make_unique<Method>(Method{&instance->environment, entry.name}));
    const napi_status made = napi_create_function(env, entry.name, NAPI_AUTO_LENGTH, entry.callback,
                                                  instance->methods.back().get(), &value);
    if (!set(entry.name, made, value)) return;
  }
  napi_status made = napi_create_double(env, interface_number, &value);
  if (!set("interfaceNumber", made, value)) return;
  made = napi_create_string_utf8(env, interface_mark, NAPI_AUTO_LENGTH, &value);
  set("interfaceMark", made, value);
}

}  // namespace
}  // namespace anycl

static Napi::Object init(Napi::Env env, Napi::Object exports) {
  anycl::initialize(env, exports);
  return exports;
}

NODE_API_MODULE(anycl, init)
