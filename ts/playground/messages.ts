// SPDX-License-Identifier: MIT
//
// The messages between the page and its two threads. The language thread answers while the user types. The device thread runs
// kernels, and is terminated if one does not end.
import type { Fault } from '../base/faults';
import type { Diagnostic } from '../compiler/diagnostics/diagnostic';
import type { Completion } from '../language-service/completion';
import type { Hover } from '../language-service/hover';

/** An opened picture: RGBA, one byte a channel. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
}

export const STAGES = ['spvasm', 'ir', 'ir-vectorized', 'plan', 'wat'] as const;
export type Stage = (typeof STAGES)[number];

export interface KernelSignature {
  readonly name: string;
  /** As in the source. */
  readonly parameters: readonly { readonly name: string; readonly type: string }[];
}

export interface Questions {
  analyze: {
    readonly ask: { readonly source: string; readonly options: string };
    readonly answer: {
      readonly diagnostics: readonly Diagnostic[];
      readonly kernels: readonly KernelSignature[];
    };
  };
  hover: { readonly ask: { readonly offset: number }; readonly answer: Hover | undefined };
  complete: {
    readonly ask: { readonly source: string; readonly options: string; readonly offset: number };
    readonly answer: readonly Completion[];
  };
  /** A form of the compiled program, as text. */
  show: {
    readonly ask: { readonly source: string; readonly options: string; readonly stage: Stage };
    readonly answer: string;
  };
  run: { readonly ask: RunRequest; readonly answer: RunAnswer };
}
export type QuestionName = keyof Questions;

export interface RunRequest {
  readonly source: string;
  readonly options: string;
  readonly kernel: string;
  readonly global: readonly number[];
  readonly local: readonly number[] | undefined;
  /** As for `anycl run --arg`; `@photo.png` is the picture. */
  readonly args: readonly string[];
  readonly picture: Picture;
  /** Look for faults of the kernel. */
  readonly check: boolean;
}

export type RunAnswer =
  | { readonly ok: false; readonly message: string }
  | {
      readonly ok: true;
      readonly buildMs: number;
      readonly runMs: number;
      readonly printed: readonly string[];
      readonly faults: readonly Fault[];
      readonly results: readonly RunResult[];
    };

/** A buffer or an image after the run. */
export interface RunResult {
  readonly argument: string;
  /** Its first elements. */
  readonly text: string;
  /** The contents as a picture, if they can be shown as one. */
  readonly picture: Picture | undefined;
}

export interface Question {
  readonly id: number;
  readonly name: QuestionName;
  readonly ask: unknown;
}
export interface Answer {
  readonly id: number;
  readonly answer?: unknown;
  readonly error?: string;
}
