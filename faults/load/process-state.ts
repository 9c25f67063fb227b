import { readdirSync, readFileSync } from 'node:fs';

/** True if this system reports the state of processes. */
export const canReadProcessState = process.platform === 'linux';

/** Returns the number of open descriptors of a process. */
export function countDescriptors(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/**
 * Returns the private memory of a process in bytes: RSS without mapped files, which are as large as the
 * store.
 */
export function readMemoryBytes(pid: number): number {
  const kilobytes = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) * 1024;
}
