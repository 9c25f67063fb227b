/**
 * renderer/features/data brings records in and out: import, export and training data. The frame mounts its view and
 * its window-wide drop. Invariant: no file is held whole, and what the page says is stored, the server has said.
 */
import { csvLine } from '../../../core/app/csv.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import {
  importResults,
  type ImportLine,
  type ImportResult,
  type StoredSpan,
} from '../../../core/app/transfer.ts';

/** What became of one record. */
export interface OutcomeRow extends ImportLine {
  readonly file: string;
}

/** Places of records by the name of their file; 0 is a record alone. */
export type FilePlaces = ReadonlyMap<string, ReadonlySet<number>>;

/** Which rows are shown. */
export type OutcomeFilter = 'all' | ImportResult;

/** What somebody has to see to comes first. */
const worstFirst: readonly ImportResult[] = ['refused', 'skipped', 'stored', 'replaced', 'kept', 'unchanged'];

/**
 * What became of every record of an import, in columns: a million of them take a few megabytes, where objects would
 * take a hundred.
 */
export class ImportLog {
  private readonly files: string[] = [];
  private readonly fileOf: number[] = [];
  private readonly places: number[] = [];
  private readonly results: number[] = [];
  private readonly reasons: (string | undefined)[] = [];
  private readonly records: (string | undefined)[] = [];
  private readonly known = new Map<string, string>();
  private readonly byResult: Record<ImportResult, number[]> = {
    stored: [],
    unchanged: [],
    refused: [],
    skipped: [],
    kept: [],
    replaced: [],
  };
  /** When the first version was stored, and the last; undefined where none was. */
  span: StoredSpan | undefined;
  /** How many records came in flagged. */
  flagged = 0;

  add(file: string, { place, result, reason, record, issues = 0 }: ImportLine): void {
    if (this.files.at(-1) !== file) this.files.push(file);
    this.byResult[result].push(this.results.length);
    this.fileOf.push(this.files.length - 1);
    this.places.push(place ?? 0);
    this.results.push(importResults.indexOf(result));
    this.reasons.push(reason === undefined ? undefined : this.shared(reason));
    this.records.push(record);
    if (issues > 0) this.flagged += 1;
  }

  /** Adds the time in which a piece was stored. */
  extend(span: StoredSpan | undefined): void {
    if (!span) return;
    const { first, last } = this.span ?? span;
    this.span = {
      first: first < span.first ? first : span.first,
      last: last > span.last ? last : span.last,
    };
  }

  /** How many records of a type were stored. */
  storedOf(type: ResourceType): number {
    return this.byResult.stored.filter((at) => this.records[at]?.startsWith(`${type}/`)).length;
  }

  /** How many companions of each type were kept, in the order of their names. */
  companions(): readonly (readonly [type: string, count: number])[] {
    const kept = [...this.byResult.kept, ...this.byResult.replaced];
    const byType = Map.groupBy(kept, (at) => this.records[at]?.split('/')[0] ?? '');
    return [...byType].map(([type, own]) => [type, own.length] as const).sort();
  }

  /** The folder that all files are in, with its last slash; empty where they share none. */
  get folder(): string {
    const [first = '', ...others] = this.files;
    let end = first.lastIndexOf('/') + 1;
    while (end > 0 && !others.every((name) => name.startsWith(first.slice(0, end)))) {
      end = first.lastIndexOf('/', end - 2) + 1;
    }
    return first.slice(0, end);
  }

  /** Where the records stand that ended so. */
  placesOf(result: ImportResult): FilePlaces {
    const found = new Map<string, Set<number>>();
    for (const at of this.byResult[result]) {
      const name = this.files[this.fileOf[at] ?? 0] ?? '';
      const places = found.get(name) ?? new Set();
      found.set(name, places.add(this.places[at] ?? 0));
    }
    return found;
  }

  count(filter: OutcomeFilter): number {
    return filter === 'all' ? this.results.length : this.byResult[filter].length;
  }

  /** The row at this place among those that the filter leaves; among all, the worst come first. */
  row(filter: OutcomeFilter, index: number): OutcomeRow | undefined {
    const at = filter === 'all' ? this.inAll(index) : this.byResult[filter][index];
    const result = at === undefined ? undefined : importResults[this.results[at] ?? -1];
    if (at === undefined || result === undefined) return undefined;
    const [place = 0, reason, record] = [this.places[at], this.reasons[at], this.records[at]];
    return {
      file: this.files[this.fileOf[at] ?? 0] ?? '',
      result,
      ...(place > 0 && { place }),
      ...(reason !== undefined && { reason }),
      ...(record !== undefined && { record }),
    };
  }

  private inAll(index: number): number | undefined {
    let left = index;
    for (const result of worstFirst) {
      const some = this.byResult[result];
      if (left < some.length) return some[left];
      left -= some.length;
    }
    return undefined;
  }

  /** The rows as CSV, in parts of a few thousand lines. */
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

  /** The same text once: most refusals say the same. */
  private shared(reason: string): string {
    const found = this.known.get(reason);
    if (found !== undefined) return found;
    if (this.known.size < 10_000) this.known.set(reason, reason);
    return reason;
  }
}
