// SPDX-License-Identifier: MIT
// The messages between libanycl-icd and its server, declared once. scripts/generate/generators/icd-messages.mjs makes both sides' types,
// encoders and decoders of it. What the two sides do is in docs/adr/0022-icd-process-and-protocol.md.

/**
 * The types of fields: how each is written (`as` a C++ type that is read, `ts` what a handler gets).
 * All numbers are little-endian; a list is its length as a u32 and its elements.
 */
export const FIELD_TYPES = {
  u32: { cpp: 'uint32_t', ts: 'number' },
  i32: { cpp: 'int32_t', ts: 'number' },
  /** Sizes, offsets and flags: all below 2^53 where valid. A larger one arrives rounded, and is too large all the same. */
  u64: { cpp: 'uint64_t', ts: 'number' },
  /** An object; 0 is none. Ids are made by the client. */
  id: { cpp: 'uint32_t', ts: 'number' },
  ids: { cpp: 'Slice<uint32_t>', ts: 'readonly number[]' },
  sizes: { cpp: 'Slice<uint64_t>', ts: 'readonly number[]' },
  /** Lists of properties, which may hold any 64 bits. */
  properties: { cpp: 'Slice<uint64_t>', ts: 'readonly bigint[]' },
  bytes: { cpp: 'Slice<uint8_t>', ts: 'Uint8Array' },
  text: { cpp: 'std::string_view', ts: 'string' },
  texts: { cpp: 'Slice<std::string_view>', ts: 'readonly string[]' },
};

/** Objects of which `info` asks, and what `index` and `input` are there. */
export const INFO_SUBJECTS = [
  'platform',
  'device',
  'queue',
  'memory',
  'image',
  'pipe',
  'sampler',
  'program',
  'programBuild',
  'kernel',
  'kernelArgument',
  'kernelWorkGroup',
  'kernelSubGroup',
  'event',
  'eventProfiling',
  'semaphore',
];

/** What the parameters of kernels are. */
export const PARAMETER_KINDS = ['value', 'buffer', 'local', 'image', 'sampler', 'pipe', 'queue'];

/** How a kernel argument is given. */
export const ARGUMENT_KINDS = ['value', 'object', 'local', 'null', 'address'];

const COMMAND = { queue: 'id', wait: 'ids', event: 'id' };
/** If the queue has nothing left to do: how many commands it has accepted. Otherwise 0. */
const IDLE = { idle: 'u32' };
const TRIPLES = { origin: 'sizes', region: 'sizes' };

/** The operands of commands that are enqueued, or recorded into a command buffer. */
const RECORDABLE = {
  Kernel: { kernel: 'id', offset: 'sizes', global: 'sizes', local: 'sizes' },
  CopyBuffer: { from: 'id', to: 'id', fromOffset: 'u64', toOffset: 'u64', size: 'u64' },
  CopyBufferRect: {
    from: 'id',
    to: 'id',
    fromOrigin: 'sizes',
    toOrigin: 'sizes',
    region: 'sizes',
    fromRowPitch: 'u64',
    fromSlicePitch: 'u64',
    toRowPitch: 'u64',
    toSlicePitch: 'u64',
  },
  FillBuffer: { buffer: 'id', offset: 'u64', size: 'u64', pattern: 'bytes' },
  CopyImage: { from: 'id', to: 'id', fromOrigin: 'sizes', toOrigin: 'sizes', region: 'sizes' },
  FillImage: { image: 'id', ...TRIPLES, color: 'bytes' },
  CopyImageToBuffer: { from: 'id', to: 'id', ...TRIPLES, toOffset: 'u64' },
  CopyBufferToImage: { from: 'id', to: 'id', fromOffset: 'u64', ...TRIPLES },
  /** Addresses of shared virtual memory. */
  SvmMemcpy: { to: 'u64', from: 'u64', size: 'u64' },
  SvmFill: { to: 'u64', size: 'u64', pattern: 'bytes' },
  Barrier: {},
};

const prefixed = (prefix, fields, reply) =>
  Object.fromEntries(
    Object.entries(RECORDABLE).map(([name, operands]) => [
      prefix + name,
      { fields: { ...fields, ...operands }, reply },
    ]),
  );

/** Client to server. With `reply` (its fields after the status) the client waits for the answer; without, nothing comes back. */
export const REQUESTS = {
  /** The first of all: both sides say which protocol they were generated from. Its place and its fields never change. */
  hello: { fields: { protocol: 'u32' }, reply: { protocol: 'u32' } },
  /** `object` of a device is 0, or the id of a sub-device. `index` is the argument's, or the device's of a program or a kernel. */
  info: {
    fields: { subject: 'u32', object: 'id', param: 'u32', index: 'u32', input: 'sizes' },
    reply: { value: 'bytes' },
  },
  release: { fields: { object: 'id' } },
  /** Requests `destroyed` for when the object is freed. */
  watchDestruction: { fields: { object: 'id' }, reply: {} },
  /** The ids of the parts count from `first`; the client has reserved one for each compute unit. */
  createSubDevices: {
    fields: { device: 'id', first: 'id', properties: 'sizes' },
    reply: { count: 'u32' },
  },
  createContext: { fields: { id: 'id', devices: 'ids', properties: 'properties' }, reply: {} },
  terminateContext: { fields: { context: 'id' }, reply: {} },
  /** `size` of a queue on the device; 0 of others. */
  createQueue: {
    fields: { id: 'id', context: 'id', device: 'id', properties: 'properties' },
    reply: { size: 'u32' },
  },
  setDefaultQueue: { fields: { context: 'id', queue: 'id' }, reply: {} },
  /**
   * `svm` is the address of shared virtual memory that the buffer is over; 0 where it has memory of its own. If `staged` is not 0,
   * the buffer should use the pages of the staging memory from there on; the reply says whether it does. `destroyed` reports the end of
   * such a buffer. The server maps all pages of a slab, `slabSize` bytes from `slab` on, with the first buffer in it, and unmaps them
   * with the last.
   */
  createBuffer: {
    fields: {
      id: 'id',
      context: 'id',
      flags: 'u64',
      size: 'u64',
      svm: 'u64',
      staged: 'u64',
      slab: 'u64',
      slabSize: 'u64',
      properties: 'properties',
    },
    reply: { shared: 'u32' },
  },
  /** Shared virtual memory at an address that the client has chosen, where it maps the staging memory from `staged` on. */
  svmAlloc: {
    fields: { id: 'id', context: 'id', flags: 'u64', size: 'u64', address: 'u64', staged: 'u64' },
    reply: {},
  },
  createSubBuffer: {
    fields: { id: 'id', parent: 'id', flags: 'u64', origin: 'u64', size: 'u64' },
    reply: {},
  },
  createImage: {
    fields: {
      id: 'id',
      context: 'id',
      flags: 'u64',
      order: 'u32',
      type: 'u32',
      objectType: 'u32',
      width: 'u64',
      height: 'u64',
      depth: 'u64',
      arraySize: 'u64',
      mipLevels: 'u32',
      rowPitch: 'u64',
      slicePitch: 'u64',
      parent: 'id',
    },
    reply: {},
  },
  /** The first contents of a memory object, from the staging memory. */
  fillMemory: { fields: { memory: 'id', staged: 'u64', size: 'u64' }, reply: {} },
  imageFormats: { fields: { context: 'id', flags: 'u64', objectType: 'u32' }, reply: { formats: 'bytes' } },
  createSampler: { fields: { id: 'id', context: 'id', properties: 'properties' }, reply: {} },
  createPipe: {
    fields: { id: 'id', context: 'id', flags: 'u64', packetSize: 'u32', maxPackets: 'u32' },
    reply: {},
  },
  programWithSource: { fields: { id: 'id', context: 'id', source: 'bytes' }, reply: {} },
  programWithIL: { fields: { id: 'id', context: 'id', il: 'bytes' }, reply: {} },
  programWithBinary: { fields: { id: 'id', context: 'id', binary: 'bytes' }, reply: {} },
  programBinary: { fields: { program: 'id' }, reply: { binary: 'bytes' } },
  /** Replied to when the build is done. */
  buildProgram: { fields: { program: 'id', options: 'text' }, reply: {} },
  compileProgram: {
    fields: { program: 'id', options: 'text', headers: 'ids', names: 'texts' },
    reply: {},
  },
  /** The program exists after a failed link too, for its log: `result` says how it went. */
  linkProgram: {
    fields: { id: 'id', context: 'id', options: 'text', inputs: 'ids' },
    reply: { result: 'i32' },
  },
  specializationConstant: { fields: { program: 'id', constant: 'u32', value: 'bytes' }, reply: {} },
  /** `parameters` has an index into PARAMETER_KINDS for each. */
  createKernel: { fields: { id: 'id', program: 'id', name: 'text' }, reply: { parameters: 'bytes' } },
  cloneKernel: { fields: { id: 'id', kernel: 'id' }, reply: { parameters: 'bytes' } },
  setArgument: {
    fields: { kernel: 'id', index: 'u32', kind: 'u32', object: 'id', size: 'u64', value: 'bytes' },
    reply: {},
  },
  /** An address in a buffer, of which the client knows no more (cl_ext_buffer_device_address). */
  setDevicePointer: { fields: { kernel: 'id', index: 'u32', address: 'u64' }, reply: {} },
  suggestedLocalSize: {
    fields: { queue: 'id', kernel: 'id', offset: 'sizes', global: 'sizes' },
    reply: { local: 'sizes' },
  },
  createSemaphore: { fields: { id: 'id', context: 'id', properties: 'properties' }, reply: {} },
  createUserEvent: { fields: { id: 'id', context: 'id' }, reply: {} },
  setUserEventStatus: { fields: { event: 'id', status: 'i32' }, reply: {} },
  /** Requests `reached` for when the event's status is `status` or a later one. */
  watchEvent: { fields: { event: 'id', status: 'i32', token: 'u32' }, reply: {} },
  timers: { fields: {}, reply: { device: 'u64', host: 'u64' } },

  // Commands: `event` is the id of the event that is made, 0 for none. `completed` reports its end.
  enqueueReadBuffer: {
    fields: { ...COMMAND, buffer: 'id', offset: 'u64', size: 'u64', staged: 'u64' },
    reply: IDLE,
  },
  enqueueWriteBuffer: {
    fields: { ...COMMAND, buffer: 'id', offset: 'u64', size: 'u64', staged: 'u64' },
    reply: IDLE,
  },
  /** The host's side of a rectangle is staged without gaps. */
  enqueueReadBufferRect: {
    fields: { ...COMMAND, buffer: 'id', ...TRIPLES, rowPitch: 'u64', slicePitch: 'u64', staged: 'u64' },
    reply: IDLE,
  },
  enqueueWriteBufferRect: {
    fields: { ...COMMAND, buffer: 'id', ...TRIPLES, rowPitch: 'u64', slicePitch: 'u64', staged: 'u64' },
    reply: IDLE,
  },
  enqueueReadImage: { fields: { ...COMMAND, image: 'id', ...TRIPLES, staged: 'u64' }, reply: IDLE },
  enqueueWriteImage: { fields: { ...COMMAND, image: 'id', ...TRIPLES, staged: 'u64' }, reply: IDLE },
  /** The region's bytes come into the staging memory unless `flags` say that they are all to be written. */
  enqueueMapBuffer: {
    fields: { ...COMMAND, buffer: 'id', flags: 'u64', offset: 'u64', size: 'u64', staged: 'u64' },
    reply: IDLE,
  },
  enqueueMapImage: {
    fields: { ...COMMAND, image: 'id', flags: 'u64', ...TRIPLES, staged: 'u64' },
    reply: IDLE,
  },
  /** What was mapped for writing goes back from the staging memory. */
  enqueueUnmapBuffer: {
    fields: { ...COMMAND, buffer: 'id', offset: 'u64', size: 'u64', staged: 'u64', write: 'u32' },
    reply: IDLE,
  },
  enqueueUnmapImage: {
    fields: { ...COMMAND, image: 'id', ...TRIPLES, staged: 'u64', write: 'u32' },
    reply: IDLE,
  },
  enqueueMigrate: { fields: { ...COMMAND, memories: 'ids', flags: 'u64' }, reply: IDLE },
  /** Between shared virtual memory and the staging memory. */
  enqueueSvmRead: { fields: { ...COMMAND, from: 'u64', size: 'u64', staged: 'u64' }, reply: IDLE },
  enqueueSvmWrite: { fields: { ...COMMAND, to: 'u64', size: 'u64', staged: 'u64' }, reply: IDLE },
  /** A command of `type` that has nothing to do here: maps of memory that both sides see, and what the client does at its end. */
  enqueueNothing: { fields: { ...COMMAND, type: 'u32' }, reply: IDLE },
  /** A command that the client carries out on shared pages: when `reached` has named `token`, until `endTurn`. */
  enqueueTurn: { fields: { ...COMMAND, type: 'u32', memory: 'id', token: 'u32' }, reply: IDLE },
  endTurn: { fields: { event: 'id' } },
  /** A command of `type` that the client has carried out on shared pages while the queue was idle. */
  noteDone: { fields: { queue: 'id', event: 'id', type: 'u32' } },
  enqueueMarker: { fields: COMMAND, reply: IDLE },
  enqueueWaitSemaphores: { fields: { ...COMMAND, semaphores: 'ids' }, reply: IDLE },
  enqueueSignalSemaphores: { fields: { ...COMMAND, semaphores: 'ids' }, reply: IDLE },
  enqueueCommandBuffer: { fields: { ...COMMAND, commandBuffer: 'id' }, reply: IDLE },
  ...prefixed('enqueue', COMMAND, IDLE),
  /** Replied to when all that was enqueued before is complete. */
  finish: { fields: { queue: 'id' }, reply: IDLE },

  createCommandBuffer: {
    fields: { id: 'id', context: 'id', queue: 'id', properties: 'properties' },
    reply: {},
  },
  /** `point` is a sync point; `command` names a kernel run for `updateCommand`. */
  ...prefixed('record', { commandBuffer: 'id', after: 'ids' }, { point: 'u32', command: 'u32' }),
  finalizeCommandBuffer: { fields: { commandBuffer: 'id' }, reply: {} },
  /** Empty lists leave sizes as they are. Of each argument: index, kind, object, size, and the bytes of a value, one after the other. */
  updateCommand: {
    fields: {
      commandBuffer: 'id',
      command: 'u32',
      offset: 'sizes',
      global: 'sizes',
      local: 'sizes',
      indices: 'ids',
      kinds: 'ids',
      objects: 'ids',
      lengths: 'sizes',
      values: 'bytes',
    },
    reply: {},
  },
};

/** Notifications from the server to the client. */
export const NOTIFICATIONS = {
  /** The command is complete: 0, or a negative error code. `idle` as in replies to commands; 0 for user events. */
  completed: { event: 'id', status: 'i32', ...IDLE },
  reached: { token: 'u32', status: 'i32' },
  destroyed: { object: 'id' },
  /** What a kernel printed. */
  printed: { text: 'bytes' },
};
