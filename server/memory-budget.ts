/**
 * Memory limits of all parts of a server, in one table so that the sum is known. Used by the buffers of bodies and
 * responses and by the threads that parse input. README states the least memory; docs/decisions/0027-budgets.md has the
 * reasons.
 */
import { totalmem } from 'node:os';
import { limits } from '../core/api/contract.ts';

const mebibyte = 1024 ** 2;

/** Bytes of memory below which only one thread parses large texts. */
const ampleMemory = 1024 * mebibyte;

export interface MemoryBudget {
  /** Bytes of the machine, or of the control group that the process runs in. */
  readonly memory: number;
  /** Bytes of pending large bodies. */
  readonly bodies: number;
  /** Bytes of responses that clients have not read. */
  readonly answers: number;
  /** Threads that parse large texts. */
  readonly textThreads: number;
  /** Megabytes of heap of each such thread; 300,000 values take less than 100. */
  readonly textHeap: number;
  /** Megabytes of heap of a thread that validates against profiles. */
  readonly profileHeap: number;
  /** Megabytes of heap of a thread that runs custom checks. */
  readonly checkHeap: number;
  /** Megabytes of heap of a thread that reads a package. */
  readonly packageHeap: number;
}

/** Returns the memory of this process: the limit of its control group, or the memory of the machine if smaller. */
function getAvailableMemory(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

/** Returns the budget of a process with so many bytes of memory. */
export function memoryBudget(memory: number = getAvailableMemory()): MemoryBudget {
  const computeHeap = (maxMegabytes: number, share: number) =>
    Math.min(maxMegabytes, Math.round((memory * share) / mebibyte));
  return {
    memory,
    bodies: Math.min(256 * mebibyte, Math.round(memory / 20)),
    answers: Math.min(limits.underWay, Math.round(memory / 8)),
    textThreads: memory < ampleMemory ? 1 : 2,
    textHeap: computeHeap(1024, 0.25),
    profileHeap: computeHeap(1024, 0.2),
    checkHeap: computeHeap(512, 0.125),
    packageHeap: computeHeap(768, 0.4),
  };
}
