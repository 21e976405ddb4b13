// SPDX-License-Identifier: MIT
//
// The outline of a source: its declarations at file scope.
import { describe } from './describe';
import type { OpenDocument } from './document';
import type { Entity, Place } from './name-index';

export interface OutlineEntry {
  readonly name: string;
  readonly kind: 'kernel' | 'function' | 'variable' | 'struct' | 'enum' | 'typedef' | 'macro';
  readonly detail: string;
  readonly place: Place;
}

/** The declarations of file scope, in the order of the text. */
export function outline({ names }: OpenDocument): readonly OutlineEntry[] {
  return names.entities
    .flatMap((entity) => {
      const kind = kindOf(entity);
      const place = entity.declarations.find((each) => each.file === names.file);
      if (kind === undefined || place === undefined || entity.visible?.to !== Number.POSITIVE_INFINITY)
        return [];
      const [detail = ''] = describe(entity.name, entity.what).split('\n');
      return [{ name: entity.name, kind, detail, place }];
    })
    .sort((a, b) => a.place.offset - b.place.offset);
}

function kindOf({ what }: Entity): OutlineEntry['kind'] | undefined {
  switch (what.kind) {
    case 'function':
      return what.identity.isKernel ? 'kernel' : 'function';
    case 'tag':
      return what.identity.kind === 'record' ? 'struct' : 'enum';
    case 'variable':
    case 'typedef':
    case 'macro':
      return what.kind;
    default:
      return undefined;
  }
}
