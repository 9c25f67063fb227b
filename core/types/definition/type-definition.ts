import type { Rule } from './rule.ts';

/** What orders records beside their stamp: columns of the store, each with an index of its own. */
export type SortValue = 'date' | 'status' | 'title';

/**
 * Where the facts of a table row stand: dotted paths of elements from the record's root. Where several are named, the
 * first that says something counts.
 */
export interface SummaryPaths {
  readonly status: string;
  readonly intent?: string;
  /** What the record may be called by; through arrays, whose first value counts. */
  readonly title: readonly string[];
  readonly subject: string;
  readonly encounter?: string;
  /** A date, dateTime or instant. */
  readonly date: readonly string[];
  /** Where the time that `date` begins ends. */
  readonly end?: string;
}

/** A column that the grid offers beside those of the summary. */
export interface ColumnRow {
  /** Names the column in kept layouts: given once, and never to another. */
  readonly id: string;
  readonly label: string;
  /** Dotted path of the element, through arrays; the first of several that says something counts. */
  readonly path: string | readonly string[];
  /**
   * `count` tells how many there are, `names` what references or concepts are called, `negated` what the activities are
   * called that are not to be performed.
   */
  readonly as: 'code' | 'names' | 'date' | 'count' | 'text' | 'negated';
  /** Shown until the user chooses other columns. */
  readonly shownAtFirst?: true;
  /** Written into each CSV, shown or not. */
  readonly exportedAlways?: true;
}

/** One row of what the inspector tells of a record. */
export interface FactRow {
  readonly label: string;
  /** Dotted path of the element; the first of several that says something counts. */
  readonly path: string | readonly string[];
  readonly as: 'status' | 'code' | 'concepts' | 'references' | 'period' | 'date';
  /** Whether the row stands there where the record does not say. */
  readonly always?: true;
  /** Of a period: the values of the record's status by which its end is still to be kept. */
  readonly openWhile?: readonly string[];
}

/** What is asked before a new record is begun. */
interface BeginningRow {
  readonly label: string;
  /** JSON Pointer (RFC 6901) of the string that it becomes. */
  readonly pointer: string;
  /** `subject` takes a reference, or the id of a patient. */
  readonly as: 'subject' | 'text';
}

/** What a record says of others of its type, and what must be true of them together. */
interface Relations {
  /** Elements that refer to a record of the same type: the search parameter, and the member at the record's root. */
  readonly refersTo: readonly { readonly parameter: string; readonly member: string }[];
  /** Which of them says that the other is replaced, and with which `code` beside the reference where it needs one. */
  readonly replaces: { readonly parameter: string; readonly code?: string };
  /** The statuses of a record that should not be there any more once another replaces it. */
  readonly current: readonly string[];
  /** Where two records of one subject, in one status and of the same categories, do not go on at the same time. */
  readonly overlap?: {
    readonly status: string;
    readonly category: string;
    readonly date: string;
    /** Codes of categories that say nothing of the kind. */
    readonly general: readonly string[];
  };
}

/** How a new record begins: with the smallest text that R4 takes. */
interface Beginning {
  /** Its elements behind `resourceType`, in R4's order; the strings that are asked for are empty. */
  readonly elements: Readonly<Record<string, unknown>>;
  readonly asks: readonly BeginningRow[];
  /** Name of an element that is today's date. */
  readonly dated?: string;
}

/**
 * All that the program knows of one resource type beyond what FHIR R4's own definitions say of it. Search, index,
 * validation, /metadata, scopes, forms, grid, summary and documentation are made from the list of these.
 */
export interface TypeDefinition {
  /** Name of the resource type. */
  readonly name: string;
  /** What several of its records are called. */
  readonly plural: string;
  /** The group of the finder: how stewards call many of them. */
  readonly calledMany: string;
  /** The OperationDefinition of `$document`, where a record is the head of a document. */
  readonly document?: string;
  /** What a record is called that says nothing of itself. */
  readonly called: string;
  readonly summary: SummaryPaths;
  /**
   * The search parameters that are offered, by their names in R4, each with the number that stands for it in the index.
   * Numbers are in the file: they are given once, over all types, and never again. An alias has its original's.
   */
  readonly parameters: Readonly<Record<string, number>>;
  /** The parameters that `_sort` takes, each with what it compares. */
  readonly sort: Readonly<Record<string, SortValue>>;
  /** The search parameters whose values narrow a list of results, in their order; those of `sort` by date go by months. */
  readonly filters: readonly string[];
  /** What the grid can show of a record beside its summary, in order. */
  readonly columns: readonly ColumnRow[];
  /** Whether a search must name whom it is about. */
  readonly needsSubject?: true;
  /** As what a person reads it; without it, by its facts and its narrative. */
  readonly readAs?: 'document' | 'plan';
  /** What the inspector tells of a record, in its order. */
  readonly facts: readonly FactRow[];
  readonly relations?: Relations;
  readonly begin: Beginning;
  /** The status of a record that should never have been written. */
  readonly enteredInError: string;
  /** R4's invariants of this type alone, and what a data steward looks into. */
  readonly rules: readonly Rule[];
}
