// SPDX-License-Identifier: MIT
import type { OpenDocument } from './document';
import type { Place } from './name-index';

/** Where the name at an offset is declared; the included file for the name of an `#include`. */
export function definitions(document: OpenDocument, offset: number): readonly Place[] {
  const include = document.names.includeAt(offset);
  if (include !== undefined) return [{ file: include.path, offset: 0, length: 0 }];
  return document.names.at(offset)?.entity.declarations ?? [];
}

/** All places of the name at an offset, its declarations included if asked for. */
export function references(
  document: OpenDocument,
  offset: number,
  withDeclarations: boolean,
): readonly Place[] {
  const entity = document.names.at(offset)?.entity;
  if (entity === undefined) return [];
  return withDeclarations ? [...entity.declarations, ...entity.uses] : entity.uses;
}
