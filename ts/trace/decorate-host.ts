// SPDX-License-Identifier: MIT
//
// Makes the host and the compiler's tools report the stages of compilation for the software device to a trace.
import type { Toolchain } from '../backend/software/build/toolchain';
import type { Host } from '../base/host';
import type { KernelBinary } from '../base/kernel-abi';
import { finish, type Steps } from '../base/steps';
import type { JitProgram } from '../jit/compiled';
import type { Trace } from './trace';

export function decorateHost(host: Host, trace: Trace): void {
  host.trace = trace;
  const compileWasm = host.compileWasm.bind(host);
  host.compileWasm = (bytes, wide) =>
    trace.call('WebAssembly to machine code', 'compile', { bytes: bytes.length }, () =>
      compileWasm(bytes, wide),
    );
  const compileWasmInBackground = host.compileWasmInBackground.bind(host);
  host.compileWasmInBackground = (bytes) =>
    trace.later(trace.builds, 'WebAssembly to machine code', 'compile', { bytes: bytes.length }, () =>
      compileWasmInBackground(bytes),
    );
}

export function decorateToolchain(toolchain: Toolchain, trace: Trace): Toolchain {
  const step = <T>(name: string, run: () => T): T => trace.call(name, 'compile', {}, run);
  return {
    ...toolchain,
    compile: (input) => whole(() => step('OpenCL C to SPIR-V', () => finish(toolchain.compile(input)))),
    encode: (module) => step('encode SPIR-V', () => toolchain.encode(module)),
    decode: (bytes) => step('decode SPIR-V', () => toolchain.decode(bytes)),
    validate: (module) => step('validate SPIR-V', () => toolchain.validate(module)),
    link: (modules, options) => step('link', () => toolchain.link(modules, options)),
    load: (module, addressBits) =>
      decorateProgram(
        step('load', () => toolchain.load(module, addressBits)),
        trace,
      ),
  };
}

/** A computation as one step, so that its span has nothing else in it. */
// biome-ignore lint/correctness/useYield: it has one step.
function* whole<T>(run: () => T): Steps<T> {
  return run();
}

function decorateProgram(program: JitProgram, trace: Trace): JitProgram {
  const compileKernel = program.compileKernel.bind(program);
  program.compileKernel = (name, options, watch) => {
    const binary = trace.call(`JIT: optimize ${name}`, 'compile', {}, () =>
      compileKernel(name, options, watch),
    );
    const emit: KernelBinary['module'] = (kind, atomics) =>
      trace.call(`JIT: emit ${name}`, 'compile', { kind }, () => binary.module(kind, atomics));
    return {
      ...binary,
      module: emit,
      moduleSteps: (kind, atomics) => whole(() => emit(kind, atomics)),
    };
  };
  program.kernelSteps = (...kernel) => whole(() => program.compileKernel(...kernel));
  return program;
}
