import type { ImportLine } from '../app/transfer.ts';
import type { Message } from '../text/message.ts';
import type { BundlePlace } from './bundle-head.ts';

/** Addresses that a Bundle entry states beside its resource (R4 bundle.html). */
export interface EntryAddress {
  readonly fullUrl?: string;
  /** Address of the request that the entry stands for, such as `CarePlan/7`. */
  readonly requestUrl?: string;
  /** Link of the relation `via`: the place of the entry in the file that the page read. */
  readonly via?: string;
}

/** Returns the link of an entry to its place in a file. {@link readEntryLink} parses it. */
export function formatEntryLink({ file, path }: Pick<FileImportEntry, 'file' | 'path'>): string {
  return `${encodeURIComponent(file)}#${encodeURIComponent(path)}`;
}

/** Returns the location that a link of {@link formatEntryLink} states. */
export function readEntryLink(link: string): Pick<ImportLine, 'file' | 'place' | 'path'> {
  try {
    const [file = '', path = ''] = link.split('#').map(decodeURIComponent);
    return { file, ...locationOf(path) };
  } catch {
    return {};
  }
}

/** File that the manifest of a Bulk Data export lists. */
interface ListedFile {
  /** Path in the manifest: `output[0]`. */
  readonly path: string;
  /** Last part of its address. */
  readonly name: string;
  /** Count of its resources. */
  readonly count?: number;
}

/** Manifest of a Bulk Data export (Bulk Data Access IG, "Response - Complete Status"). */
export interface Manifest {
  readonly files: readonly ListedFile[];
  readonly skipReason: Message;
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
  /** Manifest of an export, which is skipped. */
  readonly manifest?: Manifest;
  /** Addresses of an entry without a resource that a GET would read. A request names other records of its import so. */
  readonly elsewhere?: EntryAddress;
  /** Place in the Bundle that directly contains it. Absent if that is known to be no document. */
  readonly bundlePlace?: BundlePlace;
}

export interface FileImportEntry extends ImportEntry {
  /** Path of its file. Files in a zip file have its path in front: `ward.zip/a/plan.json`. */
  readonly file: string;
  /** Path of the file that was chosen: the zip file of a file in it. */
  readonly source: string;
}

/** Returns the path of a member or item below `path`. */
export function childPath(path: string, child: string | number): string {
  if (typeof child === 'number') return `${path}[${child}]`;
  if (path === '') return child;
  return /^line \d+$/.test(path) ? `${path} ${child}` : `${path}.${child}`;
}

/**
 * Returns the place of an entry in an import report: the number of its line or Bundle entry from 1, and its path if the
 * number does not say all of it.
 */
export function locationOf(path: string): Pick<ImportLine, 'place' | 'path'> {
  const { line, entry } = /^(?:line (?<line>\d+)|entry\[(?<entry>\d+)\])/.exec(path)?.groups ?? {};
  const isWhole = /^(?:line \d+|entry\[\d+\](?:\.resource)?)?$/.test(path);
  return {
    ...(line !== undefined && { place: Number(line) }),
    ...(entry !== undefined && { place: Number(entry) + 1 }),
    ...(!isWhole && { path }),
  };
}

/** Returns the line of a report about a piece of an import, with the location of its entry in the whole import. */
export function relocateLine(line: ImportLine, path: string): ImportLine {
  const relocatedLine: { -readonly [Name in keyof ImportLine]: ImportLine[Name] } = { ...line };
  delete relocatedLine.place;
  delete relocatedLine.path;
  return { ...relocatedLine, ...locationOf(path) };
}

/** Returns the result of an entry that has no resource. */
export function describeUnread({ problem, skipReason }: Omit<ImportEntry, 'path'>): ImportLine {
  const result = problem ? 'refused' : 'skipped';
  const message = problem ?? skipReason;
  if (!message) return { result };
  const { text: reason, ...code } = message;
  return { result, reason, ...code };
}
