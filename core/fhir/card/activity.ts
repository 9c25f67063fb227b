import { definitions } from '../../types/generated/definitions.ts';
import { modifiedName, negationsOf, type ModifiedName } from '../modifiers/modifiers.ts';
import { referenceAt, type Contained } from './contained.ts';
import { below, conceptsAt, conceptText, each, textAt, type CardReference, type Place } from './parts.ts';
import { daysOver } from './span.ts';

export interface CardActivity {
  /** What is to be done, with what negates it; blank where the record says neither. */
  readonly title: string;
  /** The words at the head of the title that negate it; absent where none do. */
  readonly before?: string;
  readonly status: string;
  /** The last day on which it is due, as written; blank where there is none. */
  readonly due: string;
  /** Days since it was due and is still open. */
  readonly over?: number;
  /** The request that describes it elsewhere. */
  readonly reference?: CardReference;
  readonly pointer: string;
}

const open = new Set(['not-started', 'scheduled', 'in-progress', 'on-hold']);

/** Sums up one activity of a CarePlan (FHIR R4 careplan-definitions.html#CarePlan.activity). */
export function activityAt(place: Place, contained: Contained, today: string): CardActivity {
  const detail = below(place, 'detail');
  const reference = referenceAt(below(place, 'reference'), contained);
  const status = textAt(below(detail, 'status'));
  const due = dueDate(detail);
  const over = open.has(status) ? daysOver(due, today) : undefined;
  const { name, before } = activityName(place, contained);
  return {
    title: name,
    ...(before !== '' && { before }),
    status,
    due,
    ...(over !== undefined && { over }),
    ...(reference && { reference }),
    pointer: place.pointer,
  };
}

/** The types whose activities these are. */
const planTypes = definitions.filter(({ readAs }) => readAs === 'plan').map(({ name }) => name);

/** Returns the name of an activity wherever it is shown; one without a name that is negated has its number. */
export function activityName(place: Place, contained: Contained): ModifiedName {
  const reference = referenceAt(below(place, 'reference'), contained);
  const title = titleOf(place, below(place, 'detail'), reference);
  const { node } = place;
  const modifiers = node ? planTypes.flatMap((type) => negationsOf(type, 'activity', node)) : [];
  const number = Number(place.pointer.slice(place.pointer.lastIndexOf('/') + 1)) + 1;
  const { name, before } = modifiedName(title, modifiers, `Activity ${number}`);
  const inherited = title !== '' && title === reference?.display ? (reference.before ?? '') : '';
  return { name, before: [before, inherited].filter(Boolean).join(': ') };
}

function titleOf(place: Place, detail: Place, reference: CardReference | undefined): string {
  return (
    conceptText(below(detail, 'code')) ||
    textAt(below(detail, 'description')) ||
    (reference?.display ?? '') ||
    (conceptsAt(below(place, 'outcomeCodeableConcept'))[0]?.text ?? '') ||
    conceptText(below(detail, 'productCodeableConcept')) ||
    textAt(below(detail, 'kind'))
  );
}

/** The end of what is scheduled, else its last event. A schedule in words has no date. */
function dueDate(detail: Place): string {
  const timing = below(detail, 'scheduledTiming');
  const events = each(below(timing, 'event')).map(textAt);
  return (
    textAt(below(detail, 'scheduledPeriod', 'end')) ||
    textAt(below(timing, 'repeat', 'boundsPeriod', 'end')) ||
    (events.sort().at(-1) ?? '')
  );
}
