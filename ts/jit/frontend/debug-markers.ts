// SPDX-License-Identifier: MIT
//
// Records what a debugger shows while a kernel is translated: calls, scopes, and the variables' values and addresses. The records are
// beside the IR, after the instruction that came before: nothing is added to the code.
import { OpenCLDebugInfo as Debug, Op, StorageClass } from '../../spirv/grammar.gen';
import type { FunctionDefinition, Id, Instruction, Block as SourceBlock } from '../../spirv/module';
import type { DebugTable, Marker } from '../debug/types';
import { type Block, type Inst, Op as Ir, Type, type Value } from '../ir/ir';
import { DebugTypes } from './debug-types';
import type { DebugRecorder, Translation } from './translation';
import { contentsOf } from './types';

/** Instructions that the stage of checks replaces. */
const REPLACED: ReadonlySet<Ir> = new Set([Ir.Assert, Ir.WaitEvents, Ir.AsyncEvent]);

export class DebugMarkers implements DebugTable, DebugRecorder {
  readonly markers = new Map<Inst | Block, Marker[]>();
  private types: DebugTypes | undefined;
  /** The block and the line of the last instruction. */
  private lastLine = '';

  /** A function of the program begins; the builder is where its code comes. */
  enter(t: Translation, f: FunctionDefinition): void {
    const types = this.typesOf(t);
    this.mark(t, { kind: 'enter', name: t.index.nameOf(f.definition.result), from: t.builder.position });
    const hasDebugInfo = f.blocks.some(({ instructions }) =>
      instructions.some((i) => types.debugOp(i) !== undefined),
    );
    if (t.builder.position === undefined) this.moduleVariables(t);
    if (hasDebugInfo) return;
    for (const { result, type } of f.parameters) {
      const name = t.index.names.get(result);
      const variable = { name: name ?? '', type: types.plain(t.index.types.get(type)), scope: undefined };
      if (name) this.mark(t, { kind: 'value', variable, values: scalarsOf(t, result) });
    }
  }

  leave(t: Translation): void {
    this.mark(t, { kind: 'leave' });
  }

  /**
   * Before an instruction of the program is translated: where another line begins, an instruction without effect, so that a debugger stops
   * there although the line may have no other code, or only a call.
   */
  line(t: Translation, { instructions, label }: SourceBlock, i: Instruction): void {
    if (!i.line || i.op === Op.Phi || i.op === Op.Variable) return;
    const types = this.typesOf(t);
    if (types.debugOp(i) !== undefined) {
      // Where ways join, debug information has the line of the last assignment; that of parameters has the function's line.
      if (instructions[0]!.op === Op.Phi || types.isParameter(i.operands[2]! as Id)) return;
    }
    const key = `${label} ${i.line.line} ${i.line.file}`;
    if (key === this.lastLine) return;
    this.lastLine = key;
    t.emit(Ir.Bitcast, Type.I32, [t.i32(0)]);
  }

  /** After an instruction of the program is translated. */
  instruction(t: Translation, i: Instruction): void {
    const types = this.typesOf(t);
    if (i.op === Op.Variable) this.plainVariable(t, i);
    const [, , first, second] = i.operands as [Id, Id, Id, Id];
    switch (types.debugOp(i)) {
      case Debug.DebugScope:
        this.mark(t, { kind: 'scope', scope: first });
        return;
      case Debug.DebugValue: {
        const variable = types.variable(first);
        if (variable) this.mark(t, { kind: 'value', variable, values: scalarsOf(t, second) });
        return;
      }
      case Debug.DebugDeclare: {
        const variable = types.variable(first);
        if (variable) this.mark(t, { kind: 'address', variable, address: t.scalar(second) });
        return;
      }
    }
  }

  parentOf(scope: number): number | undefined {
    return this.types?.parentOf(scope);
  }

  private typesOf(t: Translation): DebugTypes {
    this.types ??= new DebugTypes(t.context.modules.own);
    return this.types;
  }

  /** A variable that no debug information declares. */
  private plainVariable(t: Translation, { result, type }: Instruction): void {
    const name = t.index.names.get(result);
    if (!name || this.isDeclared(t, result)) return;
    const { index } = t;
    const variable = {
      name,
      type: this.typesOf(t).plain(index.types.pointee(index.types.get(type))),
      scope: undefined,
    };
    this.mark(t, { kind: 'address', variable, address: t.scalar(result) });
  }

  private isDeclared(t: Translation, pointer: Id): boolean {
    return t.index.module.functions.some(({ blocks }) =>
      blocks.some(({ instructions }) =>
        instructions.some(
          (i) => this.typesOf(t).debugOp(i) === Debug.DebugDeclare && i.operands[3] === pointer,
        ),
      ),
    );
  }

  /** The kernel's local variables, and those of the program. */
  private moduleVariables(t: Translation): void {
    const { index } = t;
    const types = this.typesOf(t);
    const described = new Map<number, Id>();
    for (const i of index.module.globals)
      if (types.debugOp(i) === Debug.DebugGlobalVariable) described.set(i.operands[9]!, i.result);
    for (const { op, result, type, operands } of index.module.globals) {
      if (op !== Op.Variable || operands[0] === StorageClass.Input) continue;
      const isKnown = t.context.locals.has(result) || t.context.image.offsetOf(index, result) !== undefined;
      const name = index.names.get(result);
      if (!isKnown || !name) continue;
      const id = described.get(result);
      const variable = (id !== undefined && types.variable(id)) || {
        name: name.slice(name.lastIndexOf('.') + 1),
        type: types.plain(index.types.pointee(index.types.get(type))),
        scope: undefined,
      };
      this.mark(t, { kind: 'address', variable, address: t.scalar(result) });
    }
  }

  private mark({ builder: { block } }: Translation, marker: Marker): void {
    let at = block.insts.length - 1;
    while (at >= 0 && REPLACED.has(block.insts[at]!.op)) at--;
    const key = at < 0 ? block : block.insts[at]!;
    const list = this.markers.get(key);
    if (list) list.push(marker);
    else this.markers.set(key, [marker]);
  }
}

/** The scalars of a value, which the variable's type describes. */
function scalarsOf(t: Translation, id: Id): Value[] {
  return contentsOf(t.index.types.leaves(t.typeOf(id)), t.get(id));
}
