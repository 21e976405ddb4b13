// SPDX-License-Identifier: MIT
//
// The debug instructions of a module: names, texts, the source.
import { Op, type SourceLanguage } from './grammar.gen';
import { stringWords } from './literal-string';
import { type Id, type Instruction, type Module, NO_ID } from './module';

export class DebugInstructions {
  private readonly strings = new Map<string, Id>();
  /** They come before all names among the debug instructions; they are added at the end. */
  private newStrings: Instruction[] = [];

  constructor(
    private readonly module: Module,
    private readonly newId: () => Id,
  ) {}

  name(id: Id, name: string): void {
    this.module.debug.push({
      op: Op.Name,
      type: NO_ID,
      result: NO_ID,
      operands: [id, ...stringWords(name)],
    });
  }

  memberName(struct: Id, member: number, name: string): void {
    const operands = [struct, member, ...stringWords(name)];
    this.module.debug.push({ op: Op.MemberName, type: NO_ID, result: NO_ID, operands });
  }

  /** OpString, one per text. */
  string(text: string): Id {
    let id = this.strings.get(text);
    if (id === undefined) {
      id = this.newId();
      this.strings.set(text, id);
      this.newStrings.push({ op: Op.String, type: NO_ID, result: id, operands: stringWords(text) });
    }
    return id;
  }

  /** Completes the module's debug instructions. */
  placeStrings(): void {
    this.module.debug = this.newStrings.concat(this.module.debug);
    this.newStrings = [];
  }

  /** OpSource. `source` is the text of the file, if it is to be kept. */
  source(language: SourceLanguage, version: number, file?: Id): void {
    const operands = file === undefined ? [language, version] : [language, version, file];
    this.module.debug.unshift({ op: Op.Source, type: NO_ID, result: NO_ID, operands });
  }
}
