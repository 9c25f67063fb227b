import type { DatePrefix, RecordColumn, SearchParameter } from './search-parameters.ts';
import type { SortValue } from '../types/definition/type-definition.ts';
import type { LiteralReference } from './reference.ts';
import type { ResourceType } from './resource.ts';
import type { TimeRange } from './search-date.ts';

export interface TokenValue {
  /** `null`: the coding must have no system; undefined: any system. */
  readonly system?: string | null;
  /** In lower case, because tokens ignore case. Absent in `system|`. */
  readonly code?: string;
}

export interface DateValue extends TimeRange {
  readonly prefix: DatePrefix;
}

/** The index tables of the store, by the content of their rows. */
export type IndexTable = 'reference' | 'token' | 'date' | 'string';

/** One condition: any of its values matches. `key` names the index rows, as `indexKey` returns it. */
export type Term =
  | { readonly kind: 'id'; readonly values: readonly string[] }
  /** UUIDs of the import batches that brought the record. */
  | { readonly kind: 'batch'; readonly values: readonly string[] }
  | { readonly kind: 'updated'; readonly values: readonly DateValue[] }
  | {
      readonly kind: 'reference';
      readonly key: string;
      readonly values: readonly LiteralReference[];
      /** Literals with a type must have this one. Literals without one (`urn:uuid:x`) may match. */
      readonly target?: string;
    }
  | {
      readonly kind: 'token';
      readonly key: string;
      readonly values: readonly TokenValue[];
      readonly not: boolean;
    }
  | { readonly kind: 'date'; readonly key: string; readonly values: readonly DateValue[] }
  | {
      readonly kind: 'string';
      readonly key: string;
      readonly match: 'start' | 'exact' | 'contains';
      readonly values: readonly string[];
    }
  | {
      readonly kind: 'missing';
      readonly table: IndexTable;
      readonly key: string;
      readonly missing: boolean;
      /** Literals with another type do not count. */
      readonly target?: string;
    };

export type SortColumn = RecordColumn | SortValue;

export interface SortKey {
  readonly column: SortColumn;
  readonly descending: boolean;
}

/** Latest first (row 63). */
export const latestFirst: readonly SortKey[] = [{ column: '_lastUpdated', descending: true }];

/** Start of a page: the page before or after this record, in the order of the search. */
export interface Cursor {
  /** The record's sort keys, its id last. */
  readonly keys: readonly (string | number)[];
  /** Snapshot of the store at the first page, in the store's format. Later writes neither hide nor repeat a record. */
  readonly snapshot: string;
  /** True if the page precedes the record. */
  readonly backwards: boolean;
}

/** The part of each record in the response (FHIR R4 search.html#summary and #elements). */
export type Projection =
  | { readonly summary: 'true' | 'text' | 'data' }
  | { readonly elements: readonly string[] };

/** Records that are added to the matches: the matches refer to them by the parameter, or they refer to the matches. */
export interface Include {
  readonly parameter: SearchParameter;
  readonly reverse: boolean;
}

/** A parsed search: all terms must match. */
export interface SearchCriteria {
  readonly type: ResourceType;
  readonly terms: readonly Term[];
  readonly sort: readonly SortKey[];
  /** Size of a page; absent if all matches are requested. */
  readonly count?: number;
  readonly cursor?: Cursor;
  /** True if only the total is requested. */
  readonly totalOnly: boolean;
  /** True if no total is needed. */
  readonly withoutTotal: boolean;
  readonly projection?: Projection;
  readonly includes: readonly Include[];
  readonly pretty: boolean;
  /** The applied pairs, for the `self` link. */
  readonly usedPairs: readonly (readonly [name: string, value: string])[];
}
