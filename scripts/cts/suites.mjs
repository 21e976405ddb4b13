// SPDX-License-Identifier: MIT
//
// The suites of OpenCL-CTS that apply to a device without a display. `program` is in test_conformance/ of its build
// folder and runs there; `args` come before the name of a sub-test. `wimpy` suites take hours when they are run in full. A suite
// with `parts` has a single sub-test, and the arguments of each part select some of what that does.

const images = (folder, program, variants) =>
  variants.map((args) => ({
    name: `images ${folder}${args.length > 0 ? ` ${args.join(' ')}` : ''}`,
    program: `images/${folder}/${program}`,
    args,
    wimpy: true,
  }));

const plain = (name, program = `${name}/test_${name}`) => ({ name, program, args: [], wimpy: false });
const long = (name, program = `${name}/test_${name}`) => ({ name, program, args: [], wimpy: true });
const extension = (name, folder = name, program = name) =>
  plain(name, `extensions/${folder}/test_${program}`);

const TYPES = ['uchar', 'char', 'ushort', 'short', 'uint', 'int', 'half', 'float', 'double', 'ulong', 'long'];
const ROUNDINGS = ['', '_rte', '_rtp', '_rtn', '_rtz'];

/** All conversions to each type. */
function conversions() {
  const to = (target) => {
    const saturations = ['half', 'float', 'double'].includes(target) ? [''] : ['', '_sat'];
    return saturations.flatMap((saturation) =>
      ROUNDINGS.flatMap((rounding) => TYPES.map((source) => `${target}${saturation}${rounding}_${source}`)),
    );
  };
  return Object.fromEntries(TYPES.map((target) => [`to_${target}`, to(target)]));
}

const SIZES = [[], ['use_pitches'], ['max_images']];
const FILTERS = ['CL_FILTER_NEAREST', 'CL_FILTER_LINEAR'];

export const SUITES = [
  plain('computeinfo'),
  plain('api'),
  plain('basic'),
  plain('compiler'),
  plain('commonfns'),
  plain('geometrics'),
  plain('relationals'),
  plain('thread_dimensions'),
  plain('multiple_device_context', 'multiple_device_context/test_multiples'),
  plain('atomics'),
  plain('profiling'),
  plain('events'),
  { ...plain('allocations'), args: ['single', '5', 'all'] },
  plain('vectors'),
  plain('printf'),
  plain('device_partition'),
  plain('buffers'),
  plain('mem_host_flags'),
  plain('images clGetInfo', 'images/clGetInfo/test_cl_get_info'),
  plain('images kernel_image_methods', 'images/kernel_image_methods/test_kernel_image_methods'),
  ...images(
    'kernel_read_write',
    'test_image_streams',
    FILTERS.flatMap((filter) => SIZES.map((size) => [...size, filter])),
  ),
  ...images('clCopyImage', 'test_cl_copy_images', [[], ['small_images'], ['max_images']]),
  ...images('clReadWriteImage', 'test_cl_read_write_images', SIZES),
  ...images('clFillImage', 'test_cl_fill_images', SIZES),
  ...images('samplerlessReads', 'test_samplerless_reads', SIZES),
  long('select'),
  { ...long('conversions'), parts: conversions() },
  plain('contractions'),
  long('math_brute_force', 'math_brute_force/test_bruteforce'),
  long('integer_ops'),
  long('half'),
  plain('c11_atomics'),
  plain('device_execution'),
  plain('generic_address_space'),
  plain('non_uniform_work_group'),
  plain('pipes'),
  plain('SVM', 'SVM/test_svm'),
  plain('workgroups'),
  plain('device_timer'),
  { ...plain('spirv_new'), args: ['--spirv-binaries-path', 'spirv_bin'] },
  plain('subgroups'),
  ...images('kernel_read_write', 'test_image_streams', [['test_mipmaps', 'CL_FILTER_NEAREST']]),
  ...images('clCopyImage', 'test_cl_copy_images', [['test_mipmaps']]),
  ...images('clReadWriteImage', 'test_cl_read_write_images', [['test_mipmaps']]),
  extension('cl_ext_cxx_for_opencl'),
  extension('cl_khr_semaphore'),
  extension('cl_khr_external_semaphore'),
  extension('cl_khr_command_buffer'),
  extension(
    'cl_khr_command_buffer_mutable_dispatch',
    'cl_khr_command_buffer/cl_khr_command_buffer_mutable_dispatch',
    'cl_khr_mutable_dispatch',
  ),
  extension('cl_khr_kernel_clock'),
  extension('cl_ext_buffer_device_address'),
  extension('cl_khr_external_memory_dma_buf'),
];
