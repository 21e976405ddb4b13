// SPDX-License-Identifier: MIT
//
// Members of the public classes that only the API itself uses. Their names are symbols: scripts neither see nor call them,
// and the declarations (dist/index.d.cts) do not have them.

/** A method: the backend's object. Throws the error of a released object. */
export const handleFor = Symbol('handleFor');
/** A method: the object's value for clSetKernelArg; undefined for objects that cannot be arguments. */
export const argumentFor = Symbol('argumentFor');
/** A static method: whether a value was constructed by the class, and does not only inherit from its prototype. */
export const isConstructed = Symbol('isConstructed');
/** A method: the error of any use of the object after its release. */
export const releasedError = Symbol('releasedError');
/** Whether the object was released, without the check of a public getter's receiver. */
export const isReleased = Symbol('isReleased');
/** The context that the object belongs to; a context belongs to itself. */
export const owningContext = Symbol('owningContext');

/** Of CommandQueue, a method: launches a kernel with options whose names were checked. */
export const enqueueRun = Symbol('enqueueRun');
/** Says why a signal has ended an event's command. */
export const withCause = Symbol('withCause');
/** Of Program, a method: throws unless the program was built for a device. */
export const checkBuiltFor = Symbol('checkBuiltFor');
/** Of Kernel, a method: throws unless every argument has a value. */
export const checkArgumentsSet = Symbol('checkArgumentsSet');
/** Of Kernel, a method: gives up arguments whose objects the script has released. */
export const dropReleased = Symbol('dropReleased');
/** Of Kernel, a static method: the backend's object of a value that must be a live kernel. */
export const kernelHandle = Symbol('kernelHandle');
/** Of Kernel, a method: what a module knows of the types of the arguments. */
export const declareArguments = Symbol('declareArguments');
/** Of MemoryObject: the script's memory that it uses (`useHost`); undefined for others. */
export const hostView = Symbol('hostView');
/** Of Kernel: the call sites of its launches. */
export const launches = Symbol('launches');
/** Of Context: the default queue, if something has used it. */
export const queueInUse = Symbol('queueInUse');
/** Of Context: the limits of its devices. */
export const limits = Symbol('limits');
/** Of Mapping: whether its array is a copy of the mapped memory. */
export const isCopy = Symbol('isCopy');
/** Of Mapping, a method: unmaps its region on a queue. */
export const unmapOn = Symbol('unmapOn');
/** Of Context and CommandBuffer, a static method: constructs the object over a backend's object. */
export const wrap = Symbol('wrap');
