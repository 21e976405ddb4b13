// SPDX-License-Identifier: MIT
// ts/cl/constants.gen.ts: OpenCL's constants as one enum per C type, without the prefix that the enum's name replaces:
// CL_DEVICE_MAX_COMPUTE_UNITS is DeviceInfo.MAX_COMPUTE_UNITS. Bundled code inlines the members it uses.
import { banner, readRegistry } from '../cl-registry.mjs';

/** C type -> [enum, prefix that its members drop]. Prefixes are tried in order; CL_ is always dropped. */
const enums = {
  error: ['ErrorCode'],
  cl_execution_status: ['ExecutionStatus'],
  cl_platform_info: ['PlatformInfo', 'PLATFORM_'],
  cl_device_info: ['DeviceInfo', 'DEVICE_'],
  cl_device_type: ['DeviceType', 'DEVICE_TYPE_'],
  cl_device_fp_config: ['FpConfig', 'FP_'],
  cl_device_mem_cache_type: ['MemCacheType'],
  cl_device_local_mem_type: ['LocalMemType'],
  cl_device_exec_capabilities: ['ExecCapabilities', 'EXEC_'],
  cl_device_svm_capabilities: ['SvmCapabilities', 'DEVICE_SVM_'],
  cl_device_atomic_capabilities: ['AtomicCapabilities', 'DEVICE_ATOMIC_'],
  cl_device_device_enqueue_capabilities: ['DeviceEnqueueCapabilities', 'DEVICE_QUEUE_'],
  cl_device_integer_dot_product_capabilities: [
    'IntegerDotProductCapabilities',
    'DEVICE_INTEGER_DOT_PRODUCT_',
  ],
  cl_device_partition_property: ['PartitionProperty', 'DEVICE_PARTITION_'],
  cl_device_affinity_domain: ['AffinityDomain', 'DEVICE_AFFINITY_DOMAIN_'],
  cl_device_fp_atomic_capabilities_ext: ['FpAtomicCapabilities', 'DEVICE_'],
  cl_device_command_buffer_capabilities_khr: ['CommandBufferCapabilities', 'COMMAND_BUFFER_CAPABILITY_'],
  cl_device_terminate_capability_khr: ['TerminateCapability', 'DEVICE_TERMINATE_CAPABILITY_'],
  cl_device_kernel_clock_capabilities_khr: ['KernelClockCapabilities', 'DEVICE_KERNEL_CLOCK_'],
  cl_khronos_vendor_id: ['VendorId', 'KHRONOS_VENDOR_ID_'],
  cl_context_info: ['ContextInfo', 'CONTEXT_'],
  cl_context_properties: ['ContextProperty', 'CONTEXT_'],
  cl_command_queue_info: ['QueueInfo', 'QUEUE_'],
  cl_command_queue_properties: ['QueueFlags', 'QUEUE_'],
  cl_queue_properties: ['QueueProperty', 'QUEUE_'],
  cl_queue_priority_khr: ['QueuePriority', 'QUEUE_PRIORITY_'],
  cl_queue_throttle_khr: ['QueueThrottle', 'QUEUE_THROTTLE_'],
  cl_mem_flags: ['MemFlags', 'MEM_'],
  cl_mem_object_type: ['MemObjectType', 'MEM_OBJECT_'],
  cl_mem_info: ['MemInfo', 'MEM_'],
  cl_mem_properties: ['MemProperty', 'MEM_'],
  cl_mem_migration_flags: ['MemMigrationFlags', 'MIGRATE_MEM_OBJECT_'],
  cl_map_flags: ['MapFlags', 'MAP_'],
  cl_buffer_create_type: ['BufferCreateType', 'BUFFER_CREATE_TYPE_'],
  cl_channel_order: ['ChannelOrder'],
  cl_channel_type: ['ChannelType'],
  cl_image_info: ['ImageInfo', 'IMAGE_'],
  cl_image_requirements_info_ext: ['ImageRequirementsInfo', 'IMAGE_REQUIREMENTS_'],
  cl_pipe_info: ['PipeInfo', 'PIPE_'],
  cl_addressing_mode: ['AddressingMode', 'ADDRESS_'],
  cl_filter_mode: ['FilterMode', 'FILTER_'],
  cl_sampler_info: ['SamplerInfo', 'SAMPLER_'],
  cl_sampler_properties: ['SamplerProperty', 'SAMPLER_'],
  cl_program_info: ['ProgramInfo', 'PROGRAM_'],
  cl_program_build_info: ['ProgramBuildInfo', 'PROGRAM_'],
  cl_program_binary_type: ['ProgramBinaryType', 'PROGRAM_BINARY_TYPE_'],
  cl_build_status: ['BuildStatus', 'BUILD_'],
  cl_kernel_info: ['KernelInfo', 'KERNEL_'],
  cl_kernel_arg_info: ['KernelArgInfo', 'KERNEL_ARG_'],
  cl_kernel_arg_address_qualifier: ['ArgAddressQualifier', 'KERNEL_ARG_ADDRESS_'],
  cl_kernel_arg_access_qualifier: ['ArgAccessQualifier', 'KERNEL_ARG_ACCESS_'],
  cl_kernel_arg_type_qualifier: ['ArgTypeQualifier', 'KERNEL_ARG_TYPE_'],
  cl_kernel_work_group_info: ['KernelWorkGroupInfo', 'KERNEL_'],
  cl_kernel_sub_group_info: ['KernelSubGroupInfo', 'KERNEL_'],
  cl_kernel_exec_info: ['KernelExecInfo', 'KERNEL_EXEC_INFO_'],
  cl_event_info: ['EventInfo', 'EVENT_'],
  cl_command_type: ['CommandType', 'COMMAND_'],
  cl_profiling_info: ['ProfilingInfo', 'PROFILING_'],
  cl_semaphore_info_khr: ['SemaphoreInfo', 'SEMAPHORE_'],
  cl_semaphore_type: ['SemaphoreType', 'SEMAPHORE_TYPE_'],
  cl_semaphore_properties_khr: ['SemaphoreProperty', 'SEMAPHORE_'],
  cl_external_semaphore_handle_type_khr: ['SemaphoreHandleType', 'SEMAPHORE_HANDLE_'],
  cl_external_memory_handle_type_khr: ['ExternalMemoryHandleType', 'EXTERNAL_MEMORY_HANDLE_'],
  cl_command_buffer_info_khr: ['CommandBufferInfo', 'COMMAND_BUFFER_'],
  cl_command_buffer_state_khr: ['CommandBufferState', 'COMMAND_BUFFER_STATE_'],
  cl_command_buffer_flags_khr: ['CommandBufferFlags', 'COMMAND_BUFFER_'],
  cl_command_buffer_properties_khr: ['CommandBufferProperty', 'COMMAND_BUFFER_'],
  cl_command_properties_khr: ['CommandProperty', 'COMMAND_'],
  cl_mutable_command_info_khr: ['MutableCommandInfo', 'MUTABLE_'],
  cl_mutable_dispatch_fields_khr: ['MutableDispatchFields', 'MUTABLE_DISPATCH_'],
  cl_mutable_dispatch_asserts_khr: ['MutableDispatchAsserts', 'MUTABLE_DISPATCH_ASSERT_'],
  cl_command_buffer_update_type_khr: ['CommandBufferUpdateType', 'STRUCTURE_TYPE_'],
  cl_svm_capabilities_khr: ['UnifiedSvmCapabilities', 'SVM_CAPABILITY_'],
  cl_svm_pointer_info_khr: ['SvmPointerInfo', 'SVM_INFO_'],
  cl_svm_alloc_properties_khr: ['SvmAllocProperty', 'SVM_ALLOC_'],
  cl_svm_alloc_access_flags_khr: ['SvmAllocAccessFlags', 'SVM_ALLOC_ACCESS_'],
};

export const memberName = (name, prefix) => {
  const bare = name.replace(/^CL_/, '');
  const short = prefix && bare.startsWith(prefix) ? bare.slice(prefix.length) : bare;
  return /^\d/.test(short) ? bare : short;
};

// A reverse look-up returns the last of several names for a value: the plainest one.
const vendor = (name) => Number(/_(KHR|EXT|NV|AMD|INTEL|ARM|IMG|QCOM|POCL)$/.test(name));
const order = (registry, type, name) => Number(registry.values.get(name)) * (type === 'error' ? -1 : 1);

export function outputs(folder) {
  const registry = readRegistry(folder);
  if (!registry) return null;
  const out = [banner('cl-constants.mjs')];
  for (const [type, [name, prefix]] of Object.entries(enums)) {
    const group = registry.groups.get(type);
    if (!group) throw new Error(`cl.xml has no constants of ${type}`);
    const members = [...group.keys()]
      .filter((n) => registry.values.has(n))
      .sort((a, b) => order(registry, type, a) - order(registry, type, b) || vendor(b) - vendor(a))
      .map((n) => `  /** ${n} */\n  ${memberName(n, prefix)} = ${registry.values.get(n)},`);
    out.push(
      `/** ${type === 'error' ? 'Error codes' : type} */\nexport enum ${name} {\n${members.join('\n')}\n}\n`,
    );
  }
  return new Map([['ts/cl/constants.gen.ts', out.join('\n')]]);
}
