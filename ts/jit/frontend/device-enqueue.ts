// SPDX-License-Identifier: MIT
//
// Enqueuing from kernels: records are reserved and events kept by the library (kernels/lib/enqueue.cl); what a record holds
// is stored here.

import { ENQUEUE_RECORD, MAX_WORK_GROUP_SIZE, subGroupSizeOf } from '../../base/kernel-abi';
import { Op } from '../../spirv/grammar.gen';
import type { Id, Instruction } from '../../spirv/module';
import { Op as Ir, Type, type Value } from '../ir/ir';
import { setComposed } from './composites';
import { countTo } from './counted-loop';
import { loadValue, placeOf, storeValue } from './memory';
import type { Handler, HandlerTable, Translation } from './translation';
import { contentsOf } from './types';

const WHAT = 'enqueuing from kernels';
/** CLK_ENQUEUE_FAILURE */
const FAILED = -101;
/** A good local size of blocks is a multiple of this. */
const PREFERRED_MULTIPLE = 8;

/** Calls a function of the library, which accesses the region and the events that handles refer to, wherever the kernel kept those. */
function library(t: Translation, name: string, args: Value[]): Value {
  t.builder.isOfLibrary = true;
  try {
    return t.callLibrary(`__anycl_enqueue_${name}`, args, WHAT)[0]!;
  } finally {
    t.builder.isOfLibrary = false;
  }
}

const region = (t: Translation): Value => t.builder.leaves.leaf(Ir.EnqueueRegion, Type.I32);

const word = (t: Translation, id: number): Value => t.resize(t.scalar(id), Type.I32, false);

/** An ND-range as numbers: the number of dimensions, then three sizes each. */
const RANGE = { dimensions: 0, local: 4, count: 10 } as const;

function buildRange(t: Translation, i: Instruction): void {
  const info = t.type(i);
  const [global, local, offset] = i.operands.map((id) => t.get(id));
  const sizes = (given: readonly Value[], filler: number, member: number) =>
    [0, 1, 2].map((d) => {
      const type = info.members![member]!.element!.scalar;
      return given[d]
        ? t.resize(given[d], type, false)
        : t.const(type, type === Type.I64 ? BigInt(filler) : filler);
    });
  const dimensions = [t.i32(global!.length)];
  setComposed(t, i, [dimensions, sizes(global!, 1, 1), sizes(local!, 0, 2), sizes(offset!, 0, 3)]);
}

/** The numbers of an instruction's ND-range: a value, or in the output of other compilers an address. */
function rangeOf(t: Translation, id: number): Value[] {
  const given = t.typeOf(id);
  const info = given.kind === 'pointer' ? t.index.types.pointee(given) : given;
  const all = given.kind === 'pointer' ? loadValue(t, placeOf(t, id), info) : t.get(id);
  const values = contentsOf(t.index.types.leaves(info), all);
  if (values.length !== RANGE.count) t.fail('an ND-range is made by OpBuildNDRange');
  return values.map((value) => t.resize(value, Type.I32, false));
}

function storeWord(t: Translation, record: Value, at: number, value: Value): void {
  t.emit(Ir.Store, Type.Void, [record, value], { offset: at * 4, align: 4, space: 'global' });
}

interface Enqueued {
  readonly queue: number;
  readonly flags: Value;
  /** Number of the block, or ENQUEUE_RECORD.marker. */
  readonly kind: number;
  readonly waitCount: number;
  readonly waits: number;
  readonly event: number;
  readonly locals: readonly number[];
  readonly literal?: { readonly pointer: number; readonly bytes: number };
  readonly range?: readonly Value[];
}

/** Appends a record and returns the result of the source's function. */
function enqueue(t: Translation, i: Instruction, what: Enqueued): void {
  const { builder } = t;
  const { literal, range, locals } = what;
  const returned = placeOf(t, what.event);
  const returnedTo = t.scalar(what.event);
  const wantsEvent = t.emit(Ir.ZExt, Type.I32, [
    t.emit(Ir.Ne, Type.I1, [returnedTo, t.zero(returnedTo.type)]),
  ]);
  const count = word(t, what.waitCount);
  const isValid = t.emit(Ir.And, Type.I1, [hasFittingList(t, what, count), isValidRange(t, range)]);
  const queue = t.select(isValid, t.scalar(what.queue), t.i32(0));
  const bytes = literal?.bytes ?? 0;
  const record = library(t, 'record', [
    region(t),
    queue,
    what.flags,
    t.i32(what.kind),
    count,
    wantsEvent,
    t.i32(locals.length),
    t.i32(bytes),
  ]);
  const [made, kept, end] = [t.newBlock(), t.newBlock(), t.newBlock()];
  const result = t.param(end, Type.I32);
  builder.branch(t.emit(Ir.Ne, Type.I1, [record, t.i32(0)]), made, end);
  builder.block.targets[1]!.arguments = [t.i32(FAILED)];
  builder.block = made;
  range?.forEach((value, at) => {
    storeWord(t, record, ENQUEUE_RECORD.dimensions + at, value);
  });
  const waits = placeOf(t, what.waits);
  const lists = t.add(record, ENQUEUE_RECORD.lists * 4);
  countTo(t, count, (at) => {
    const offset = t.emit(Ir.Shl, Type.I32, [at, t.i32(2)]);
    const address = t.element(waits.address, offset, 1);
    const event = t.emit(Ir.Load, Type.I32, [address], {
      offset: waits.offset,
      align: 4,
      space: waits.space,
    });
    storeWord(t, t.emit(Ir.Add, Type.I32, [lists, offset]), 0, event);
  });
  const afterLists = t.emit(Ir.Add, Type.I32, [lists, t.emit(Ir.Shl, Type.I32, [count, t.i32(2)])]);
  locals.forEach((id, at) => {
    storeWord(t, afterLists, at, word(t, id));
  });
  if (literal && bytes > 0) {
    const to = t.add(afterLists, locals.length * 4);
    t.emit(Ir.Copy, Type.Void, [to, t.scalar(literal.pointer)], { size: bytes, align: 1 });
  }
  builder.branch(t.emit(Ir.Ne, Type.I1, [wantsEvent, t.i32(0)]), kept, end);
  builder.block.targets[1]!.arguments = [t.i32(0)];
  builder.block = kept;
  const event = t.emit(Ir.Load, Type.I32, [record], {
    offset: ENQUEUE_RECORD.event * 4,
    align: 4,
    space: 'global',
  });
  storeValue(t, returned, t.index.types.pointee(t.typeOf(what.event)), [event]);
  builder.jump(end, [t.i32(0)]);
  builder.block = end;
  t.set(i, [result]);
}

/** CLK_INVALID_EVENT_WAIT_LIST otherwise: there is a list where there are events. A marker must have some. */
function hasFittingList(t: Translation, { waits, kind }: Enqueued, count: Value): Value {
  const list = t.scalar(waits);
  const [isList, areEvents] = [list, count].map((value) =>
    t.emit(Ir.Ne, Type.I1, [value, t.zero(value.type)]),
  );
  return kind === ENQUEUE_RECORD.marker
    ? t.emit(Ir.And, Type.I1, [isList!, areEvents!])
    : t.emit(Ir.Eq, Type.I1, [isList!, areEvents!]);
}

function isValidRange(t: Translation, range: readonly Value[] | undefined): Value {
  if (!range) return t.const(Type.I1, 1);
  const [x, y, z] = range.slice(RANGE.local, RANGE.local + 3);
  return t.emit(Ir.Ne, Type.I1, [
    library(t, 'range_is_valid', [range[RANGE.dimensions]!, x!, y!, z!]),
    t.i32(0),
  ]);
}

function enqueueKernel(t: Translation, i: Instruction): void {
  const [queue, flags, range, waitCount, waits, event, invoke, param, paramSize, , ...locals] =
    i.operands as [
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      ...number[],
    ];
  const bytes =
    t.index.constants.tryInteger(paramSize as Id) ?? t.fail("the size of a block's variables is a constant");
  const kind =
    t.context.blocks.get(invoke as Id) ?? t.fail(`%${invoke} is not a function that can be enqueued`);
  enqueue(t, i, {
    queue,
    flags: word(t, flags),
    kind,
    waitCount,
    waits,
    event,
    locals,
    literal: { pointer: param, bytes },
    range: rangeOf(t, range),
  });
}

function enqueueMarker(t: Translation, i: Instruction): void {
  const [queue, waitCount, waits, event] = i.operands as [number, number, number, number];
  enqueue(t, i, {
    queue,
    flags: t.i32(0),
    kind: ENQUEUE_RECORD.marker,
    waitCount,
    waits,
    event,
    locals: [],
  });
}

/** A function of the library on words; its result is the instruction's, if that has one. */
const call =
  (name: string): Handler =>
  (t, i) => {
    const result = library(
      t,
      name,
      i.operands.map((id) => word(t, id)),
    );
    if (i.result !== 0) t.set(i, [result]);
  };

function captureProfilingInfo(t: Translation, i: Instruction): void {
  const to = t.scalar(i.operands[2]!);
  // The device writes the times when the command is complete, to an address of 32 bits.
  if (to.type === Type.I64)
    t.fail('capture_event_profiling_info is not supported by the device with 64-bit addresses');
  // CLK_PROFILING_COMMAND_EXEC_TIME is the only kind of information.
  library(t, 'capture_times', [word(t, i.operands[0]!), word(t, i.operands[2]!)]);
}

const constant =
  (value: number): Handler =>
  (t, i) =>
    t.set(i, [t.i32(value)]);

const SUB_GROUP = subGroupSizeOf({});

/** Sub-groups of a work-group of an ND-range; without a local size, as if the group were one sub-group. */
function subGroupCount(t: Translation, i: Instruction): void {
  const range = rangeOf(t, i.operands[0]!);
  const [x, y, z] = range
    .slice(RANGE.local, RANGE.local + 3)
    .map((n) => t.emit(Ir.UMax, Type.I32, [n, t.i32(1)]));
  const width = subGroupWidth(t, x!, y!, z!);
  const rows = t.emit(Ir.Mul, Type.I32, [y!, z!]);
  const round = t.emit(Ir.Sub, Type.I32, [t.emit(Ir.Add, Type.I32, [x!, width]), t.i32(1)]);
  t.set(i, [t.emit(Ir.Mul, Type.I32, [t.emit(Ir.UDiv, Type.I32, [round, width]), rows])]);
}

function subGroupSize(t: Translation, i: Instruction): void {
  const range = rangeOf(t, i.operands[0]!);
  const [x, y, z] = range
    .slice(RANGE.local, RANGE.local + 3)
    .map((n) => t.emit(Ir.UMax, Type.I32, [n, t.i32(1)]));
  t.set(i, [subGroupWidth(t, x!, y!, z!)]);
}

/** subGroupSizeFor at run time. */
function subGroupWidth(t: Translation, x: Value, y: Value, z: Value): Value {
  const rest = t.emit(Ir.And, Type.I32, [x, t.i32(SUB_GROUP - 1)]);
  const rows = t.emit(Ir.Mul, Type.I32, [y, z]);
  const fits = t.emit(Ir.Or, Type.I1, [
    t.emit(Ir.Eq, Type.I1, [rest, t.i32(0)]),
    t.emit(Ir.Eq, Type.I1, [rows, t.i32(1)]),
  ]);
  return t.select(fits, t.i32(SUB_GROUP), t.i32(1));
}

function localSizeForSubGroups(t: Translation, i: Instruction): void {
  const items = t.emit(Ir.Mul, Type.I32, [word(t, i.operands[0]!), t.i32(SUB_GROUP)]);
  const fits = t.emit(Ir.ULe, Type.I1, [items, t.i32(MAX_WORK_GROUP_SIZE)]);
  t.set(i, [t.select(fits, items, t.i32(0))]);
}

export const DEVICE_ENQUEUE: HandlerTable = {
  [Op.BuildNDRange]: buildRange,
  [Op.EnqueueKernel]: enqueueKernel,
  [Op.EnqueueMarker]: enqueueMarker,
  [Op.GetDefaultQueue]: (t, i) => t.set(i, [library(t, 'default_queue', [region(t)])]),
  [Op.CreateUserEvent]: (t, i) => t.set(i, [library(t, 'user_event', [region(t)])]),
  [Op.SetUserEventStatus]: call('set_status'),
  [Op.RetainEvent]: call('retain'),
  [Op.ReleaseEvent]: call('release'),
  [Op.IsValidEvent]: (t, i) =>
    t.set(i, [t.emit(Ir.Ne, Type.I1, [library(t, 'is_event', [word(t, i.operands[0]!)]), t.i32(0)])]),
  [Op.CaptureEventProfilingInfo]: captureProfilingInfo,
  [Op.GetKernelWorkGroupSize]: constant(MAX_WORK_GROUP_SIZE),
  [Op.GetKernelPreferredWorkGroupSizeMultiple]: constant(PREFERRED_MULTIPLE),
  [Op.GetKernelNDrangeSubGroupCount]: subGroupCount,
  [Op.GetKernelNDrangeMaxSubGroupSize]: subGroupSize,
  [Op.GetKernelLocalSizeForSubgroupCount]: localSizeForSubGroups,
  [Op.GetKernelMaxNumSubgroups]: constant(MAX_WORK_GROUP_SIZE),
};
