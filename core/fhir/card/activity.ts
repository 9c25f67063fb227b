import { definitions } from '../../types/generated/definitions.ts';
import { modifiedName, negationsOf, type ModifiedName } from '../modifiers/modifiers.ts';
import { referenceAt, type Contained } from './contained.ts';
import {
  getChild,
  conceptsAt,
  conceptText,
  listItems,
  textAt,
  type CardReference,
  type NodeAtPointer,
} from './parts.ts';
import { daysOver } from './span.ts';

export interface CardActivity {
  /** The planned action with negating words; empty if the record has no name for it. */
  readonly title: string;
  /** Negating words at the beginning of the title. */
  readonly negation?: string;
  readonly status: string;
  /** Last due day as written; empty if there is none. */
  readonly due: string;
  /** Days since the due day of an open activity. */
  readonly overdueDays?: number;
  /** The request that describes the activity. */
  readonly reference?: CardReference;
  readonly pointer: string;
}

const openStatuses = new Set(['not-started', 'scheduled', 'in-progress', 'on-hold']);

/** Summarizes an activity of a CarePlan (FHIR R4 careplan-definitions.html#CarePlan.activity). */
export function activityAt(activity: NodeAtPointer, contained: Contained, today: string): CardActivity {
  const detail = getChild(activity, 'detail');
  const reference = referenceAt(getChild(activity, 'reference'), contained);
  const status = textAt(getChild(detail, 'status'));
  const due = dueDate(detail);
  const overdueDays = openStatuses.has(status) ? daysOver(due, today) : undefined;
  const { name, negation } = activityName(activity, contained);
  return {
    title: name,
    ...(negation !== '' && { negation }),
    status,
    due,
    ...(overdueDays !== undefined && { overdueDays }),
    ...(reference && { reference }),
    pointer: activity.pointer,
  };
}

const planTypes = definitions.filter(({ readingView }) => readingView === 'plan').map(({ name }) => name);

/** Returns the name of an activity in every view. A negated activity without a name gets its number. */
export function activityName(activity: NodeAtPointer, contained: Contained): ModifiedName {
  const reference = referenceAt(getChild(activity, 'reference'), contained);
  const title = titleOf(activity, getChild(activity, 'detail'), reference);
  const { node } = activity;
  const modifiers = node ? planTypes.flatMap((type) => negationsOf(type, 'activity', node)) : [];
  const number = Number(activity.pointer.slice(activity.pointer.lastIndexOf('/') + 1)) + 1;
  const { name, negation } = modifiedName(title, modifiers, `Activity ${number}`);
  const inherited = title !== '' && title === reference?.display ? (reference.negation ?? '') : '';
  return { name, negation: [negation, inherited].filter(Boolean).join(': ') };
}

function titleOf(
  activity: NodeAtPointer,
  detail: NodeAtPointer,
  reference: CardReference | undefined,
): string {
  return (
    conceptText(getChild(detail, 'code')) ||
    textAt(getChild(detail, 'description')) ||
    (reference?.display ?? '') ||
    (conceptsAt(getChild(activity, 'outcomeCodeableConcept'))[0]?.text ?? '') ||
    conceptText(getChild(detail, 'productCodeableConcept')) ||
    textAt(getChild(detail, 'kind'))
  );
}

/** Returns the end of the schedule, otherwise its last event. A schedule in words has no date. */
function dueDate(detail: NodeAtPointer): string {
  const timing = getChild(detail, 'scheduledTiming');
  const events = listItems(getChild(timing, 'event')).map(textAt);
  return (
    textAt(getChild(detail, 'scheduledPeriod', 'end')) ||
    textAt(getChild(timing, 'repeat', 'boundsPeriod', 'end')) ||
    (events.sort().at(-1) ?? '')
  );
}
