// SPDX-License-Identifier: MIT
//
// Finds the files that `#include` names: the headers given by name first, then beside the including file, then `-I`.

/** Reads a file that `#include` names; undefined where there is none that it may read. `folders`: those of `-I`. */
export type SourceReader = (path: string, folders: readonly string[]) => Uint8Array | undefined;

export interface IncludeOptions {
  /** Headers by the name that `#include` gives. */
  readonly headers: ReadonlyMap<string, string> | undefined;
  readonly readFile: SourceReader | undefined;
  /** `-I`, in order. */
  readonly includeDirectories: readonly string[];
}

export interface IncludedFile {
  /** For messages and `__FILE__`, and what `#pragma once` remembers. */
  readonly path: string;
  readonly text: string;
}

export class Includes {
  private readonly files = new Map<string, IncludedFile | undefined>();

  constructor(private readonly options: IncludeOptions) {}

  find(name: string, angled: boolean, from: string): IncludedFile | undefined {
    const beside = join(directoryOf(from), name);
    const header = this.header(name) ?? (angled ? undefined : this.header(beside));
    if (header) return header;
    if (isAbsolute(name)) return this.read(name);
    const folders = this.options.includeDirectories.map((folder) => join(folder, name));
    for (const path of angled ? folders : [beside, ...folders]) {
      const file = this.header(path) ?? this.read(path);
      if (file) return file;
    }
    return undefined;
  }

  private header(name: string): IncludedFile | undefined {
    const text = this.options.headers?.get(name);
    return text === undefined ? undefined : { path: name, text };
  }

  private read(path: string): IncludedFile | undefined {
    const { readFile, includeDirectories } = this.options;
    if (!readFile) return undefined;
    if (!this.files.has(path)) {
      const bytes = readFile(path, includeDirectories);
      this.files.set(path, bytes && { path, text: decodeSource(bytes) });
    }
    return this.files.get(path);
  }
}

/** Source text of bytes: UTF-8, with U+FFFD for what is not. */
export function decodeSource(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

function directoryOf(path: string): string {
  const slash = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
  return slash < 0 ? '' : path.slice(0, slash);
}

function isAbsolute(path: string): boolean {
  return /^(?:[\\/]|[A-Za-z]:[\\/])/.test(path);
}

function join(folder: string, name: string): string {
  return folder === '' ? name : /[\\/]$/.test(folder) ? folder + name : `${folder}/${name}`;
}
