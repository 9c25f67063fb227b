import type { Rule } from './rule.ts';

/** Sort keys of records besides the server metadata. Each has an indexed column in the store. */
export type SortValue = 'date' | 'status' | 'title';

/**
 * Dotted paths of the elements in a grid row, from the record's root. Of several, the first with a value
 * counts.
 */
export interface SummaryPaths {
  readonly status: string;
  readonly intent?: string;
  /** Elements that can serve as title. Of arrays the first value counts. */
  readonly title: readonly string[];
  readonly subject: string;
  readonly encounter?: string;
  /** A date, dateTime or instant. */
  readonly date: readonly string[];
  /** End of the time that starts with `date`. */
  readonly end?: string;
}

/** Column of the grid besides the columns of the summary. */
export interface ColumnRow {
  /** Permanent id of the column, in stored layouts and in texts of the page. Never reused. */
  readonly id: string;
  /** Dotted path of the element, through arrays. Of several, the first with a value counts. */
  readonly path: string | readonly string[];
  /**
   * `count` shows the count, `names` the names of references or concepts, `negated` the names of activities
   * that are prohibited or negated in another way.
   */
  readonly format: 'code' | 'names' | 'date' | 'count' | 'text' | 'negated';
  /** Shown until the user chooses other columns. */
  readonly isInitiallyVisible?: true;
  /** Included in each CSV, even if hidden. */
  readonly isAlwaysExported?: true;
}

/** Detail of a record in the inspector. */
export interface FactRow {
  /** Id of the row in texts of the page. */
  readonly id: string;
  /** Dotted path of the element. Of several, the first with a value counts. */
  readonly path: string | readonly string[];
  readonly format: 'status' | 'code' | 'concepts' | 'references' | 'period' | 'date';
  /** The row is also shown without a value. */
  readonly isShownWithoutValue?: true;
  /** For a period: statuses of the record in which its end is in the future. */
  readonly statusesWithFutureEnd?: readonly string[];
}

/** Question before a new record is created. */
interface NewRecordQuestion {
  /** Id of the question in texts of the page. */
  readonly id: string;
  /** JSON Pointer (RFC 6901) of the answer, a string. */
  readonly pointer: string;
  /** `subject` accepts a reference or the id of a patient. */
  readonly kind: 'subject' | 'text';
}

/** Relations of a record to others of its type, and their consistency rules. */
interface Relations {
  /**
   * Elements that refer to a record of the same type: the search parameter, and the member at the record's
   * root.
   */
  readonly refersTo: readonly { readonly parameter: string; readonly member: string }[];
  /** Element that names a replaced record, and the `code` that it needs for that. */
  readonly replaces: { readonly parameter: string; readonly code?: string };
  /** Statuses that a replaced record should not have. */
  readonly currentStatuses: readonly string[];
  /** Two records of one subject with this status and the same categories should not overlap in time. */
  readonly overlap?: {
    readonly status: string;
    readonly category: string;
    readonly date: string;
    /** Codes of categories that are too general to compare. */
    readonly ignoredCategories: readonly string[];
  };
}

/** Initial content of a new record: the smallest text that R4 accepts. */
interface NewRecordTemplate {
  /** Elements after `resourceType`, in R4's order. Requested strings are empty. */
  readonly elements: Readonly<Record<string, unknown>>;
  readonly questions: readonly NewRecordQuestion[];
  /** Name of an element with today's date. */
  readonly dated?: string;
}

/**
 * Everything that the program knows about a resource type besides R4's definitions. Search, index,
 * validation, /metadata, scopes, forms, grid, summary and documentation are built from the list of
 * definitions.
 */
export interface TypeDefinition {
  readonly name: string;
  /** OperationDefinition of `$document`, for types that are the head of a document. */
  readonly document?: string;
  /** Title of a record without one. It is stored and searched, so the page does not translate it. */
  readonly defaultTitle: string;
  readonly summary: SummaryPaths;
  /**
   * Supported search parameters by R4 name, with their numbers in the index. Numbers are permanent and unique
   * over all types. An alias has the number of its original.
   */
  readonly parameterNumbers: Readonly<Record<string, number>>;
  /** Parameters for `_sort`, with their sort keys. */
  readonly sort: Readonly<Record<string, SortValue>>;
  /** Search parameters whose values narrow a result list, in order. Dates are grouped by month. */
  readonly filters: readonly string[];
  /** Columns of the grid besides the summary, in order. */
  readonly columns: readonly ColumnRow[];
  /** True if a search must name a subject. */
  readonly needsSubject?: true;
  /** Reading view; without it, details and narrative. */
  readonly readingView?: 'document' | 'plan';
  /** Details in the inspector, in order. */
  readonly facts: readonly FactRow[];
  readonly relations?: Relations;
  readonly newRecord: NewRecordTemplate;
  /** Status of a record that was created by mistake. */
  readonly enteredInError: string;
  /** R4's invariants of this type, and checks for data stewards. */
  readonly rules: readonly Rule[];
}
