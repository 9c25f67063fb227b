/**
 * Adds large groups: a patient of the clinic has at most five records of a type, but searches are measured
 * with more.
 */
import type { DemoRecord } from '../server/demo/generate.ts';
import { operationInfos } from './operations.ts';

/** Records of one type in a large group. */
const groupSize = Math.max(...Object.values(operationInfos).map(({ search }) => search?.matchCount ?? 0));

/** Number of records between the starts of two groups. */
const groupInterval = 250;

/**
 * Yields the records of a clinic. Some neighbors get the same subject and encounter, until a type has enough
 * of them.
 */
export function* withLargeGroups(records: Iterable<DemoRecord>): Generator<DemoRecord> {
  let done = 0;
  let counts: Map<string, number> | undefined;
  for (const record of records) {
    if (done % groupInterval === 0) counts = new Map();
    const count = (counts?.get(record.type) ?? 0) + 1;
    const text = counts ? replaceReferences(record.text, Math.floor(done / groupInterval)) : record.text;
    counts?.set(record.type, count);
    if (count === groupSize) counts = undefined;
    yield { ...record, text };
    done += 1;
  }
}

function replaceReferences(text: string, group: number): string {
  return text
    .replace(/("subject":\{"reference":"Patient\/)[^"]+/, `$1bench-patient-${group}`)
    .replace(/("encounter":\{"reference":"Encounter\/)[^"]+/, `$1bench-encounter-${group}`);
}
