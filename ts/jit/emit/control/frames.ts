// SPDX-License-Identifier: MIT
//
// The open blocks and loops of WebAssembly around the code that is being emitted: the targets of its jumps.

import { invariant } from '../../../base/invariant';
import type { FunctionBuilder, Label } from '../../../wasm/function-builder';
import type { Block } from '../../ir/ir';
import type { Call, Recursion } from './recursion';

/** An open block or loop of WebAssembly that control may jump to. */
interface Frame {
  readonly label: Label;
  /** The frame around it. */
  readonly outer: Frame | undefined;
  /** The block that a jump to the frame goes to; undefined if lanes only reconverge at its end. */
  readonly block: Block | undefined;
  /** Whether lanes that arrive by mask reconverge at its end. */
  readonly isReconvergencePoint: boolean;
  readonly isLoop: boolean;
}

/** A frame at whose end lanes reconverge, where no block begins. */
export const RECONVERGENCE = { isReconvergencePoint: true, isLoop: false } as const;

type NewFrame = Omit<Frame, 'label' | 'outer' | 'block'> & { readonly block?: Block };

export class Frames {
  private innermost: Frame | undefined;

  constructor(private readonly f: FunctionBuilder) {}

  /** Opens a block of WebAssembly as a frame. A jump to it leaves it. */
  open(frame: NewFrame): void {
    this.push(frame, this.f.block());
  }

  private push({ block, isReconvergencePoint, isLoop }: NewFrame, label: Label): void {
    this.innermost = { label, outer: this.innermost, block, isReconvergencePoint, isLoop };
  }

  /** Closes the innermost frame. */
  close(): void {
    this.innermost = this.innermost!.outer;
    this.f.end();
  }

  /** Emits `inside` in a block or loop of WebAssembly that control may jump to. */
  *inFrame(frame: NewFrame, inside: (label: Label) => Call): Recursion {
    const { f } = this;
    const label = frame.isLoop ? f.loop() : f.block();
    const outer = this.innermost;
    this.push(frame, label);
    yield inside(label);
    this.innermost = outer;
    f.end();
  }

  /** Emits `inside` in a separate frame; control may only leave it at its end. */
  *inOnlyFrame(inside: () => Call): Recursion {
    const outer = this.innermost;
    this.innermost = undefined;
    yield this.inFrame(RECONVERGENCE, inside);
    this.innermost = outer;
  }

  /** Emits `inside`; control continues after it for lanes that it sends to other blocks. */
  untilReconvergence(inside: (label: Label) => Call): Recursion {
    return this.inFrame(RECONVERGENCE, inside);
  }

  get isOutermost(): boolean {
    return this.innermost !== undefined && this.innermost.outer === undefined;
  }

  /** The innermost open frame of a kind. */
  private frame(isWanted: (frame: Frame) => boolean): Frame | undefined {
    let frame = this.innermost;
    while (frame && !isWanted(frame)) frame = frame.outer;
    return frame;
  }

  reconvergencePoint(): Label {
    const frame = this.frame((f) => f.isReconvergencePoint);
    invariant(frame, 'no frame is a reconvergence point');
    return frame.label;
  }

  toReconvergencePoint(): void {
    this.f.br(this.reconvergencePoint());
  }

  labelOf(block: Block, isLoop: boolean): Label {
    const frame = this.frame((f) => f.block === block && f.isLoop === isLoop);
    invariant(frame, 'a jump to a block that is not open');
    return frame.label;
  }

  /** Jumps to the end of the outermost frame. */
  toOutermost(): void {
    this.f.br(this.frame((frame) => !frame.outer)!.label);
  }
}
