import { isResourceType, type ResourceType } from '../../../core/fhir/resource.ts';
import { summarise, type RecordSummary } from '../../../core/fhir/summary.ts';
import type { JsonNode } from '../../../core/json/node.ts';
import { formatPeriod, shortReference } from '../../ui/format.ts';

/** A row of the result grid: the record's summary and what the cells show of it. */
export interface ResultRow extends RecordSummary {
  readonly subjectShown: string;
  readonly encounterShown: string;
  readonly dateShown: string;
}

/** What opens a record. */
export interface RecordAddress {
  readonly type: ResourceType;
  readonly id: string;
  readonly title: string;
}

/** The row of one match. */
export function toRow(record: JsonNode): ResultRow {
  const summary = summarise(record);
  return {
    ...summary,
    subjectShown: summary.subjectName || shortReference(summary.subject, 'Patient'),
    encounterShown: shortReference(summary.encounter, 'Encounter'),
    dateShown: formatPeriod(summary.date, summary.end),
  };
}

/** Where a row's record is to be read; undefined for a match that is none of our types. */
export function addressOf({ type, id, title }: ResultRow): RecordAddress | undefined {
  return isResourceType(type) && id !== '' ? { type, id, title } : undefined;
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Orders texts as a person would: `Plan 2` before `Plan 10`, without regard to case. */
export function compareText(left: string, right: string): number {
  return collator.compare(left, right);
}

/** Orders FHIR dates and instants by the moment that they name, whatever their zone or precision. */
export function compareTime(left: string, right: string): number {
  const [leftTime, rightTime] = [Date.parse(left), Date.parse(right)];
  if (Number.isNaN(leftTime) || Number.isNaN(rightTime)) return collator.compare(left, right);
  return leftTime - rightTime;
}
