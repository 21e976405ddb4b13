// SPDX-License-Identifier: MIT
//
// Builds a Module: functions, block by block, on top of its globals.
import { invariant } from '../base/invariant';
import { GlobalsBuilder } from './globals-builder';
import { Capability, FunctionControl, LinkageType, Op, type OpenCLStd } from './grammar.gen';
import {
  type Block,
  type FunctionDefinition,
  type Id,
  type Instruction,
  NO_ID,
  type SourceLine,
} from './module';

export class Builder extends GlobalsBuilder {
  private openCl: Id = NO_ID;
  private currentFunction: FunctionDefinition | undefined;
  private currentBlock: Block | undefined;
  private variables: Instruction[] = [];
  private line: SourceLine | undefined;
  private readonly imported = new Map<string, Id>();

  /** A declaration: a function of another module. */
  declareFunction(id: Id, result: Id, parameters: readonly Id[]): readonly Id[] {
    const { currentFunction, variables } = this;
    const ids = this.beginFunction(id, result, parameters);
    const declaration = this.currentFunction!;
    this.currentFunction = currentFunction;
    this.variables = variables;
    // Declarations come before definitions (2.4).
    let at = 0;
    while (at < this.module.functions.length && this.module.functions[at]!.blocks.length === 0) at++;
    this.module.functions.splice(at, 0, declaration);
    return ids;
  }

  /** A function of this name that another module, or the device, defines; declared once. */
  importedFunction(name: string, result: Id, parameters: readonly Id[]): Id {
    const known = this.imported.get(name);
    if (known !== undefined) return known;
    const id = this.id();
    this.imported.set(name, id);
    this.declareFunction(id, result, parameters);
    this.debug.name(id, name);
    this.linkage(id, name, LinkageType.Import);
    return id;
  }

  /** Starts a function; returns the ids of its parameters. Its first block is opened by `label`. */
  beginFunction(
    id: Id,
    result: Id,
    parameters: readonly Id[],
    control: FunctionControl = FunctionControl.None,
  ): readonly Id[] {
    const type = this.functionType(result, parameters);
    const definition: Instruction = { op: Op.Function, type: result, result: id, operands: [control, type] };
    if (this.line) definition.line = this.line;
    this.table.types[id] = result;
    this.currentFunction = { definition, parameters: [], blocks: [] };
    this.variables = [];
    for (const parameter of parameters) {
      const result = this.id();
      this.table.types[result] = parameter;
      this.currentFunction.parameters.push({
        op: Op.FunctionParameter,
        type: parameter,
        result,
        operands: [],
      });
      if (this.table.isHalf(parameter)) this.capability(Capability.Float16);
    }
    return this.currentFunction.parameters.map((p) => p.result);
  }

  /** Ends the current function; its variables move to the start of its first block. */
  endFunction(): FunctionDefinition {
    const done = this.currentFunction;
    invariant(done !== undefined, 'no function was begun');
    invariant(this.currentBlock === undefined, 'the last block has no terminator');
    if (this.variables.length > 0) done.blocks[0]!.instructions.unshift(...this.variables);
    this.module.functions.push(done);
    this.currentFunction = undefined;
    return done;
  }

  /** A variable of the current function. */
  localVariable(pointerType: Id, initializer: Id = NO_ID): Id {
    const result = this.id();
    const storage = this.storageOf(pointerType);
    const operands: number[] = initializer === NO_ID ? [storage] : [storage, initializer];
    this.table.types[result] = pointerType;
    this.variables.push({ op: Op.Variable, type: pointerType, result, operands });
    return result;
  }

  /** The source line of the instructions that are emitted next. */
  setLine(line: SourceLine | undefined): void {
    this.line = line;
  }

  // ---- blocks

  /** Opens a block. The previous one must have a terminator. */
  label(id: Id = this.id()): Id {
    invariant(this.currentBlock === undefined, 'a block is opened in another one');
    this.currentBlock = { label: id, instructions: [] };
    this.currentFunction!.blocks.push(this.currentBlock);
    return id;
  }

  /** The label of the open block; NO_ID after a terminator. */
  get blockLabel(): Id {
    return this.currentBlock?.label ?? NO_ID;
  }

  /** The label of the open block; after a terminator, an unreachable block is opened. */
  currentLabel(): Id {
    return this.currentBlock?.label ?? this.label();
  }

  get isOpen(): boolean {
    return this.currentBlock !== undefined;
  }

  /** Emits an instruction with a result into the open block. After a terminator, an unreachable block is opened. */
  emit(op: Op, type: Id, operands: number[]): Id {
    const result = this.id();
    this.table.types[result] = type;
    this.require(op, operands);
    if (this.table.isHalf(type)) this.capability(Capability.Float16);
    this.push({ op, type, result, operands });
    return result;
  }

  /** Emits an instruction without a result. */
  emitVoid(op: Op, operands: number[]): void {
    this.require(op, operands);
    this.push({ op, type: NO_ID, result: NO_ID, operands });
  }

  /** Emits a terminator and closes the block. */
  terminate(op: Op, operands: number[]): void {
    this.push({ op, type: NO_ID, result: NO_ID, operands });
    this.currentBlock = undefined;
  }

  branch(target: Id): void {
    this.terminate(Op.Branch, [target]);
  }

  branchIf(condition: Id, then: Id, otherwise: Id): void {
    this.terminate(Op.BranchConditional, [condition, then, otherwise]);
  }

  /** An OpenCL.std instruction. */
  openClStd(instruction: OpenCLStd, type: Id, operands: readonly number[]): Id {
    if (this.openCl === NO_ID) this.openCl = this.importSet('OpenCL.std');
    return this.emit(Op.ExtInst, type, [this.openCl, instruction, ...operands]);
  }

  /** An extended instruction of any set. */
  extInst(set: string, type: Id, instruction: number, operands: readonly number[]): Id {
    return this.emit(Op.ExtInst, type, [this.importSet(set), instruction, ...operands]);
  }

  private push(instruction: Instruction): void {
    if (!this.currentBlock) this.label();
    if (this.line) instruction.line = this.line;
    this.currentBlock!.instructions.push(instruction);
  }
}
