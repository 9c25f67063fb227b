/**
 * Import batches: name, time, person and results of each import, and the versions and supporting resources that it wrote.
 *
 * Reads are the same for every engine (batch-reader.ts). A line of a stored version or supporting resource is written in its transaction, so
 * that an undo misses nothing. All other lines follow.
 */
import type { BatchComparison, BatchRecords, DifferenceKind, ImportBatch } from '../../core/app/batches.ts';
import type { ImportResult } from '../../core/app/transfer.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import type { NamedResource } from '../../core/fhir/supporting-resource.ts';

export type NewBatch = Pick<ImportBatch, 'id' | 'name' | 'form' | 'author'> & {
  readonly person?: string | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
};

/** Line of a batch about something that was stored. */
export interface StoredLine {
  /** UUID of the batch. */
  readonly batch: string;
  /** JSON of the reported line, without its result and record. */
  readonly detail: string;
  /** Address that the record came with, to compare batches. */
  readonly address?: string | undefined;
  /** Start of the SHA-256 of the record as it came, in hex. */
  readonly content?: string | undefined;
}

/** Line of a batch about an entry that was not stored. */
export interface NewLine extends Omit<StoredLine, 'batch'> {
  readonly result: ImportResult;
  /** The record or supporting resource that has the content of the entry. */
  readonly name?: NamedResource | undefined;
}

/** A stored line. `record` and `version` name the record or supporting resource. */
export interface BatchLineRow extends Pick<StoredLine, 'detail'> {
  readonly position: number;
  readonly result: ImportResult;
  readonly name?: NamedResource;
}

/** A version that a batch wrote. */
export interface WrittenVersion {
  readonly position: number;
  readonly type: ResourceType;
  readonly id: string;
  readonly version: number;
  /** The version before. Absent if the record was new. */
  readonly previous?: number;
  /** Number of the current version. Absent if the record was removed. */
  readonly current?: number;
}

/** A supporting resource that a batch stored or replaced. */
export interface WrittenResource extends NamedResource {
  readonly position: number;
  readonly source: string;
  readonly result: ImportResult;
  /** True if the line has the text that the batch replaced. */
  readonly hasFormer: boolean;
  readonly fullUrl?: string;
  /** Text of the resource. Absent if another batch or a removal has changed it since. */
  readonly text?: string;
}

export interface UndoneBatch {
  readonly now: number;
  readonly who: string;
  readonly person?: string | undefined;
  readonly reason?: string | undefined;
}

export interface BatchReader {
  /** Returns batches after a cursor, latest first. */
  list(after: BatchCursor | undefined, limit: number): Promise<readonly ImportBatch[]>;
  read(id: string): Promise<ImportBatch | undefined>;
  readLines(
    id: string,
    query: { readonly after: number; readonly result?: ImportResult | undefined },
    limit: number,
  ): Promise<readonly BatchLineRow[]>;
  /** Counts the records that a batch stored by their state now. */
  countRecords(id: string): Promise<BatchRecords>;
  /** Compares the records of two batches, after an address. */
  compare(
    id: string,
    other: string,
    query: { readonly kind?: DifferenceKind | undefined; readonly after: string },
    limit: number,
  ): Promise<Pick<BatchComparison, 'counts' | 'records'>>;
  /** Returns the versions that a batch wrote, after a position. */
  listVersions(id: string, after: number, limit: number): Promise<readonly WrittenVersion[]>;
  /** Returns the supporting resources that a batch wrote, before a position, latest first. */
  listResources(id: string, before: number, limit: number): Promise<readonly WrittenResource[]>;
  /**
   * Returns references to one of the ids of a supporting resource, except those of what the undo of the batch removes: records
   * and the supporting resources of the batch.
   */
  listReferences(
    id: string,
    resource: Pick<NamedResource, 'type'> & { readonly ids: readonly string[] },
    limit: number,
  ): Promise<readonly FoundReference[]>;
}

/** A literal reference of a record or a supporting resource. */
export interface FoundReference {
  readonly from: NamedResource;
  readonly reference: string;
  /** Source of a supporting resource. Absent for a record. */
  readonly source?: string;
}

export interface ImportBatchStore extends BatchReader {
  /** Creates a batch, or continues one of this id. */
  begin(batch: NewBatch): Promise<void>;
  addLines(id: string, lines: readonly NewLine[]): Promise<void>;
  /** Ends a batch and stores its counts. */
  end(id: string, now: number): Promise<void>;
  setUndone(id: string, undone: UndoneBatch): Promise<void>;
}

/** Position in the list of batches. */
export interface BatchCursor {
  readonly time: number;
  readonly id: string;
}
