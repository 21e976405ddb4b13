// SPDX-License-Identifier: MIT
import { type BackendArgument, LocalArgument } from '../backend/backend-queue';
import { ErrorCode } from '../cl/constants.gen';
import { OpenCLError } from '../cl/opencl-error';
import { ArgumentKind, type Requests } from './messages.gen';
import type { Objects } from './objects';

/** A kernel argument as the backend takes it. */
export function argumentOf(
  objects: Objects,
  { kind, object, size, value }: Pick<Requests['setArgument'], 'kind' | 'object' | 'size' | 'value'>,
): BackendArgument {
  switch (kind as ArgumentKind) {
    case ArgumentKind.Value:
      return value;
    case ArgumentKind.Local:
      return new LocalArgument(size);
    case ArgumentKind.Null:
      return null;
    case ArgumentKind.Address:
      return objects.svmBytes(size);
    case ArgumentKind.Object: {
      const found =
        objects.find('memory', object) ??
        objects.find('sampler', object) ??
        objects.find('deviceQueue', object);
      if (found) return found;
      throw new OpenCLError(ErrorCode.INVALID_ARG_VALUE, 'clSetKernelArg');
    }
  }
}
