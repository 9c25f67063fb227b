/**
 * Enlarges the blocks that answers are cut from, for a process that serves: of Node's own 8 KiB hardly one is, and each
 * asks the system then.
 */
export function enlargeAnswerBlocks(): void {
  Buffer.poolSize = 256 * 1024;
}
