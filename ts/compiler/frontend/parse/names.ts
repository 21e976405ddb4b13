// SPDX-License-Identifier: MIT
import type { LanguageOptions } from '../language';
import { predefinedType } from '../predefined-types';

/** The names that are types in the scopes around the current token. */
export class NameScopes {
  /** True for typedefs, false for all other names that are declared. */
  private readonly names = new Map<string, boolean | undefined>();
  private readonly hidden: { readonly name: string; readonly was: boolean | undefined }[] = [];
  private depth = 0;

  constructor(private readonly language: LanguageOptions) {}

  /** Declares a name in the innermost scope. */
  declare(name: string | undefined, isTypedef: boolean): void {
    if (name === undefined) return;
    const was = this.names.get(name);
    if (was === isTypedef) return;
    // At file scope that is an error, and the name still names the type.
    if (this.depth === 0 && predefinedType(name, this.language) !== undefined) return;
    this.hidden.push({ name, was });
    this.names.set(name, isTypedef);
  }

  /** Runs `parse` in a new scope. */
  inScope<T>(parse: () => T): T {
    const mark = this.hidden.length;
    this.depth++;
    try {
      return parse();
    } finally {
      this.depth--;
      while (this.hidden.length > mark) {
        const { name, was } = this.hidden.pop()!;
        // Never deleted: V8's maps keep deleted entries in their hash chains, and names recur.
        this.names.set(name, was);
      }
    }
  }

  /** Whether the program declared the name in an open scope. */
  has(name: string): boolean {
    return this.names.get(name) !== undefined;
  }

  isType(name: string): boolean {
    return this.names.get(name) ?? predefinedType(name, this.language) !== undefined;
  }
}
