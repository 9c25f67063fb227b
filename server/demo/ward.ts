import type { NamedRecord } from '../../core/app/session.ts';
import { draftClinic, type DemoDraft } from './generate.ts';
import { paragraph } from './narrative.ts';
import { valueAt, titleOf } from './place.ts';
import type { Random } from './random.ts';
import { write } from './encode.ts';

/** How many of each type: few enough for the same record to change again within a minute. */
const sizes = { CarePlan: 8, Composition: 4 };

/** Next status of an activity. A completed one starts again, as on a ward. */
const nextStatus: Readonly<Record<string, string>> = {
  'not-started': 'scheduled',
  scheduled: 'in-progress',
  'on-hold': 'in-progress',
  'in-progress': 'completed',
  completed: 'in-progress',
};

const pulse = /(Pulse<\/th><td>)[0-9]+(?=\/min)/;
const review = /(Next review in )[0-9]+(?= weeks)/;
const roundLine = /<p>Ward round [0-9]+:[^<]*<\/p>/;

/** A replacement of one text of a record: RFC 6902 section 4.3. */
export interface Replacement {
  readonly op: 'replace';
  readonly path: string;
  readonly value: string;
}

/** The records of the clean clinic that its busy ward works on: open plans and charts of inpatients. */
export function wardRecords(seed: number): NamedRecord[] {
  const remainingSizes = { ...sizes };
  const pickedRecords: NamedRecord[] = [];
  for (const draft of draftClinic({ seed })) {
    if (remainingSizes[draft.type] === 0 || !isOnWard(draft)) continue;
    remainingSizes[draft.type] -= 1;
    pickedRecords.push({ type: draft.type, id: draft.id, title: titleOf(draft.json) });
  }
  return pickedRecords;
}

function isOnWard({ type, json, patient }: DemoDraft): boolean {
  if (!patient.encounters.some(({ setting }) => setting === 'ward')) return false;
  const status = valueAt(json, '/status');
  return type === 'CarePlan' ? status === 'active' || status === 'on-hold' : pulse.test(write(json));
}

/**
 * Returns the change of a ward round to a record: one value and its line in the narrative. Empty if nothing
 * remains to be changed. `record` is the parsed text for reading; only texts are replaced.
 */
export function wardRound(record: unknown, round: number, random: Random): Replacement[] {
  const changes = [...statusChanges(record), ...textChanges(record, random)];
  if (changes.length === 0) return [];
  const { description, ...change } = random.pick(changes);
  const div = get(record, 'text', 'div');
  if (typeof div !== 'string' || !div.endsWith('</div>')) return [change];
  const line = paragraph(`Ward round ${round}: ${description}.`);
  const value = `${div.replace(roundLine, '').slice(0, -'</div>'.length)}${line}</div>`;
  return [change, { op: 'replace', path: '/text/div', value }];
}

interface Change extends Replacement {
  readonly description: string;
}

function statusChanges(record: unknown): Change[] {
  return listOf(get(record, 'activity')).flatMap((activity, index) => {
    const status = get(activity, 'detail', 'status');
    const value = typeof status === 'string' ? nextStatus[status] : undefined;
    if (value === undefined) return [];
    const activityName = get(activity, 'detail', 'code', 'text');
    const description = `${typeof activityName === 'string' ? activityName : 'activity'} ${value}`;
    return [{ op: 'replace', path: `/activity/${index}/detail/status`, value, description }];
  });
}

function textChanges(record: unknown, random: Random): Change[] {
  const weeks = random.integerBetween(1, 12);
  const beats = random.integerBetween(56, 102);
  const description = get(record, 'description');
  const changes: Change[] = [];
  if (typeof description === 'string' && review.test(description)) {
    const value = description.replace(review, `$1${weeks}`);
    changes.push({
      op: 'replace',
      path: '/description',
      value,
      description: `next review in ${weeks} weeks`,
    });
  }
  for (const [index, section] of listOf(get(record, 'section')).entries()) {
    const div = get(section, 'text', 'div');
    if (typeof div !== 'string' || !pulse.test(div)) continue;
    const value = div.replace(pulse, `$1${beats}`);
    changes.push({
      op: 'replace',
      path: `/section/${index}/text/div`,
      value,
      description: `pulse ${beats} a minute`,
    });
  }
  return changes;
}

function get(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>(
    (current, name) =>
      typeof current === 'object' && current !== null && Object.hasOwn(current, name)
        ? Reflect.get(current, name)
        : undefined,
    value,
  );
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
