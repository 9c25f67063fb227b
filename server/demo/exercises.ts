/** The exercises: which records each is about, and how what the store holds is judged. A further one is a row here. */
import { asked, practiceAuthor, type Exercise } from '../../core/app/practice.ts';
import type { TrainingSet } from '../../core/app/training.ts';
import type { Change } from '../../core/json/diff.ts';
import type { JsonNode } from '../../core/json/node.ts';
import { locate, parsePointer } from '../../core/json/pointer.ts';
import type { MigratedRecord } from './migration.ts';

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
  readonly findings: readonly string[];
}

export interface ExerciseRow {
  readonly set: TrainingSet;
  /** How many records it is about, behind so many others that suit: no record is in two exercises. */
  readonly count: number;
  readonly behind: number;
  readonly suits: (record: MigratedRecord, root: JsonNode) => boolean;
  /** What is still to be done, in sentences. */
  readonly left: (held: readonly Held[]) => readonly string[];
}

const isPlan = ({ type, defect }: MigratedRecord, rule?: string) =>
  type === 'CarePlan' && defect?.rule === rule;
const isOpenPlan = (record: MigratedRecord, root: JsonNode) =>
  isPlan(record) && textAt(root, '/status') === 'active';

export const rows: Readonly<Record<Exercise, ExerciseRow>> = {
  find: {
    ...{ set: 'clean', count: 1, behind: 40 },
    suits: isOpenPlan,
    left: ([held]) => [
      ...(is(held, '/status', asked.held) ? [] : [`The plan is not ${asked.held} yet.`]),
      ...others(held, ['/status']),
    ],
  },
  mend: {
    ...{ set: 'migration', count: 1, behind: 0 },
    suits: (record) => isPlan(record, 'schema-code') && record.defect?.pointer === '/status',
    left: ([held]) => [...(held?.findings ?? []), ...others(held, ['/status'])],
  },
  conflict: {
    ...{ set: 'clean', count: 1, behind: 3 },
    suits: (record, root) => isOpenPlan(record, root) && textAt(root, '/description') !== undefined,
    left: ([held]) => {
      if (!held?.steps.some(isColleague)) return ['The colleague has not saved yet.'];
      return [
        ...(is(held, '/title', asked.title) ? [] : [`The title is not “${asked.title}” yet.`]),
        ...(is(held, '/description', asked.colleague) ? [] : ['What the colleague wrote is lost.']),
        ...others(held, ['/title', '/description']),
      ];
    },
  },
  patch: {
    ...{ set: 'clean', count: 1, behind: 11 },
    suits: (record, root) => isOpenPlan(record, root) && textAt(root, '/period/start') !== undefined,
    left: ([held]) => {
      const made = held?.steps.findLast(({ author }) => author !== practiceAuthor);
      const dated = is(held, '/period/start', asked.start);
      return [
        ...(dated ? [] : [`The plan does not begin on ${asked.start} yet.`]),
        ...(dated && made?.operation !== 'patch' ? ['It was saved whole, and not by a patch.'] : []),
        ...others(held, ['/period/start']),
      ];
    },
  },
  bulk: {
    ...{ set: 'clean', count: Infinity, behind: 0 },
    suits: (record, root) =>
      isPlan(record) &&
      textAt(root, '/subject/reference') === 'Patient/demo-patient-060' &&
      textAt(root, '/status') !== asked.held,
    left: (held) => {
      const changed = held.filter(({ steps }) =>
        steps.some(({ changes }) => says(changes, '/status', asked.held)),
      );
      const waiting = held.length - changed.length;
      if (waiting > 0) return [`${waiting} of ${held.length} plans were never ${asked.held}.`];
      const away = held.filter(({ changes }) => changes.length > 0).length;
      return away > 0 ? [`${away} of ${held.length} plans are not as they were before the run.`] : [];
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
function others(held: Held | undefined, pointers: readonly string[]): readonly string[] {
  const extra = (held?.changes ?? []).map(({ pointer }) => pointer).filter((one) => !pointers.includes(one));
  return extra.length > 0 ? [`This was changed as well: ${extra.slice(0, 3).join(', ')}.`] : [];
}
