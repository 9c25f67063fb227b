import { definitionOf, resourceTypes } from '../../../core/fhir/resource.ts';
import { text } from '../../ui/text.ts';
import { timeWords } from '../../ui/timeline/time-words.ts';
import type { TimelineItem } from '../../ui/timeline/layout.ts';
import { mostDrawn } from '../../ui/timeline/timeline.tsx';
import type { PatientRecord } from './patient-records.ts';

/** The records that state a time, in lanes by type, the oldest first; of very many the newest are drawn. */
export function itemsOf(records: readonly PatientRecord[]): readonly TimelineItem[] {
  const timed = records.filter(({ time }) => time?.span);
  const ordered = [...timed.slice(0, mostDrawn).toReversed(), ...timed.slice(mostDrawn)];
  return resourceTypes.flatMap((type) => ordered.filter((one) => one.type === type).map(itemOf));
}

function itemOf(record: PatientRecord): TimelineItem {
  const { type, id, title, status, time } = record;
  return {
    ...{ key: `${type}/${id}`, label: title, status, lane: definitionOf(type).plural },
    spans: time?.span ? [time.span] : [],
    when: time ? timeWords(time) : '',
    warning: findingsOf(record),
  };
}

/** What was found of a record, in words; empty where nothing was. */
export function findingsOf({ issues }: PatientRecord): string {
  if (!issues || issues.errors + issues.warnings === 0) return '';
  return text.results.issuesOf(issues.errors, issues.warnings);
}
