/**
 * How much the parts of a server may hold at once, by the memory that it runs in: one table, so that the sum is known.
 * Called by whoever holds bodies or answers, and by whoever starts a thread that parses what others sent. The least memory
 * is that of README; docs/decisions/0027-budgets.md has the reasons.
 */
import { totalmem } from 'node:os';
import { limits } from '../core/api/contract.ts';

const mebibyte = 1024 ** 2;

/** Below so many bytes one thread at a time parses large texts. */
const ample = 1024 * mebibyte;

export interface MemoryBudget {
  /** Bytes of the machine, or of the control group that the process runs in. */
  readonly memory: number;
  /** Bytes of large bodies under way. */
  readonly bodies: number;
  /** Bytes of answers that their readers have not taken. */
  readonly answers: number;
  /** Threads that parse large texts. */
  readonly textThreads: number;
  /** Megabytes of the heap of each such thread; 300,000 values take less than 100. */
  readonly textHeap: number;
  /** Megabytes of the heap of a thread that judges by profiles. */
  readonly profileHeap: number;
  /** Megabytes of the heap of a thread that asks stewards' checks. */
  readonly checkHeap: number;
  /** Megabytes of the heap of a thread that reads a package. */
  readonly packageHeap: number;
}

/** The memory that this process may take: a control group's limit where that is smaller than the machine. */
function memoryAtHand(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

/** Returns the budget of a process with so many bytes of memory. */
export function memoryBudget(memory: number = memoryAtHand()): MemoryBudget {
  const heap = (most: number, share: number) => Math.min(most, Math.round((memory * share) / mebibyte));
  return {
    memory,
    bodies: Math.min(256 * mebibyte, Math.round(memory / 20)),
    answers: Math.min(limits.underWay, Math.round(memory / 8)),
    textThreads: memory < ample ? 1 : 2,
    textHeap: heap(1024, 0.25),
    profileHeap: heap(1024, 0.2),
    checkHeap: heap(512, 0.125),
    packageHeap: heap(768, 0.4),
  };
}
