/**
 * renderer/features/data brings records in and out: import, export and training data. The frame mounts its view and
 * its window-wide drop. Invariant: no file is held whole, and what the page says is stored, the server has said.
 */
import { csvLine } from '../../../core/app/csv.ts';
import { importResults, type ImportLine, type ImportResult } from '../../../core/app/transfer.ts';

/** What became of one record. */
export interface OutcomeRow extends ImportLine {
  readonly file: string;
}

/** Which rows are shown. */
export type OutcomeFilter = 'all' | ImportResult;

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
  private readonly known = new Map<string, string>();
  private readonly byResult: Record<ImportResult, number[]> = {
    stored: [],
    unchanged: [],
    refused: [],
    skipped: [],
  };

  add(file: string, { place, result, reason }: ImportLine): void {
    if (this.files.at(-1) !== file) this.files.push(file);
    this.byResult[result].push(this.results.length);
    this.fileOf.push(this.files.length - 1);
    this.places.push(place ?? 0);
    this.results.push(importResults.indexOf(result));
    this.reasons.push(reason === undefined ? undefined : this.shared(reason));
  }

  count(filter: OutcomeFilter): number {
    return filter === 'all' ? this.results.length : this.byResult[filter].length;
  }

  /** The row at this place among those that the filter leaves. */
  row(filter: OutcomeFilter, index: number): OutcomeRow | undefined {
    const at = filter === 'all' ? index : this.byResult[filter][index];
    const result = at === undefined ? undefined : importResults[this.results[at] ?? -1];
    if (at === undefined || result === undefined) return undefined;
    const [place = 0, reason] = [this.places[at], this.reasons[at]];
    return {
      file: this.files[this.fileOf[at] ?? 0] ?? '',
      result,
      ...(place > 0 && { place }),
      ...(reason !== undefined && { reason }),
    };
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
