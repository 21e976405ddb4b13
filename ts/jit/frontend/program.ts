// SPDX-License-Identifier: MIT
//
// A linked module, prepared for compilation: its memory image, its kernels' signatures, and each kernel's IR on demand.
import type { Check } from '../../base/checks';
import type { CounterTable } from '../../base/coverage';
import {
  type AddressBits,
  type KernelSignature,
  LOCAL_MEMORY_ALIGN,
  type ProgramBinary,
} from '../../base/kernel-abi';
import { AddressingModel, Decoration, ExecutionMode, ExecutionModel } from '../../spirv/grammar.gen';
import type { EntryPoint, Id, Module } from '../../spirv/module';
import type { MemoryNames } from '../checks/table';
import type { Library } from '../compiled';
import type { Func } from '../ir/ir';
import { JitError } from '../jit-error';
import { blockEntry, namesOfCaptures, numberBlocks, placeOfBlock } from './blocks';
import { Counters } from './counters';
import type { DebugMarkers } from './debug-markers';
import { translateKernel } from './kernel';
import { LibraryBodies, type SimplifyBody } from './library-bodies';
import { MemoryImage } from './memory-image';
import { ModuleIndex } from './module-index';
import { checkVariable, Modules } from './reach';
import { kernelSignature } from './signature';

interface Kernel {
  readonly entry: EntryPoint;
  readonly signature: KernelSignature;
  readonly locals: ReadonlyMap<Id, number>;
}

export interface TranslateOptions {
  /** Simplifies library functions that the kernel calls many times. */
  readonly simplifyBody?: SimplifyBody;
  /** Private variables without an initializer start as zeros. */
  readonly zeroPrivate?: boolean;
  /** Whether `fma` is an instruction of the engine; otherwise the library corrects that of doubles. */
  readonly fusedMultiplyAdd?: boolean | undefined;
  /** For a checked run: with what its reports name. */
  readonly checks?: readonly Check[] | undefined;
  /** Records what a debugger shows. */
  readonly debug?: DebugMarkers | undefined;
  /** Whether it counts what it executes. */
  readonly coverage?: boolean | undefined;
}

const NO_NAMES: ReadonlyMap<number, string> = new Map();

export class Program {
  readonly binary: ProgramBinary;
  readonly image = new MemoryImage();
  private readonly modules: Modules;
  private readonly kernels = new Map<string, Kernel>();
  /** The functions that kernels enqueue, and their numbers. */
  private readonly blocks: ReadonlyMap<Id, number>;
  private allCounters: Counters | undefined;

  /** @param addressBits of the device's memory. */
  constructor(module: Module, library: Library, addressBits: AddressBits = 32) {
    if (addressBits === 64 && module.addressing === AddressingModel.Physical32)
      throw new JitError(
        'the module has 32-bit pointers (Physical32) and the device 64-bit addresses; compile it for spir64, or use the software device with 32-bit addresses',
      );
    const index = new ModuleIndex(module, addressBits);
    this.modules = new Modules(index, library);
    this.image.addVariables(index);
    this.blocks = numberBlocks(module);
    const blocks = [...this.blocks.keys()].map((id) => blockEntry(index, id));
    for (const entry of [...module.entryPoints, ...blocks]) {
      if (entry.model !== ExecutionModel.Kernel) continue;
      const f = index.functions.get(entry.function);
      if (!f) throw new JitError(`the kernel '${entry.name}' has no function`);
      const reached = this.modules.reach(f);
      for (const used of reached.libraryModules) this.image.addVariables(used);
      for (const constant of reached.largeConstants) this.image.addConstant(constant.index, constant.id);
      const { offsets, bytes } = layOutLocals(index, reached.locals);
      this.kernels.set(entry.name, {
        entry,
        signature: {
          ...kernelSignature(index, entry, bytes),
          ...(blocks.includes(entry) ? { isBlock: true, ...placeOfBlock(index, f) } : {}),
          ...(reached.enqueues ? { enqueues: true } : {}),
        },
        locals: offsets,
      });
    }
    this.binary = {
      globals: this.image.finish(),
      globalsAlign: this.image.align,
      relocations: this.image.relocations,
      blocks: blocks.map(({ name }) => name),
      kernels: new Map([...this.kernels].map(([name, kernel]) => [name, kernel.signature])),
    };
  }

  /** The kernel before any pass, except that library functions which it calls many times are simplified. */
  translate(
    name: string,
    {
      simplifyBody,
      zeroPrivate = false,
      fusedMultiplyAdd = false,
      checks,
      coverage,
      debug,
    }: TranslateOptions = {},
  ): { func: Func; signature: KernelSignature; names: MemoryNames; counters?: CounterTable } {
    const kernel = this.kernels.get(name);
    if (!kernel) throw new JitError(`the program has no kernel '${name}'`);
    const { own } = this.modules;
    const contract = !own.module.executionModes.some(
      (m) => m.function === kernel.entry.function && m.mode === ExecutionMode.ContractionOff,
    );
    if (coverage) this.allCounters ??= new Counters(own);
    const counters = coverage ? this.allCounters : undefined;
    const privates = new Map<number, string>();
    const func = translateKernel(kernel.signature, own.functions.get(kernel.entry.function)!, {
      modules: this.modules,
      image: this.image,
      locals: kernel.locals,
      blocks: this.blocks,
      contract,
      zeroPrivate,
      fusedMultiplyAdd,
      counters,
      debug,
      checks,
      privates,
      outOfLine: new Map(),
      bodies: simplifyBody && new LibraryBodies(simplifyBody, kernel.signature),
    });
    const locals = [...kernel.locals].map(([id, offset]) => {
      const { size } = own.types.pointee(own.types.get(own.definition(id).type));
      return { name: shortName(own.nameOf(id)), offset, size };
    });
    const names = {
      locals,
      privates,
      captures: kernel.signature.isBlock ? namesOfCaptures(own, kernel.entry.function) : NO_NAMES,
      global: (offset: number) => this.image.variableAt(offset),
    };
    return { func, signature: kernel.signature, names, ...(counters ? { counters: counters.table } : {}) };
  }
}

/** Without the function's name, which compilers add as a prefix. */
const shortName = (name: string) => name.slice(name.lastIndexOf('.') + 1);

function layOutLocals(
  index: ModuleIndex,
  locals: readonly Id[],
): { offsets: ReadonlyMap<Id, number>; bytes: number } {
  const offsets = new Map<Id, number>();
  let end = 0;
  for (const id of locals) {
    const info = index.types.pointee(index.types.get(index.definition(id).type));
    const align = Math.max(info.align, index.decoration(id, Decoration.Alignment)?.[0] ?? 1);
    if (align > LOCAL_MEMORY_ALIGN)
      throw new JitError(
        `the local variable '${index.nameOf(id)}' is aligned to ${align} bytes; the device aligns local memory to ${LOCAL_MEMORY_ALIGN} at most`,
      );
    end = Math.ceil(end / align) * align;
    offsets.set(id, end);
    end += info.size;
    checkVariable(index, id, end);
  }
  return { offsets, bytes: end };
}
