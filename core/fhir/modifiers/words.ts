/**
 * core/fhir/modifiers knows the elements that change the meaning of their parent, and adds words to its name.
 * Called by all code that names a resource or its part. Invariant: a value without words is shown as written,
 * unless it is expected.
 */

export interface ModifierWords {
  /** Last name of the element's path. Absent for any element. */
  readonly element?: string;
  /** Code or boolean as written. */
  readonly value: string;
  readonly words: string;
  /** True if the name alone would state the opposite. The words precede it. */
  readonly negates?: true;
}

/** Words of values. Rows for one element precede rows for any element. */
export const modifierWords: readonly ModifierWords[] = [
  { element: 'doNotPerform', value: 'true', words: 'Do NOT', negates: true },
  { element: 'deleted', value: 'true', words: 'Deleted', negates: true },
  { element: 'exclude', value: 'true', words: 'Excluded', negates: true },
  { element: 'actuality', value: 'potential', words: 'Potential', negates: true },
  { element: 'verificationStatus', value: 'refuted', words: 'Refuted', negates: true },
  { element: 'forecastStatus', value: 'contraindicated', words: 'Contraindicated', negates: true },
  { element: 'equivalence', value: 'disjoint', words: 'Not equivalent', negates: true },
  { element: 'equivalence', value: 'unmatched', words: 'No match', negates: true },
  { value: 'entered-in-error', words: 'Entered in error', negates: true },
  { value: 'not-done', words: 'Not done', negates: true },
  { value: 'not-taken', words: 'Not taken', negates: true },
  { value: 'not-registered', words: 'Not registered', negates: true },
  { value: 'cancelled', words: 'Cancelled', negates: true },
  { value: 'rejected', words: 'Rejected', negates: true },
  { value: 'declined', words: 'Declined', negates: true },
  { value: 'noshow', words: 'No-show', negates: true },
  { value: 'abandoned', words: 'Abandoned', negates: true },
  { value: 'aborted', words: 'Aborted', negates: true },
  { value: 'failed', words: 'Failed', negates: true },
  { value: 'failure', words: 'Failed', negates: true },
  { value: 'disapproved', words: 'Disapproved', negates: true },
  { element: 'active', value: 'false', words: 'not active' },
  { element: 'deceasedBoolean', value: 'true', words: 'deceased' },
  { element: 'isSubpotent', value: 'true', words: 'subpotent dose' },
  { element: 'type', value: 'replaced-by', words: 'replaced by another record' },
  { element: 'emptyReason', value: 'nilknown', words: 'empty: Nil known' },
  { element: 'emptyReason', value: 'notasked', words: 'empty: Not asked' },
  { element: 'emptyReason', value: 'withheld', words: 'empty: Information withheld' },
  { element: 'emptyReason', value: 'unavailable', words: 'empty: Unavailable' },
  { element: 'emptyReason', value: 'notstarted', words: 'empty: Not started' },
  { element: 'emptyReason', value: 'closed', words: 'empty: Closed' },
];

/** Values that every reader expects of a named resource. */
export const expectedValues: ReadonlySet<string> = new Set([
  'accepted',
  'active',
  'actual',
  'amended',
  'appended',
  'approved',
  'arrived',
  'available',
  'balanced',
  'billable',
  'billed',
  'booked',
  'checked-in',
  'complete',
  'completed',
  'confirmed',
  'corrected',
  'current',
  'due',
  'eligible',
  'executed',
  'final',
  'finished',
  'fulfilled',
  'issued',
  'on-study',
  'order',
  'original-order',
  'plan',
  'snapshot',
  'success',
  'working',
  // Links of a Patient with a current record.
  'refer',
  'replaces',
  'seealso',
]);

/** Words for an unknown modifier extension (FHIR R4 extensibility.html#modifierExtension). */
export const unknownModifier = 'Has a modifier that changes its meaning';
