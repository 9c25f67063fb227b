/** The exercises: which records each is about, and how what the store holds is judged. A further one is a row here. */
import { asked, practiceAuthor, type Exercise } from '../../core/app/practice.ts';
import type { TrainingSet } from '../../core/app/training.ts';
import type { Change } from '../../core/json/diff.ts';
import type { JsonNode } from '../../core/json/node.ts';
import { locate, parsePointer } from '../../core/json/pointer.ts';
import { formatList } from '../../core/text/language.ts';
import { defineMessages, type Message } from '../../core/text/message.ts';
import type { MigratedRecord } from './migration.ts';

const messages = defineMessages('exercise', {
  statusMissing: 'The plan is not {status} yet.',
  colleagueNotSaved: 'Your colleague has not saved yet.',
  titleMissing: 'The title is not “{title}” yet.',
  colleagueLost: 'Your colleague’s change is lost.',
  startMissing: 'The plan doesn’t start on {date} yet.',
  notPatched: 'The record was saved, not patched.',
  neverChanged: {
    one: '{n} of {all} plans was never {status}.',
    other: '{n} of {all} plans were never {status}.',
  },
  notBack: {
    one: '{n} of {all} plans is not back to what it was before.',
    other: '{n} of {all} plans are not back to what they were before.',
  },
  alsoChanged: 'Also changed: {pointers}.',
});

/** A version that was stored since the exercise was begun. */
interface Step {
  readonly author: string;
  readonly operation: string;
  /** What differs from what the exercise began with; none where it is as it was. */
  readonly changes: readonly Change[];
}

/** What became of a record of an exercise. */
export interface Held {
  /** Oldest first. */
  readonly steps: readonly Step[];
  /** What differs now. */
  readonly changes: readonly Change[];
  /** Sentences of the findings that it has now. */
  readonly findings: readonly Message[];
}

export interface ExerciseRow {
  readonly set: TrainingSet;
  /** How many records it is about, behind so many others that suit: no record is in two exercises. */
  readonly count: number;
  readonly behind: number;
  readonly suits: (record: MigratedRecord, root: JsonNode) => boolean;
  /** What is still to be done, in sentences. */
  readonly left: (held: readonly Held[]) => readonly Message[];
}

const isPlan = ({ type, defect }: MigratedRecord, rule?: string) =>
  type === 'CarePlan' && defect?.rule === rule;
const isOpenPlan = (record: MigratedRecord, root: JsonNode) =>
  isPlan(record) && textAt(root, '/status') === 'active';

export const rows: Readonly<Record<Exercise, ExerciseRow>> = {
  find: {
    set: 'clean',
    count: 1,
    behind: 40,
    suits: isOpenPlan,
    left: ([held]) => [
      ...(is(held, '/status', asked.held) ? [] : [messages.statusMissing({ status: asked.held })]),
      ...others(held, ['/status']),
    ],
  },
  mend: {
    set: 'migration',
    count: 1,
    behind: 0,
    suits: (record) => isPlan(record, 'schema-code') && record.defect?.pointer === '/status',
    left: ([held]) => [...(held?.findings ?? []), ...others(held, ['/status'])],
  },
  conflict: {
    set: 'clean',
    count: 1,
    behind: 3,
    suits: (record, root) => isOpenPlan(record, root) && textAt(root, '/description') !== undefined,
    left: ([held]) => {
      if (!held?.steps.some(isColleague)) return [messages.colleagueNotSaved()];
      return [
        ...(is(held, '/title', asked.title) ? [] : [messages.titleMissing({ title: asked.title })]),
        ...(is(held, '/description', asked.colleague) ? [] : [messages.colleagueLost()]),
        ...others(held, ['/title', '/description']),
      ];
    },
  },
  patch: {
    set: 'clean',
    count: 1,
    behind: 11,
    suits: (record, root) => isOpenPlan(record, root) && textAt(root, '/period/start') !== undefined,
    left: ([held]) => {
      const made = held?.steps.findLast(({ author }) => author !== practiceAuthor);
      const dated = is(held, '/period/start', asked.start);
      return [
        ...(dated ? [] : [messages.startMissing({ date: asked.start })]),
        ...(dated && made?.operation !== 'patch' ? [messages.notPatched()] : []),
        ...others(held, ['/period/start']),
      ];
    },
  },
  bulk: {
    set: 'clean',
    count: Infinity,
    behind: 0,
    suits: (record, root) =>
      isPlan(record) &&
      textAt(root, '/subject/reference') === 'Patient/demo-patient-060' &&
      textAt(root, '/status') !== asked.held,
    left: (held) => {
      const changed = held.filter(({ steps }) =>
        steps.some(({ changes }) => says(changes, '/status', asked.held)),
      );
      const waiting = held.length - changed.length;
      const all = held.length;
      if (waiting > 0) return [messages.neverChanged({ n: waiting, all, status: asked.held })];
      const away = held.filter(({ changes }) => changes.length > 0).length;
      return away > 0 ? [messages.notBack({ n: away, all })] : [];
    },
  },
};

/** The text at a pointer; undefined where there is none. */
export function textAt(root: JsonNode, pointer: string): string | undefined {
  const node = locate(root, parsePointer(pointer) ?? []);
  return node?.kind === 'string' ? node.value : undefined;
}

function isColleague({ author, changes }: Step): boolean {
  return author === practiceAuthor && says(changes, '/description', asked.colleague);
}

function is(held: Held | undefined, pointer: string, value: string): boolean {
  return held !== undefined && says(held.changes, pointer, value);
}

function says(changes: readonly Change[], pointer: string, value: string): boolean {
  return changes.some((change) => change.pointer === pointer && change.after === JSON.stringify(value));
}

/** What was changed that nobody asked for. */
function others(held: Held | undefined, pointers: readonly string[]): readonly Message[] {
  const extra = (held?.changes ?? []).map(({ pointer }) => pointer).filter((one) => !pointers.includes(one));
  if (extra.length === 0) return [];
  return [messages.alsoChanged({ pointers: formatList(extra.slice(0, 3), 'unit') })];
}
