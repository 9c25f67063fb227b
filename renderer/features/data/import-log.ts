/**
 * Brings records in and out: import, export and training data. The app mounts its view and the window-wide drop.
 * Invariant: files are never held in memory as a whole, and the page reports only records that the server confirmed
 * as stored.
 */
import { csvLine } from '../../../core/app/csv.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import {
  importResults,
  type ImportLine,
  type ImportResult,
  type StoredSpan,
} from '../../../core/app/transfer.ts';

/** Result of one record. */
export interface OutcomeRow extends ImportLine {
  readonly file: string;
}

/** Places of records by file name. Place 0 is a single record. */
export type FilePlaces = ReadonlyMap<string, ReadonlySet<number>>;

/** Selects the visible rows. */
export type OutcomeFilter = 'all' | ImportResult;

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
  /** Row indexes of rejected records that the level `off` would store. */
  private readonly storable: number[] = [];
  /** Instants of the first and last stored version; undefined if none was stored. */
  span: StoredSpan | undefined;
  /** Number of stored records with issues. */
  flaggedCount = 0;

  add(file: string, { place, result, reason, record, storable, issues = 0 }: ImportLine): void {
    if (this.files.at(-1) !== file) this.files.push(file);
    if (storable) this.storable.push(this.results.length);
    this.byResult[result].push(this.results.length);
    this.fileOf.push(this.files.length - 1);
    this.places.push(place ?? 0);
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

  /** Number of rejected records that the level `off` would store. */
  get storableCount(): number {
    return this.storable.length;
  }

  /** Returns the places of rejected records that the level `off` would store. */
  storablePlaces(): FilePlaces {
    const placesByFile = new Map<string, Set<number>>();
    for (const rowIndex of this.storable) {
      const name = this.files[this.fileOf[rowIndex] ?? 0] ?? '';
      const places = placesByFile.get(name) ?? new Set();
      placesByFile.set(name, places.add(this.places[rowIndex] ?? 0));
    }
    return placesByFile;
  }

  count(filter: OutcomeFilter): number {
    return filter === 'all' ? this.results.length : this.byResult[filter].length;
  }

  /** Returns the row at an index of the filtered rows. Without a filter, rejected rows come first. */
  row(filter: OutcomeFilter, index: number): OutcomeRow | undefined {
    const rowIndex = filter === 'all' ? this.findRowIndex(index) : this.byResult[filter][index];
    const result = rowIndex === undefined ? undefined : importResults[this.results[rowIndex] ?? -1];
    if (rowIndex === undefined || result === undefined) return undefined;
    const [place = 0, reason, record] = [
      this.places[rowIndex],
      this.reasons[rowIndex],
      this.records[rowIndex],
    ];
    return {
      file: this.files[this.fileOf[rowIndex] ?? 0] ?? '',
      result,
      ...(place > 0 && { place }),
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
      if (row) part += csvLine([row.file, row.place ?? '', row.result, row.reason ?? '']);
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
