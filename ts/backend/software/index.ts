// SPDX-License-Identifier: MIT
import type { Host } from '../../base/host';
import { Turns } from '../../base/turns';
import { Processor } from '../../device/device';
import { exceeds32Bits, has64BitMemories } from '../../device/memory/memory';
import type { JitOptions } from '../../jit/compiled';
import type { Backend, BackendPlatform } from '../backend';
import { jitSettings } from './build/jit-settings';
import { SharedTask } from './build/shared-task';
import type { Target, Toolchain } from './build/toolchain';
import { warmUp } from './build/warm-up';
import { CompileThread } from './compile-thread/compile-thread';
import { SoftwarePlatform } from './platform';
import type { Services } from './services';

/** The backend with anycl's compiler, JIT and device: available on every machine. */
export class SoftwareBackend implements Backend {
  readonly kind = 'software';
  private known: readonly SoftwarePlatform[] | undefined;
  private services: LazyServices | undefined;

  constructor(
    private readonly host: Host,
    private readonly toolchain: (host: Host) => Toolchain,
    private readonly target: Target = 'spir',
  ) {}

  platforms(): readonly BackendPlatform[] {
    if (!this.known) {
      this.services = new LazyServices(this.host, this.toolchain, this.target);
      // Devices of one platform can share a context and its memory: so the one with 64-bit addresses has a platform of its own.
      const each = this.hasWide() ? [this.services, this.services.with64BitAddresses()] : [this.services];
      this.known = each.map((services) => new SoftwarePlatform(this, services));
    }
    return this.known;
  }

  /** Programs in other languages have pointers of 64 bits on the usual device (docs/adr/0022). */
  private hasWide(): boolean {
    return this.target === 'spir' && has64BitMemories() && exceeds32Bits(this.host);
  }

  /** Ends the worker threads. For tests; a process may exit with the threads running. */
  async shutdown(): Promise<void> {
    await this.services?.shutdown();
  }
}

/** Creates each part when it is first needed: a program that only lists devices reserves no memory. */
class LazyServices implements Services {
  private madeProcessor: Processor | undefined;
  private madeToolchain: Toolchain | undefined;
  readonly compiler: CompileThread;
  readonly turns: Turns;
  readonly addressBits = 32;
  private madeSettings: JitOptions | undefined;
  private readonly preparation = new SharedTask((signal) => warmUp(this, signal));

  constructor(
    readonly host: Host,
    private readonly makeToolchain: (host: Host) => Toolchain,
    readonly target: Target,
  ) {
    this.compiler = new CompileThread(host);
    this.turns = new Turns(host);
  }

  get processor(): Processor {
    this.madeProcessor ??= new Processor(this.host, this.turns);
    return this.madeProcessor;
  }

  get toolchain(): Toolchain {
    this.madeToolchain ??= this.makeToolchain(this.host);
    return this.madeToolchain;
  }

  settings(): JitOptions {
    this.madeSettings ??= jitSettings(this.host);
    return this.madeSettings;
  }

  prepare(signal?: AbortSignal): Promise<void> {
    return this.preparation.wait(signal);
  }

  /** For the device with 64-bit addresses: all is shared but how programs are compiled. */
  with64BitAddresses(): Services {
    const { host, compiler, turns } = this;
    const shared = this;
    const preparation = new SharedTask((signal) => warmUp(services, signal));
    const services: Services = {
      host,
      compiler,
      turns,
      target: 'spir64',
      addressBits: 64,
      get processor() {
        return shared.processor;
      },
      get toolchain() {
        return shared.toolchain;
      },
      settings: () => ({ ...shared.settings(), addressBits: 64 }),
      prepare: (signal) => preparation.wait(signal),
    };
    return services;
  }

  async shutdown(): Promise<void> {
    await Promise.all([this.madeProcessor?.shutdown(), this.compiler.shutdown()]);
  }
}
