// SPDX-License-Identifier: MIT
//
// Options of contexts, and the property list that OpenCL makes of them (without the closing 0).

import { ROBUST_PROPERTY } from '../../base/bounds';
import {
  CHECK_PROPERTY,
  type Check,
  checkProperty,
  DEFAULT_LOOP_BUDGET,
  expandChecks,
} from '../../base/checks';
import { COVERAGE_PROPERTY } from '../../base/coverage';
import { LIMIT_PROPERTIES } from '../../base/limit-properties';
import { ContextProperty, ErrorCode } from '../../cl/constants.gen';
import { OpenCLError } from '../../cl/opencl-error';

/** A property without an option of anycl, such as a vendor's: its number and value. */
export type Properties = readonly (readonly [key: number, value: number | bigint])[];

/** Options of `device.createContext` and `Context.create`. */
export interface ContextOptions {
  /** A GL or EGL context to share objects with (cl_khr_gl_sharing), by the handles of its window system. */
  readonly gl?: {
    readonly context: bigint;
    /** EGLDisplay, GLX Display*, WGL's HDC or CGL's share group, as `system` says. */
    readonly display: bigint;
    readonly system: 'egl' | 'glx' | 'wgl' | 'cgl';
  };
  /** The script synchronizes with the other API itself (CL_CONTEXT_INTEROP_USER_SYNC). */
  readonly interopUserSync?: boolean;
  /** `context.terminate()` will be used (cl_khr_terminate_context). */
  readonly terminable?: boolean;
  /** Local, private memory, or both, start as zeros (cl_khr_initialize_memory). */
  readonly initialize?: 'local' | 'private' | 'both';
  /**
   * Faults of kernels to look for, on the software device: `event.faults` has those of a launch. Kernels run many times slower
   * then. `all` stands for all but `arithmetic` and `loops`, which correct programs may fail, too.
   */
  readonly check?: 'all' | readonly ('all' | Check)[];
  /**
   * Kernels count what they execute, on the software device: `event.coverage` says how often each line, branch and function was
   * executed. `'memory'`: also the cache lines and bank conflicts of their accesses; they run many times slower then.
   */
  readonly coverage?: boolean | 'memory';
  /** For `check: ['loops']`: how many iterations of loops a work-item may do; a million if it is left out. */
  readonly checkBudget?: number;
  /**
   * How many milliseconds each launch and each command buffer may run on the software device, unless the call says otherwise
   * (`StopOptions.timeout`).
   */
  readonly timeout?: number;
  /**
   * On the software device, kernels access only the memory that they are given, whatever addresses they compute. Accesses out
   * of bounds are redirected into the same memory, or to memory that nothing else uses. Such kernels run slower.
   */
  readonly robust?: boolean;
  /** How many bytes the context may allocate in all on the software device, including what kernels need while they run. */
  readonly maxMemory?: number;
  /** Further properties (cl_context_properties) by number, as pairs of name and value. */
  readonly properties?: Properties;
}

const GL_DISPLAYS = {
  egl: ContextProperty.EGL_DISPLAY_KHR,
  glx: ContextProperty.GLX_DISPLAY_KHR,
  wgl: ContextProperty.WGL_HDC_KHR,
  cgl: ContextProperty.CGL_SHAREGROUP_KHR,
} as const;
const INITIALIZE = { local: 1, private: 2, both: 3 } as const;

/** Options that drivers would pass over. */
const SOFTWARE_ONLY: readonly (readonly [keyof ContextOptions, string])[] = [
  ['check', 'checks kernels'],
  ['coverage', 'counts what kernels execute'],
  ['timeout', 'ends kernels'],
  ['robust', 'keeps kernels to what they are given'],
  ['maxMemory', 'limits the memory of a context'],
];

/** The requirement of an option on a device. */
const CONTEXT_OPTIONS_NEED: Readonly<Partial<Record<keyof ContextOptions, string>>> = {
  gl: 'cl_khr_gl_sharing',
  terminable: 'cl_khr_terminate_context',
  initialize: 'cl_khr_initialize_memory',
};

/** Checked here because many drivers ignore unknown properties. Throws INVALID_PROPERTY. */
export function checkContextOptions(
  devices: readonly {
    readonly name: string;
    readonly type: string;
    readonly extensions: readonly string[];
  }[],
  options: ContextOptions,
  functionName: string,
): void {
  const other = devices.find(({ type }) => type !== 'software');
  for (const [name, what] of SOFTWARE_ONLY) {
    if (!options[name] || !other) continue;
    throw new OpenCLError(
      ErrorCode.INVALID_PROPERTY,
      functionName,
      `\`options.${name}\`: only the software device ${what}, '${other.name}' cannot; open it with { device: 'software' }`,
    );
  }
  for (const [name, extension] of Object.entries(CONTEXT_OPTIONS_NEED)) {
    if (!options[name as keyof ContextOptions]) continue;
    const without = devices.find((device) => !device.extensions.includes(extension));
    if (!without) continue;
    const detail = `\`options.${name}\` needs ${extension}, which '${without.name}' does not have`;
    throw new OpenCLError(ErrorCode.INVALID_PROPERTY, functionName, detail);
  }
}

export function contextProperties(options: ContextOptions): bigint[] {
  const list: (number | bigint)[] = [];
  if (options.gl) {
    list.push(ContextProperty.GL_CONTEXT_KHR, options.gl.context);
    list.push(GL_DISPLAYS[options.gl.system], options.gl.display);
  }
  if (options.interopUserSync) list.push(ContextProperty.INTEROP_USER_SYNC, 1);
  if (options.terminable) list.push(ContextProperty.TERMINATE_KHR, 1);
  if (options.initialize) list.push(ContextProperty.MEMORY_INITIALIZE_KHR, INITIALIZE[options.initialize]);
  if (options.timeout !== undefined) list.push(LIMIT_PROPERTIES.timeout, options.timeout);
  if (options.coverage) list.push(COVERAGE_PROPERTY, options.coverage === 'memory' ? 2 : 1);
  if (options.robust) list.push(ROBUST_PROPERTY, 1);
  if (options.maxMemory !== undefined) list.push(LIMIT_PROPERTIES.memory, options.maxMemory);
  if (options.check) {
    const budget = options.checkBudget ?? DEFAULT_LOOP_BUDGET;
    list.push(CHECK_PROPERTY, checkProperty(expandChecks(options.check), budget));
  }
  return [...list, ...(options.properties ?? []).flat()].map(BigInt);
}
