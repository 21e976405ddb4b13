// SPDX-License-Identifier: MIT
//
// Finds the files that `#include` names: the headers given by name first, then beside the including file, then `-I`, then the
// compiler's own.
import { ASSERT_HEADER } from './assert';

/** Reads a file for `#include`, as described at `CompileInput.readFile`. */
export type SourceReader = (path: string, folders: readonly string[]) => Uint8Array | 'forbidden' | undefined;

export interface IncludeOptions {
  /** Headers by the name that `#include` gives. */
  readonly headers: ReadonlyMap<string, string> | undefined;
  readonly readFile: SourceReader | undefined;
  /** `-I`, in order. */
  readonly includeDirectories: readonly string[];
}

export interface IncludedFile {
  /** The name for messages, `__FILE__` and `#pragma once`. */
  readonly path: string;
  readonly text: string;
}

export class Includes {
  private readonly files = new Map<string, IncludedFile | undefined>();
  private readonly forbidden = new Set<string>();

  constructor(private readonly options: IncludeOptions) {}

  /** Whether a file that `find` did not return exists, but may not be read. */
  isForbidden(name: string, angled: boolean, from: string): boolean {
    return this.candidates(name, angled, from).some((path) => this.forbidden.has(path));
  }

  find(name: string, angled: boolean, from: string): IncludedFile | undefined {
    const beside = join(directoryOf(from), name);
    const header = this.header(name) ?? (angled ? undefined : this.header(beside));
    if (header) return header;
    for (const path of this.candidates(name, angled, from)) {
      const file = (isAbsolute(name) ? undefined : this.header(path)) ?? this.read(path);
      if (file) return file;
    }
    return name === 'assert.h' ? { path: name, text: ASSERT_HEADER } : undefined;
  }

  /** The paths of a file, in search order. */
  private candidates(name: string, angled: boolean, from: string): readonly string[] {
    if (isAbsolute(name)) return [name];
    const folders = this.options.includeDirectories.map((folder) => join(folder, name));
    return angled ? folders : [join(directoryOf(from), name), ...folders];
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
      const isForbidden = bytes === 'forbidden';
      if (isForbidden) this.forbidden.add(path);
      this.files.set(path, bytes && !isForbidden ? { path, text: decodeSource(bytes) } : undefined);
    }
    return this.files.get(path);
  }
}

/** Source text of bytes: UTF-8, with U+FFFD for invalid sequences. */
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
