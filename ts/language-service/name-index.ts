// SPDX-License-Identifier: MIT
//
// Every name of one compilation: what it stands for, where it is declared and used, and where it is visible.
import type { Location } from '../compiler/diagnostics/diagnostic';
import type { SourceMap } from '../compiler/diagnostics/source-map';
import type { Named, NameObserver } from '../compiler/frontend/name-observer';
import type { Type } from '../compiler/frontend/types';

/** A place in a file, in UTF-16 units of its text. */
export interface Place {
  readonly file: string;
  readonly offset: number;
  readonly length: number;
}

/** What a name stands for, with all its places. */
export interface Entity {
  readonly name: string;
  readonly what: Named;
  readonly declarations: readonly Place[];
  readonly uses: readonly Place[];
  /** The range of the main file in which the name is visible; undefined for names of other files. */
  readonly visible: { readonly from: number; readonly to: number } | undefined;
}

/** A name in the main file. */
export interface Occurrence extends Place {
  readonly entity: Entity;
}

export interface IncludedFile extends Place {
  /** The path that the file was requested by. */
  readonly path: string;
}

interface OpenEntity {
  readonly name: string;
  readonly what: Named;
  readonly declarations: Place[];
  readonly uses: Place[];
  visible: Entity['visible'];
}

interface Recorded {
  readonly name: string;
  readonly what: Named;
  readonly location: Location;
  readonly isDeclaration: boolean;
}

/** Records names while the compiler runs; `finish` turns locations into places. */
export class NameRecorder implements NameObserver {
  private readonly recorded: Recorded[] = [];
  private readonly scopes: { readonly begin: Location; readonly end: Location }[] = [];
  private readonly members: { readonly object: Type; readonly location: Location }[] = [];
  private readonly includes: {
    readonly path: string;
    readonly location: Location;
    readonly length: number;
  }[] = [];

  declare(name: string, what: Named, location: Location): void {
    this.recorded.push({ name, what, location, isDeclaration: true });
  }

  use(name: string, what: Named, location: Location): void {
    this.recorded.push({ name, what, location, isDeclaration: false });
  }

  scope(begin: Location, end: Location): void {
    this.scopes.push({ begin, end });
  }

  member(object: Type, location: Location): void {
    this.members.push({ object, location });
  }

  include(path: string, location: Location, length: number): void {
    this.includes.push({ path, location, length });
  }

  finish(sources: SourceMap): NameIndex {
    const inMain = (location: Location) => {
      const at = sources.offsetOf(sources.spelling(location));
      return at?.isMain && !isOfMacroBody(sources, location) ? at.offset : undefined;
    };
    const scopes = this.scopes.flatMap(({ begin, end }) => {
      const [from, to] = [inMain(begin), inMain(end)];
      return from === undefined || to === undefined ? [] : [{ from, to }];
    });
    const entities = new Map<object, OpenEntity>();
    for (const { name, what, location, isDeclaration } of this.recorded) {
      let entity = entities.get(what.identity);
      if (entity === undefined) {
        entity = { name, what, declarations: [], uses: [], visible: undefined };
        entities.set(what.identity, entity);
      }
      if (isOfMacroBody(sources, location)) continue;
      const at = sources.offsetOf(sources.spelling(location));
      if (at === undefined) continue;
      const place = { file: at.file, offset: at.offset, length: name.length };
      if (!isDeclaration) entity.uses.push(place);
      else if (!entity.declarations.some((each) => samePlace(each, place))) entity.declarations.push(place);
      if (isDeclaration && at.isMain) entity.visible ??= visibility(at.offset, scopes);
    }
    const members = this.members.flatMap(({ object, location }) => {
      const offset = inMain(location);
      return offset === undefined ? [] : [{ object, offset }];
    });
    const includes = this.includes.flatMap(({ path, location, length }) => {
      const at = sources.offsetOf(location);
      return at?.isMain ? [{ path, file: at.file, offset: at.offset, length }] : [];
    });
    const main = sources.offsetOf(1)?.file ?? '';
    return new NameIndex(main, [...entities.values()], members, includes);
  }
}

const samePlace = (a: Place, b: Place): boolean => a.file === b.file && a.offset === b.offset;

/** Whether a name is in a macro's replacement list, where each expansion would count it again. Arguments of macros count. */
function isOfMacroBody(sources: SourceMap, location: Location): boolean {
  return sources.isMacro(location) && sources.reading(location) !== sources.spelling(location);
}

/** From a declaration to the end of the innermost scope around it. A function's own name is outside of the function's scope. */
function visibility(from: number, scopes: readonly { readonly from: number; readonly to: number }[]) {
  let to = Number.POSITIVE_INFINITY;
  for (const scope of scopes) if (scope.from < from && from < scope.to && scope.to < to) to = scope.to;
  return { from, to };
}

export class NameIndex {
  private readonly occurrences: readonly Occurrence[];

  constructor(
    /** The main file's name. */
    readonly file: string,
    readonly entities: readonly Entity[],
    private readonly members: readonly { readonly object: Type; readonly offset: number }[],
    readonly includes: readonly IncludedFile[],
  ) {
    this.occurrences = entities
      .flatMap((entity) => [...entity.declarations, ...entity.uses].map((place) => ({ ...place, entity })))
      .filter((place) => place.file === file)
      .sort((a, b) => a.offset - b.offset);
  }

  /** The name that covers an offset of the main file, its end included. */
  at(offset: number): Occurrence | undefined {
    return this.occurrences.findLast((each) => each.offset <= offset && offset <= each.offset + each.length);
  }

  /** The names that are visible at an offset of the main file, without fields. An inner name hides an outer one. */
  visibleAt(offset: number): readonly Entity[] {
    const found = new Map<string, Entity>();
    for (const entity of this.entities) {
      const { visible, what, name } = entity;
      if (what.kind === 'field' || what.kind === 'tag') continue;
      const isVisible =
        visible === undefined
          ? entity.declarations.length > 0
          : visible.from < offset && offset <= visible.to;
      const other = found.get(name)?.visible;
      if (isVisible && (other === undefined || (visible !== undefined && visible.from >= other.from)))
        found.set(name, entity);
    }
    return [...found.values()];
  }

  /** The type of the object whose member is at this offset. */
  objectAt(offset: number): Type | undefined {
    return this.members.findLast((each) => each.offset === offset)?.object;
  }

  includeAt(offset: number): IncludedFile | undefined {
    return this.includes.find((each) => each.offset <= offset && offset <= each.offset + each.length);
  }
}
