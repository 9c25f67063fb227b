import { titleOf, type RecordState } from '../features/record/record-state.ts';

/** One open record. The key is its own for each opening, so that a reopened record begins with a fresh undo stack. */
export interface RecordTab {
  readonly kind: 'record';
  readonly key: string;
  /** What the search said it is called, until the record is read. */
  readonly hint: string;
  readonly record: RecordState;
}

/** What a record's tab is called: the record's title, else what the search called it, else its id. */
export function labelOfRecord({ record, hint }: RecordTab): string {
  return record.base ? titleOf(record) : hint || record.id;
}

/** The URI of a tab's text model; it names the type, so that a schema can be bound to it. */
export function modelPathOf({ key, record }: RecordTab): string {
  return `chartkeeper:/${record.type}/${record.id}/${key}.json`;
}
