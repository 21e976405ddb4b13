// SPDX-License-Identifier: MIT
//
// The reports of checked runs: as the device makes them, and as users see them.
import type { CheckRegion, FaultKind, InstructionPlace, SourcePlace } from './checks';

/** A work-item of a launch. */
export interface WorkItem {
  /** The id of its work-group in each dimension. */
  readonly group: readonly number[];
  /** Its id within the work-group in each dimension. */
  readonly local: readonly number[];
  /** Its global id in each dimension. */
  readonly global: readonly number[];
}

/** Where bytes that were never written were read first. */
export interface Origin {
  readonly site: number;
  readonly object?: FaultRecord['object'];
  readonly at?: number;
  readonly bytes?: number;
}

/** A fault as the device reports it. Its place is the number of a site. */
export interface FaultRecord {
  readonly kind: FaultKind;
  readonly site: number;
  readonly item?: WorkItem;
  readonly count: number;
  /** It has happened more often. */
  readonly hasMore?: boolean;
  /** The other access of a race, or the barrier that another work-item has reached. */
  readonly other?: { readonly site: number; readonly item?: WorkItem };
  /** The accessed object: its index among the launch's regions, or among the kernel's if it is local or private. */
  readonly object?: { readonly of: 'launch' | 'kernel'; readonly index: number };
  /** Where undefined bytes come from: who read them there, or the site of an undefined variable. */
  readonly origin?: Origin;
  /** The offset of the first wrong byte in the object. */
  readonly at?: number;
  readonly address?: number;
  /** Bytes of the object. */
  readonly bytes?: number;
  /** As text, in the order of `CheckSite.shown`. */
  readonly values?: readonly string[];
}

/** A fault of a kernel, as users see it. */
export interface Fault {
  /** What kind of fault it is. */
  readonly kind: FaultKind;
  /** The name of the kernel; of a block that was enqueued, that of the function that it is in. */
  readonly kernel: string;
  /** Of a block: where it is, if the program has source lines. */
  readonly block?: SourcePlace;
  /** What was wrong, in one sentence. */
  readonly message: string;
  /** The whole report, as a diagnostic: place, source line, notes. */
  readonly text: string;
  /** How often it has happened. The other properties describe the first time. */
  readonly count: number;
  /** It has happened at least `count` times: of some races, more than a hundred are not looked for. */
  readonly hasMore?: boolean;
  /** Undefined if the program has no source lines. */
  readonly place?: SourcePlace;
  /** There: the instruction of the module. */
  readonly instruction?: InstructionPlace;
  /** The work-item that did it. */
  readonly item?: WorkItem;
  /** The memory that was accessed: a buffer of an argument, a variable, or none that is known. */
  readonly object?: {
    readonly kind: CheckRegion['kind'] | 'other';
    readonly name: string;
    readonly argument?: number;
    readonly element?: number;
    readonly elementBytes?: number;
  };
  /** The offset of the first wrong byte in the object. */
  readonly byte?: number;
  /** The size of that object in bytes. */
  readonly objectBytes?: number;
  /** The address that was accessed, in bytes, as the device counts. */
  readonly address?: number;
  /** The values that caused it, such as operands or coordinates. */
  readonly values?: readonly string[];
  /** Where the bytes of an uninitialized value come from, if it was copied: the memory, and the read. */
  readonly origin?: {
    readonly object?: Fault['object'];
    readonly byte?: number;
    readonly objectBytes?: number;
    readonly place?: SourcePlace;
  };
  /** The other work-item of a race or of a divergent barrier. */
  readonly other?: {
    readonly action: string;
    readonly place?: SourcePlace;
    readonly item?: WorkItem;
  };
}
