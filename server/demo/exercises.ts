/** The exercises with their records and the evaluation of the stored state. Each exercise is one row. */
import { requiredValues, practiceAuthor, type Exercise } from '../../core/app/practice.ts';
import type { TrainingSet } from '../../core/app/training.ts';
import type { ElementChange } from '../../core/json/diff.ts';
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
  /** Differences from the initial state of the exercise; empty if unchanged. */
  readonly changes: readonly ElementChange[];
}

/** State of a record of an exercise. */
export interface EditedRecord {
  /** Oldest first. */
  readonly steps: readonly Step[];
  /** Current differences. */
  readonly changes: readonly ElementChange[];
  /** Sentences of the findings that it has now. */
  readonly findings: readonly Message[];
}

export interface ExerciseRow {
  readonly set: TrainingSet;
  readonly count: number;
  /** Number of matches to skip, so that no record is in two exercises. */
  readonly skippedMatches: number;
  readonly suits: (record: MigratedRecord, root: JsonNode) => boolean;
  readonly listRemainingSteps: (exerciseRecord: readonly EditedRecord[]) => readonly Message[];
}

const isPlan = ({ type, defect }: MigratedRecord, rule?: string) =>
  type === 'CarePlan' && defect?.rule === rule;
const isOpenPlan = (record: MigratedRecord, root: JsonNode) =>
  isPlan(record) && textAt(root, '/status') === 'active';

export const rows: Readonly<Record<Exercise, ExerciseRow>> = {
  find: {
    set: 'clean',
    count: 1,
    skippedMatches: 40,
    suits: isOpenPlan,
    listRemainingSteps: ([exerciseRecord]) => [
      ...(hasValue(exerciseRecord, '/status', requiredValues.held)
        ? []
        : [messages.statusMissing({ status: requiredValues.held })]),
      ...listOtherChanges(exerciseRecord, ['/status']),
    ],
  },
  mend: {
    set: 'migration',
    count: 1,
    skippedMatches: 0,
    suits: (record) => isPlan(record, 'schema-code') && record.defect?.pointer === '/status',
    listRemainingSteps: ([exerciseRecord]) => [
      ...(exerciseRecord?.findings ?? []),
      ...listOtherChanges(exerciseRecord, ['/status']),
    ],
  },
  conflict: {
    set: 'clean',
    count: 1,
    skippedMatches: 3,
    suits: (record, root) => isOpenPlan(record, root) && textAt(root, '/description') !== undefined,
    listRemainingSteps: ([exerciseRecord]) => {
      if (!exerciseRecord?.steps.some(isColleague)) return [messages.colleagueNotSaved()];
      return [
        ...(hasValue(exerciseRecord, '/title', requiredValues.title)
          ? []
          : [messages.titleMissing({ title: requiredValues.title })]),
        ...(hasValue(exerciseRecord, '/description', requiredValues.colleague)
          ? []
          : [messages.colleagueLost()]),
        ...listOtherChanges(exerciseRecord, ['/title', '/description']),
      ];
    },
  },
  patch: {
    set: 'clean',
    count: 1,
    skippedMatches: 11,
    suits: (record, root) => isOpenPlan(record, root) && textAt(root, '/period/start') !== undefined,
    listRemainingSteps: ([exerciseRecord]) => {
      const lastChange = exerciseRecord?.steps.findLast(({ author }) => author !== practiceAuthor);
      const dated = hasValue(exerciseRecord, '/period/start', requiredValues.start);
      return [
        ...(dated ? [] : [messages.startMissing({ date: requiredValues.start })]),
        ...(dated && lastChange?.operation !== 'patch' ? [messages.notPatched()] : []),
        ...listOtherChanges(exerciseRecord, ['/period/start']),
      ];
    },
  },
  bulk: {
    set: 'clean',
    count: Infinity,
    skippedMatches: 0,
    suits: (record, root) =>
      isPlan(record) &&
      textAt(root, '/subject/reference') === 'Patient/demo-patient-060' &&
      textAt(root, '/status') !== requiredValues.held,
    listRemainingSteps: (exerciseRecords) => {
      const changedRecords = exerciseRecords.filter(({ steps }) =>
        steps.some(({ changes }) => includesChange(changes, '/status', requiredValues.held)),
      );
      const remainingCount = exerciseRecords.length - changedRecords.length;
      const totalCount = exerciseRecords.length;
      if (remainingCount > 0)
        return [messages.neverChanged({ n: remainingCount, all: totalCount, status: requiredValues.held })];
      const away = exerciseRecords.filter(({ changes }) => changes.length > 0).length;
      return away > 0 ? [messages.notBack({ n: away, all: totalCount })] : [];
    },
  },
};

/** Returns the text at a pointer; undefined if there is none. */
export function textAt(root: JsonNode, pointer: string): string | undefined {
  const node = locate(root, parsePointer(pointer) ?? []);
  return node?.kind === 'string' ? node.value : undefined;
}

function isColleague({ author, changes }: Step): boolean {
  return author === practiceAuthor && includesChange(changes, '/description', requiredValues.colleague);
}

function hasValue(exerciseRecord: EditedRecord | undefined, pointer: string, value: string): boolean {
  return exerciseRecord !== undefined && includesChange(exerciseRecord.changes, pointer, value);
}

function includesChange(changes: readonly ElementChange[], pointer: string, value: string): boolean {
  return changes.some((change) => change.pointer === pointer && change.after === JSON.stringify(value));
}

/** Returns messages for changes that the exercise does not require. */
function listOtherChanges(
  exerciseRecord: EditedRecord | undefined,
  pointers: readonly string[],
): readonly Message[] {
  const extra = (exerciseRecord?.changes ?? [])
    .map(({ pointer }) => pointer)
    .filter((changedPointer) => !pointers.includes(changedPointer));
  if (extra.length === 0) return [];
  return [messages.alsoChanged({ pointers: formatList(extra.slice(0, 3), 'unit') })];
}
