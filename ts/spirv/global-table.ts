// SPDX-License-Identifier: MIT
//
// The types, constants and other globals of a module, by id. Equal types and constants are one.
import { Op } from './grammar.gen';
import { type Id, type Instruction, type Module, NO_ID } from './module';

export class GlobalTable {
  private readonly interned = new Map<string, Id>();
  /** Scalar constants by their type and their words as one number: there may be millions, and texts would be long. */
  private readonly scalars = new Map<Id, Map<number, Id>>();
  /** Types, constants and other globals by id. */
  readonly definitions: (Instruction | undefined)[] = [];
  /** The result type of each value. */
  readonly types: Id[] = [];

  constructor(
    private readonly module: Module,
    private readonly newId: () => Id,
    /** Declares what an instruction requires. */
    private readonly require: (op: Op, operands: readonly number[]) => void,
  ) {}

  /** The id of the type or constant, which is defined if it is new. */
  intern(op: Op, type: Id, operands: readonly number[]): Id {
    const key = keyOf(op, type, operands);
    let id = this.interned.get(key);
    if (id === undefined) {
      this.require(op, operands);
      id = this.newId();
      this.interned.set(key, id);
      this.define({ op, type, result: id, operands: operands.slice() });
    }
    return id;
  }

  /** The same of a scalar constant. */
  scalar(type: Id, words: readonly number[]): Id {
    const low = words[0]! >>> 0;
    const key = words.length === 1 ? low : (words[1]! | 0) * 2 ** 32 + low;
    if (!Number.isSafeInteger(key)) return this.intern(Op.Constant, type, words);
    let known = this.scalars.get(type);
    if (!known) {
      known = new Map();
      this.scalars.set(type, known);
    }
    let id = known.get(key);
    if (id === undefined) {
      id = this.newId();
      known.set(key, id);
      this.define({ op: Op.Constant, type, result: id, operands: words.slice() });
    }
    return id;
  }

  /** The same of a type whose id was used before: later requests for the type give this id. */
  internAs(id: Id, op: Op, operands: readonly number[]): void {
    this.interned.set(keyOf(op, NO_ID, operands), id);
    this.define({ op, type: NO_ID, result: id, operands: operands.slice() });
  }

  define(instruction: Instruction): void {
    this.definitions[instruction.result] = instruction;
    if (instruction.type !== NO_ID) this.types[instruction.result] = instruction.type;
    this.module.globals.push(instruction);
  }

  /** Whether it is the type half, or a vector of halves. */
  isHalf(type: Id): boolean {
    let definition = this.definitions[type];
    if (definition?.op === Op.TypeVector) definition = this.definitions[definition.operands[0]!];
    return definition?.op === Op.TypeFloat && definition.operands[0] === 16;
  }
}

function keyOf(op: Op, type: Id, operands: readonly number[]): string {
  return `${op},${type},${operands.join()}`;
}
