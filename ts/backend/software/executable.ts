// SPDX-License-Identifier: MIT
import type { KernelBinary, KernelSignature } from '../../base/kernel-abi';
import type { Block } from '../../device/allocator';
import type { Device } from '../../device/device';
import type { LoadedKernel } from '../../device/pool';
import type { JitOptions, JitProgram } from '../../jit/compiled';
import { ErrorCode } from '../cl.gen';
import { OpenCLError } from '../opencl-error';
import { Counted } from './counted';
import { allocate } from './memory';

/** A kernel in the form that workers run. */
export interface RunnableKernel {
  readonly binary: KernelBinary;
  readonly loaded: LoadedKernel;
}

/** A program that was built: its kernels, compiled as they are first used, and its program-scope variables. */
export class Executable extends Counted {
  private readonly kernels = new Map<string, RunnableKernel>();
  private globals: Block | undefined;

  constructor(
    private readonly device: Device,
    private readonly jit: JitProgram,
    private readonly settings: JitOptions,
    /** Local sizes must divide the global ones. */
    readonly uniformWorkGroups: boolean,
  ) {
    super();
  }

  get names(): string[] {
    return [...this.jit.binary.kernels.keys()];
  }

  get globalBytes(): number {
    return this.jit.binary.globals.length;
  }

  signature(name: string): KernelSignature | undefined {
    return this.jit.binary.kernels.get(name);
  }

  /** Compiles the kernel unless it has been. */
  kernel(name: string): RunnableKernel {
    const known = this.kernels.get(name);
    if (known) return known;
    const { host, pool } = this.device;
    let kernel: RunnableKernel;
    try {
      const binary = this.jit.compileKernel(name, this.settings);
      kernel = { binary, loaded: pool.load(name, host.compileWasm(binary.wasm)) };
    } catch (error) {
      if (!(error instanceof Error) || error.name === 'InvariantError') throw error;
      throw new OpenCLError(
        ErrorCode.OUT_OF_RESOURCES,
        'clEnqueueNDRangeKernel',
        `kernel '${name}' cannot be compiled for this device: ${error.message}`,
      );
    }
    if (host.env('ANYCL_DEBUG')?.split(',').includes('jit')) {
      for (const remark of kernel.binary.remarks) console.error(`${name}: ${remark}`);
    }
    this.kernels.set(name, kernel);
    return kernel;
  }

  /** Address of the program-scope variables and constants, made when first asked for. */
  globalsAddress(): number {
    const { globals, globalsAlign, relocations } = this.jit.binary;
    if (globals.length === 0) return 0;
    if (this.globals) return this.globals.address;
    const block = allocate(this.device, globals.length, globalsAlign, 'clEnqueueNDRangeKernel');
    this.device.memory.bytes(block.address, globals.length).set(globals);
    const view = new DataView(this.device.memory.memory.buffer, block.address, globals.length);
    for (const at of relocations) view.setUint32(at, view.getUint32(at, true) + block.address, true);
    this.globals = block;
    return block.address;
  }

  protected override destroy(): void {
    for (const { loaded } of this.kernels.values()) this.device.pool.unload(loaded);
    this.kernels.clear();
    if (this.globals) this.device.memory.free(this.globals);
  }
}
