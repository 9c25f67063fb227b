import type { DatePrefix, RecordColumn, SearchParameter } from './search-parameters.ts';
import type { SortValue } from '../types/definition/type-definition.ts';
import type { LiteralReference } from './reference.ts';
import type { ResourceType } from './resource.ts';
import type { TimeRange } from './search-date.ts';

export interface TokenValue {
  /** `null`: the coding must have no system; undefined: any system. */
  readonly system?: string | null;
  /** In lower case: tokens are compared without regard to case. Absent in `system|`. */
  readonly code?: string;
}

export interface DateValue extends TimeRange {
  readonly prefix: DatePrefix;
}

/** The index tables of the store, by what their rows hold. */
export type IndexTable = 'reference' | 'token' | 'date' | 'string';

/** One condition: any of its values holds. `key` names the index rows, as `indexKey` of the parameters' table does. */
export type Term =
  | { readonly kind: 'id'; readonly anyOf: readonly string[] }
  | { readonly kind: 'updated'; readonly anyOf: readonly DateValue[] }
  | {
      readonly kind: 'reference';
      readonly key: string;
      readonly anyOf: readonly LiteralReference[];
      /** Literals that name a type must name this one; those that name none (`urn:uuid:x`) may match. */
      readonly target?: string;
    }
  | {
      readonly kind: 'token';
      readonly key: string;
      readonly anyOf: readonly TokenValue[];
      readonly not: boolean;
    }
  | { readonly kind: 'date'; readonly key: string; readonly anyOf: readonly DateValue[] }
  | {
      readonly kind: 'string';
      readonly key: string;
      readonly match: 'start' | 'exact' | 'contains';
      readonly anyOf: readonly string[];
    }
  | {
      readonly kind: 'missing';
      readonly table: IndexTable;
      readonly key: string;
      readonly missing: boolean;
      /** Literals that name another type than this one do not count. */
      readonly target?: string;
    };

export type SortColumn = RecordColumn | SortValue;

export interface SortKey {
  readonly column: SortColumn;
  readonly descending: boolean;
}

/** Row 63: the newest first. */
export const newestFirst: readonly SortKey[] = [{ column: '_lastUpdated', descending: true }];

/** Where a page starts: beside this record, in the order of the search, among what was stored by then. */
export interface Cursor {
  /** The record's sort keys, its id last. */
  readonly keys: readonly (string | number)[];
  /** What the store knew when the first page was answered, in its own words: later writes neither hide nor repeat a record. */
  readonly snapshot: string;
  /** Whether the page lies before the record. */
  readonly backwards: boolean;
}

/** What of each record is answered (FHIR R4 search.html#summary and #elements). */
export type Projection =
  | { readonly summary: 'true' | 'text' | 'data' }
  | { readonly elements: readonly string[] };

/** Records that are answered beside the matches: those that they refer to by the parameter, or that refer to them. */
export interface Include {
  readonly parameter: SearchParameter;
  readonly reverse: boolean;
}

/** A search that has been understood: all terms hold. */
export interface SearchCriteria {
  readonly type: ResourceType;
  readonly terms: readonly Term[];
  readonly sort: readonly SortKey[];
  /** Size of a page; absent where all matches are asked for. */
  readonly count?: number;
  readonly cursor?: Cursor;
  /** Whether the total alone is asked for. */
  readonly totalOnly: boolean;
  /** Whether the total is left out, and need not be counted. */
  readonly withoutTotal: boolean;
  readonly projection?: Projection;
  readonly includes: readonly Include[];
  readonly pretty: boolean;
  /** The pairs that were used, for the `self` link. */
  readonly used: readonly (readonly [name: string, value: string])[];
}
