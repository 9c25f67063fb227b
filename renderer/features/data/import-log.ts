/**
 * Brings records in and out: import, export and training data. The app mounts its view and the window-wide drop.
 * Invariant: files are never held in memory as a whole, and the page reports only records that the server confirmed
 * as stored.
 */
import { csvLine } from '../../../core/app/csv.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import type { FileImportEntry } from '../../../core/import/entry.ts';
import { isSkippedFile, SkippedFiles } from '../../../core/import/skipped-files.ts';
import { text } from '../../ui/text.ts';
import { OutcomeGroups, type GroupFilter } from './outcome-groups.ts';
import {
  importResults,
  type ImportLine,
  type ImportResult,
  type StoredSpan,
} from '../../../core/app/transfer.ts';

/** Chosen file of an entry, and its own file, which can be inside of a zip file. */
type LoggedEntry = Pick<FileImportEntry, 'source' | 'file'>;

/** Result of one record. */
export interface OutcomeRow extends ImportLine {
  readonly file: string;
}

/** Indexes of entries in each chosen file, by its name. */
export type FileEntries = ReadonlyMap<string, ReadonlySet<number>>;

/** Selects the visible rows. */
export type OutcomeFilter = 'all' | ImportResult | GroupFilter;

/** Results that need attention come first. */
const worstFirst: readonly ImportResult[] = ['refused', 'skipped', 'stored', 'replaced', 'kept', 'unchanged'];

/**
 * Results of all records of an import, stored in columns. A million rows take a few megabytes instead of about a
 * hundred as objects.
 */
export class ImportLog {
  private readonly files: string[] = [];
  private readonly fileOf: number[] = [];
  private readonly places: number[] = [];
  private readonly paths: (string | undefined)[] = [];
  private readonly results: number[] = [];
  private readonly reasons: (string | undefined)[] = [];
  private readonly records: (string | undefined)[] = [];
  private readonly knownReasons = new Map<string, string>();
  private readonly byResult: Record<ImportResult, number[]> = {
    stored: [],
    unchanged: [],
    refused: [],
    skipped: [],
    kept: [],
    replaced: [],
  };
  /** Entries of rejected records that the level `off` would store, and of what came with them. */
  private readonly storable = new Map<string, Set<number>>();
  /** Chosen file of the last entry, and the index of that entry in it. */
  private lastEntry = { source: '', index: -1 };
  /** Entries that would replace a related resource. */
  private readonly replacing = new Map<string, Set<number>>();
  readonly groups = new OutcomeGroups();
  /** Skipped files by their extensions. */
  readonly skippedFiles = new SkippedFiles();
  /** Number of rejected records that the level `off` would store. */
  storableCount = 0;
  /** Instants of the first and last stored version; undefined if none was stored. */
  span: StoredSpan | undefined;
  /** Number of stored records with issues. */
  flaggedCount = 0;

  /** Adds the next entry of a run over whole files. */
  add({ file, source }: LoggedEntry, line: ImportLine): void {
    const { place, path, result, record, storable, issues = 0 } = line;
    const reason = describeReason(line);
    if (this.files.at(-1) !== file) this.files.push(file);
    const index = this.lastEntry.source === source ? this.lastEntry.index + 1 : 0;
    this.lastEntry = { source, index };
    if (storable) {
      this.storable.set(source, (this.storable.get(source) ?? new Set()).add(index));
      // What came with a refused document follows it.
      if (result === 'refused') this.storableCount += 1;
    }
    if (result === 'replaced')
      this.replacing.set(source, (this.replacing.get(source) ?? new Set()).add(index));
    this.groups.add(line, reason, this.results.length);
    if (isSkippedFile(line)) this.skippedFiles.add(file);
    this.byResult[result].push(this.results.length);
    this.fileOf.push(this.files.length - 1);
    this.places.push(place ?? 0);
    this.paths.push(path);
    this.results.push(importResults.indexOf(result));
    this.reasons.push(reason === undefined ? undefined : this.shared(reason));
    this.records.push(record);
    if (issues > 0) this.flaggedCount += 1;
  }

  /** Extends the span by the instants of a chunk. */
  extend(span: StoredSpan | undefined): void {
    if (!span) return;
    const { first: currentFirst, last: currentLast } = this.span ?? span;
    this.span = {
      first: currentFirst < span.first ? currentFirst : span.first,
      last: currentLast > span.last ? currentLast : span.last,
    };
  }

  /** Returns the number of stored records of a type. */
  countStored(type: ResourceType): number {
    return this.byResult.stored.filter((rowIndex) => this.records[rowIndex]?.startsWith(`${type}/`)).length;
  }

  /** Returns the number of stored supporting resources of each type, sorted by type. */
  countSupportingByType(): readonly (readonly [type: string, count: number])[] {
    const rowIndexes = [...this.byResult.kept, ...this.byResult.replaced];
    const byType = Map.groupBy(rowIndexes, (rowIndex) => this.records[rowIndex]?.split('/')[0] ?? '');
    return [...byType].map(([type, typeRows]) => [type, typeRows.length] as const).sort();
  }

  /** Common folder of all files with its trailing slash; empty if there is none. */
  get folder(): string {
    const [firstFile = '', ...otherFiles] = this.files;
    let end = firstFile.lastIndexOf('/') + 1;
    while (end > 0 && !otherFiles.every((name) => name.startsWith(firstFile.slice(0, end)))) {
      end = firstFile.lastIndexOf('/', end - 2) + 1;
    }
    return firstFile.slice(0, end);
  }

  /** Returns the entries of rejected records that the level `off` would store. */
  storableEntries(): FileEntries {
    return this.storable;
  }

  /** Returns the entries that would replace a related resource. */
  replacingEntries(): FileEntries {
    return this.replacing;
  }

  count(filter: OutcomeFilter): number {
    return filter === 'all' ? this.results.length : this.linesOf(filter).length;
  }

  private linesOf(filter: Exclude<OutcomeFilter, 'all'>): readonly number[] {
    return isGroupFilter(filter) ? this.groups.linesOf(filter) : this.byResult[filter];
  }

  /** Returns the row at an index of the filtered rows. Without a filter, rejected rows come first. */
  row(filter: OutcomeFilter, index: number): OutcomeRow | undefined {
    const rowIndex = filter === 'all' ? this.findRowIndex(index) : this.linesOf(filter)[index];
    const result = rowIndex === undefined ? undefined : importResults[this.results[rowIndex] ?? -1];
    if (rowIndex === undefined || result === undefined) return undefined;
    const [place = 0, path] = [this.places[rowIndex], this.paths[rowIndex]];
    const [reason, record] = [this.reasons[rowIndex], this.records[rowIndex]];
    return {
      file: this.files[this.fileOf[rowIndex] ?? 0] ?? '',
      result,
      ...(place > 0 && { place }),
      ...(path !== undefined && { path }),
      ...(reason !== undefined && { reason }),
      ...(record !== undefined && { record }),
    };
  }

  private findRowIndex(index: number): number | undefined {
    let remainingIndex = index;
    for (const result of worstFirst) {
      const resultRows = this.byResult[result];
      if (remainingIndex < resultRows.length) return resultRows[remainingIndex];
      remainingIndex -= resultRows.length;
    }
    return undefined;
  }

  /** Yields the rows as CSV in parts of a few thousand lines. */
  *csv(filter: OutcomeFilter): Generator<string> {
    let part = csvLine(['file', 'line', 'result', 'reason']);
    for (let index = 0; index < this.count(filter); index += 1) {
      const row = this.row(filter, index);
      if (row) part += csvLine([row.file, row.path ?? row.place ?? '', row.result, row.reason ?? '']);
      if (part.length > 65_536) {
        yield part;
        part = '';
      }
    }
    yield part;
  }

  /** Returns a shared copy of a reason, because most rejections have the same text. */
  private shared(reason: string): string {
    const storedReason = this.knownReasons.get(reason);
    if (storedReason !== undefined) return storedReason;
    if (this.knownReasons.size < 10_000) this.knownReasons.set(reason, reason);
    return reason;
  }
}

function isGroupFilter(filter: OutcomeFilter): filter is GroupFilter {
  return filter.startsWith('group ');
}

/** Returns why an entry is not stored, in words. The reason for a skipped resource is its type. */
export function describeReason({ result, reason, messageCode }: ImportLine): string | undefined {
  const isType = result === 'skipped' && messageCode === undefined && reason !== undefined;
  return isType ? text.data.import.otherType(reason) : reason;
}
