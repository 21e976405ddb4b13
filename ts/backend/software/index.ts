// SPDX-License-Identifier: MIT
import type { Host } from '../../base/host';
import { Processor } from '../../device/device';
import type { JitOptions } from '../../jit/compiled';
import type { Backend, BackendPlatform } from '../backend';
import { jitSettings } from './build/jit-settings';
import type { Target, Toolchain } from './build/toolchain';
import { warmUp } from './build/warm-up';
import { CompileThread } from './compile-thread/compile-thread';
import { SoftwarePlatform } from './platform';
import type { Services } from './services';

/** The backend with anycl's compiler, JIT and device: available on every machine. */
export class SoftwareBackend implements Backend {
  readonly kind = 'software';
  private platform: SoftwarePlatform | undefined;
  private services: LazyServices | undefined;

  constructor(
    private readonly host: Host,
    private readonly toolchain: (host: Host) => Toolchain,
    private readonly target: Target = 'spir',
  ) {}

  platforms(): readonly BackendPlatform[] {
    if (!this.platform) {
      this.services = new LazyServices(this.host, this.toolchain, this.target);
      this.platform = new SoftwarePlatform(this, this.services);
    }
    return [this.platform];
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
  private madeSettings: JitOptions | undefined;
  private preparing: Promise<void> | undefined;

  constructor(
    readonly host: Host,
    private readonly makeToolchain: (host: Host) => Toolchain,
    readonly target: Target,
  ) {
    this.compiler = new CompileThread(host);
  }

  get processor(): Processor {
    this.madeProcessor ??= new Processor(this.host);
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

  prepare(): Promise<void> {
    this.preparing ??= warmUp(this);
    return this.preparing;
  }

  async shutdown(): Promise<void> {
    await Promise.all([this.madeProcessor?.pool.shutdown(), this.compiler.shutdown()]);
  }
}
