import {
  below,
  conceptsAt,
  conceptText,
  each,
  textAt,
  type CardReference,
  type Place,
} from '../card/parts.ts';
import { referencesAt, referenceAt, type Contained } from '../card/contained.ts';
import type { Outside } from '../timeline/days.ts';
import type { PlanTimes } from '../timeline/plan-times.ts';
import { notesAt, type Note } from './notes.ts';

export interface ActivityReading {
  /** The planned action with negating words; empty if the record has no name for it. */
  readonly title: string;
  /** Negating words at the beginning of the title. */
  readonly before?: string;
  readonly status: string;
  readonly description: string;
  /** Dates as written; empty without a time. */
  readonly start: string;
  readonly end: string;
  /** Description or frequency. */
  readonly schedule: string;
  readonly outside?: Outside;
  readonly performers: readonly CardReference[];
  readonly goals: readonly CardReference[];
  /** Conditions and reasons of the activity. */
  readonly reasons: readonly CardReference[];
  readonly location: string;
  readonly amounts: readonly string[];
  readonly outcomes: readonly CardReference[];
  readonly progress: readonly Note[];
  /** The request that describes the activity. */
  readonly reference?: CardReference;
  readonly pointer: string;
}

/**
 * Returns the activities of a CarePlan (FHIR R4 careplan-definitions.html#CarePlan.activity).
 *
 * `times` are the times of the same plan.
 */
export function activitiesAt(root: Place, contained: Contained, times: PlanTimes): ActivityReading[] {
  return each(below(root, 'activity')).map((activity, index) => {
    const { title = '', before, status = '', outside } = times.activities[index] ?? {};
    const detail = below(activity, 'detail');
    const { start, end, schedule } = timesOf(detail);
    const references = (element: Place) => referencesAt(element, contained);
    const reference = referenceAt(below(activity, 'reference'), contained);
    const concepts = (element: Place): CardReference[] =>
      conceptsAt(element).map(({ text, pointer }) => ({ reference: '', display: text, pointer }));
    const outcomes = concepts(below(activity, 'outcomeCodeableConcept'));
    const description = textAt(below(detail, 'description'));
    return {
      title,
      ...(before !== undefined && { before }),
      status,
      // Omits a description that the title repeats.
      description:
        description === title.slice(before === undefined ? 0 : before.length + 2) ? '' : description,
      start,
      end,
      schedule,
      ...(outside && { outside }),
      performers: references(below(detail, 'performer')),
      goals: references(below(detail, 'goal')),
      reasons: [...concepts(below(detail, 'reasonCode')), ...references(below(detail, 'reasonReference'))],
      location:
        textAt(below(detail, 'location', 'display')) || textAt(below(detail, 'location', 'reference')),
      amounts: ['dailyAmount', 'quantity'].map((key) => quantityAt(below(detail, key))).filter(Boolean),
      outcomes: [...outcomes, ...references(below(activity, 'outcomeReference'))],
      progress: notesAt(below(activity, 'progress')),
      ...(reference && { reference }),
      pointer: activity.pointer,
    };
  });
}

/** Returns the schedule: a period, the bounds or events of a timing, or a text. */
function timesOf(detail: Place): { start: string; end: string; schedule: string } {
  const period = below(detail, 'scheduledPeriod');
  const timing = below(detail, 'scheduledTiming');
  const bounds = below(timing, 'repeat', 'boundsPeriod');
  const events = each(below(timing, 'event')).map(textAt).filter(Boolean).sort();
  const boundDate = (key: string) => textAt(below(period, key)) || textAt(below(bounds, key));
  return {
    start: boundDate('start') || (events[0] ?? ''),
    end: boundDate('end') || (events.length > 1 ? (events.at(-1) ?? '') : ''),
    schedule:
      textAt(below(detail, 'scheduledString')) ||
      conceptText(below(timing, 'code')) ||
      formatFrequency(below(timing, 'repeat')),
  };
}

/** Formats a frequency with the numbers of the record: `2 × per 1 d`. */
function formatFrequency(repeat: Place): string {
  const number = (key: string) => {
    const { node } = below(repeat, key);
    return node?.kind === 'number' ? node.source : '';
  };
  const unit = textAt(below(repeat, 'periodUnit'));
  const frequency = number('frequency');
  const period = number('period');
  if (frequency === '' && period === '') return '';
  return `${frequency || '1'} × per ${period || '1'} ${unit}`.trim();
}

/**
 * Formats a Quantity with its digits as written: `4.00 mg` (FHIR R4 datatypes.html#Quantity). Empty without a
 * value.
 */
function quantityAt(element: Place): string {
  const { node } = below(element, 'value');
  if (node?.kind !== 'number') return '';
  const unit = textAt(below(element, 'unit')) || textAt(below(element, 'code'));
  return [textAt(below(element, 'comparator')), node.source, unit].filter(Boolean).join(' ');
}
