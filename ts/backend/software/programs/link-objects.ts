// SPDX-License-Identifier: MIT
//
// clLinkProgram: compiled programs and libraries become one program, here or on the compiler's thread.
import { ErrorCode } from '../../../cl/constants.gen';
import { OpenCLError } from '../../../cl/opencl-error';
import type { JitProgram } from '../../../jit/compiled';
import { unknownLinkOption } from '../build/build-options';
import { linkPrograms, type SpirvInput } from '../build/build-program';
import { isLongSpirv } from '../build/input-size';
import { attempt } from '../build/internal-errors';
import { linkElsewhere, settled } from '../compile-thread/build-elsewhere';
import type { ContextServices } from '../services';

interface LinkOptions {
  readonly options: string;
  readonly createLibrary: boolean;
  /** Whether long programs are linked on the compiler's thread. */
  readonly mayWait: boolean;
  /** Ends the link. */
  readonly signal: AbortSignal | undefined;
}

/** A library has no `jit`. */
interface Linked {
  readonly jit: JitProgram | undefined;
  readonly spirv: Uint8Array;
}

export function checkLinkOptions(options: string, functionName: string): void {
  const unknown = unknownLinkOption(options);
  if (unknown === undefined) return;
  const detail = `'${unknown}' is not an option of the linker`;
  throw new OpenCLError(ErrorCode.INVALID_LINKER_OPTIONS, functionName, detail);
}

/** Links, and passes the result to `use`. Throws OpenCLError LINK_PROGRAM_FAILURE with a log. */
export async function linkObjects(
  services: ContextServices,
  objects: readonly SpirvInput[],
  { options, createLibrary, mayWait, signal }: LinkOptions,
  use: (linked: Linked) => void,
): Promise<void> {
  const functionName = 'clLinkProgram';
  const code = ErrorCode.LINK_PROGRAM_FAILURE;
  const reproduction = () => ({
    files: Object.fromEntries(objects.map(({ bytes }, i) => [`input-${i}.spv`, bytes])),
    given: { options },
  });
  const elsewhere = mayWait && isLongSpirv(objects.map(({ bytes }) => bytes));
  const linked = elsewhere
    ? await settled(linkElsewhere(services, objects, createLibrary, signal))
    : undefined;
  // An abort's reason is the caller's, and is not reported as a failure to link.
  signal?.throwIfAborted();
  try {
    attempt({ host: services.device.host, code, functionName, reproduction }, () =>
      use(linked ? linked() : linkPrograms(services, objects, createLibrary)),
    );
  } catch (error) {
    if (error instanceof OpenCLError) throw error;
    const log = (error as Error).message;
    throw new OpenCLError(code, functionName, log, log);
  }
}
