import type { Message } from '../text/message.ts';

/** Addresses that a Bundle entry states beside its resource (R4 bundle.html). */
export interface EntryAddress {
  readonly fullUrl?: string;
  /** Address of the request that the entry stands for, such as `CarePlan/7`. */
  readonly requestUrl?: string;
}

/**
 * A resource of an input, or the reason why none is read there. Each part of an input is exactly one entry, so
 * that an import can account for all of them.
 */
export interface ImportEntry extends EntryAddress {
  /**
   * Place in its file: `entry[3].resource` of a Bundle, `line 4` of NDJSON, `line 4 entry[0].resource`. Empty
   * if the file is one resource.
   */
  readonly path: string;
  /** JSON text of the resource. */
  readonly text?: string;
  /** Reason why the part cannot be read. */
  readonly problem?: Message;
  /** Reason why the part is left out, though it can be read. */
  readonly skipReason?: Message;
}

/** Returns the path of a member or item below `path`. */
export function childPath(path: string, child: string | number): string {
  if (typeof child === 'number') return `${path}[${child}]`;
  if (path === '') return child;
  return /^line \d+$/.test(path) ? `${path} ${child}` : `${path}.${child}`;
}

/** Returns the number of the line or Bundle entry that a path starts with, from 1; undefined for other paths. */
export function placeOf(path: string): number | undefined {
  const { line, entry } = /^(?:line (?<line>\d+)|entry\[(?<entry>\d+)\])/.exec(path)?.groups ?? {};
  if (line !== undefined) return Number(line);
  return entry === undefined ? undefined : Number(entry) + 1;
}

/** Returns the path if the number of {@link placeOf} does not say all of it. */
export function innerPathOf(path: string): string | undefined {
  return /^(?:line \d+|entry\[\d+\](?:\.resource)?)?$/.test(path) ? undefined : path;
}
