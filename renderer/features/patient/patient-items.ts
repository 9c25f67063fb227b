import { resourceTypes } from '../../../core/fhir/resource.ts';
import { text } from '../../ui/text.ts';
import { timeWords } from '../../ui/timeline/time-words.ts';
import type { TimelineItem } from '../../ui/timeline/layout.ts';
import { maxRendered } from '../../ui/timeline/timeline.tsx';
import type { PatientRecord } from './patient-records.ts';

/** Returns the records with a time, in lanes by type, oldest first. Of very many, only the latest are returned. */
export function itemsOf(records: readonly PatientRecord[]): readonly TimelineItem[] {
  const timedRecords = records.filter(({ time }) => time?.span);
  const ordered = [...timedRecords.slice(0, maxRendered).toReversed(), ...timedRecords.slice(maxRendered)];
  return resourceTypes.flatMap((type) => ordered.filter((record) => record.type === type).map(toItem));
}

function toItem(record: PatientRecord): TimelineItem {
  const { type, id, title, status, time } = record;
  return {
    key: `${type}/${id}`,
    label: title,
    status,
    lane: text.types.plural(type),
    spans: time?.span ? [time.span] : [],
    when: time ? timeWords(time) : '',
    warning: findingsOf(record),
  };
}

/** Describes the issues of a record; empty if there are none. */
export function findingsOf({ issues }: PatientRecord): string {
  if (!issues || issues.errors + issues.warnings === 0) return '';
  return text.results.issuesOf(issues.errors, issues.warnings);
}
