import { named, type Contained } from './contained.ts';
import {
  below,
  conceptsAt,
  conceptText,
  each,
  referenceAt,
  textAt,
  type CardReference,
  type Place,
} from './parts.ts';
import { daysOver } from './span.ts';

export interface CardActivity {
  /** What is to be done; blank where the record does not say. */
  readonly title: string;
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
  const request = referenceAt(below(place, 'reference'));
  const reference = request && named(request, contained);
  const status = textAt(below(detail, 'status'));
  const due = dueDate(detail);
  const over = open.has(status) ? daysOver(due, today) : undefined;
  return {
    title: titleOf(place, detail, reference),
    status,
    due,
    ...(over !== undefined && { over }),
    ...(reference && { reference }),
    pointer: place.pointer,
  };
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
