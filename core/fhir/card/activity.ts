import { definitions } from '../../types/generated/definitions.ts';
import { modifiedName, negationsOf, type ModifiedName } from '../modifiers/modifiers.ts';
import { referenceAt, type Contained } from './contained.ts';
import { below, conceptsAt, conceptText, each, textAt, type CardReference, type Place } from './parts.ts';
import { daysOver } from './span.ts';

export interface CardActivity {
  /** The planned action with negating words; empty if the record has no name for it. */
  readonly title: string;
  /** Negating words at the beginning of the title. */
  readonly before?: string;
  readonly status: string;
  /** Last due day as written; empty if there is none. */
  readonly due: string;
  /** Days since the due day of an open activity. */
  readonly over?: number;
  /** The request that describes the activity. */
  readonly reference?: CardReference;
  readonly pointer: string;
}

const openStatuses = new Set(['not-started', 'scheduled', 'in-progress', 'on-hold']);

/** Summarizes an activity of a CarePlan (FHIR R4 careplan-definitions.html#CarePlan.activity). */
export function activityAt(activity: Place, contained: Contained, today: string): CardActivity {
  const detail = below(activity, 'detail');
  const reference = referenceAt(below(activity, 'reference'), contained);
  const status = textAt(below(detail, 'status'));
  const due = dueDate(detail);
  const overdueDays = openStatuses.has(status) ? daysOver(due, today) : undefined;
  const { name, before } = activityName(activity, contained);
  return {
    title: name,
    ...(before !== '' && { before }),
    status,
    due,
    ...(overdueDays !== undefined && { over: overdueDays }),
    ...(reference && { reference }),
    pointer: activity.pointer,
  };
}

/** Types that have activities. */
const planTypes = definitions
  .filter(({ readAs: readerKind }) => readerKind === 'plan')
  .map(({ name }) => name);

/** Returns the name of an activity in every view. A negated activity without a name gets its number. */
export function activityName(activity: Place, contained: Contained): ModifiedName {
  const reference = referenceAt(below(activity, 'reference'), contained);
  const title = titleOf(activity, below(activity, 'detail'), reference);
  const { node } = activity;
  const modifiers = node ? planTypes.flatMap((type) => negationsOf(type, 'activity', node)) : [];
  const number = Number(activity.pointer.slice(activity.pointer.lastIndexOf('/') + 1)) + 1;
  const { name, before } = modifiedName(title, modifiers, `Activity ${number}`);
  const inherited = title !== '' && title === reference?.display ? (reference.before ?? '') : '';
  return { name, before: [before, inherited].filter(Boolean).join(': ') };
}

function titleOf(activity: Place, detail: Place, reference: CardReference | undefined): string {
  return (
    conceptText(below(detail, 'code')) ||
    textAt(below(detail, 'description')) ||
    (reference?.display ?? '') ||
    (conceptsAt(below(activity, 'outcomeCodeableConcept'))[0]?.text ?? '') ||
    conceptText(below(detail, 'productCodeableConcept')) ||
    textAt(below(detail, 'kind'))
  );
}

/** Returns the end of the schedule, otherwise its last event. A schedule in words has no date. */
function dueDate(detail: Place): string {
  const timing = below(detail, 'scheduledTiming');
  const events = each(below(timing, 'event')).map(textAt);
  return (
    textAt(below(detail, 'scheduledPeriod', 'end')) ||
    textAt(below(timing, 'repeat', 'boundsPeriod', 'end')) ||
    (events.sort().at(-1) ?? '')
  );
}
