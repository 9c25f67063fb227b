import { readdirSync, readFileSync } from 'node:fs';

/** Whether this system tells what a process holds. */
export const tellsState = process.platform === 'linux';

/** Descriptors that a process has open. */
export function descriptorsOf(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** Bytes of memory that a process holds for itself: RSS without files that it maps, which are as large as the store. */
export function memoryOf(pid: number): number {
  const kilobytes = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) * 1024;
}
