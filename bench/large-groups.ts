/** A patient of the clinic has at most five records of one type; searches are measured with more, too. */
import type { DemoRecord } from '../server/demo/generate.ts';
import { measured } from './operations.ts';

/** Records of one type that a large group has. */
const size = Math.max(...Object.values(measured).map(({ search }) => search?.finds ?? 0));

/** One group begins with each so many records. */
const every = 250;

/** The clinic's records, of which some neighbours have one subject and one encounter, until one type has enough of them. */
export function* withLargeGroups(records: Iterable<DemoRecord>): Generator<DemoRecord> {
  let done = 0;
  let counts: Map<string, number> | undefined;
  for (const record of records) {
    if (done % every === 0) counts = new Map();
    const count = (counts?.get(record.type) ?? 0) + 1;
    const text = counts ? regrouped(record.text, Math.floor(done / every)) : record.text;
    counts?.set(record.type, count);
    if (count === size) counts = undefined;
    yield { ...record, text };
    done += 1;
  }
}

function regrouped(text: string, group: number): string {
  return text
    .replace(/("subject":\{"reference":"Patient\/)[^"]+/, `$1bench-patient-${group}`)
    .replace(/("encounter":\{"reference":"Encounter\/)[^"]+/, `$1bench-encounter-${group}`);
}
