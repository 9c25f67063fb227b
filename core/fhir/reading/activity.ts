import {
  getChild,
  conceptsAt,
  conceptText,
  listItems,
  textAt,
  type CardReference,
  type NodeAtPointer,
} from '../card/parts.ts';
import { referencesAt, referenceAt, type Contained } from '../card/contained.ts';
import type { OutsideExtent } from '../timeline/days.ts';
import type { PlanTimes } from '../timeline/plan-times.ts';
import { notesAt, type Note } from './notes.ts';

export interface ActivityReading {
  /** The planned action with negating words; empty if the record has no name for it. */
  readonly title: string;
  /** Negating words at the beginning of the title. */
  readonly negation?: string;
  readonly status: string;
  readonly description: string;
  /** Dates as written; empty without a time. */
  readonly start: string;
  readonly end: string;
  /** Description or frequency. */
  readonly schedule: string;
  readonly outside?: OutsideExtent;
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
export function activitiesAt(root: NodeAtPointer, contained: Contained, times: PlanTimes): ActivityReading[] {
  return listItems(getChild(root, 'activity')).map((activity, index) => {
    const { title = '', negation, status = '', outside } = times.activities[index] ?? {};
    const detail = getChild(activity, 'detail');
    const { start, end, schedule } = timesOf(detail);
    const references = (element: NodeAtPointer) => referencesAt(element, contained);
    const reference = referenceAt(getChild(activity, 'reference'), contained);
    const concepts = (element: NodeAtPointer): CardReference[] =>
      conceptsAt(element).map(({ text, pointer }) => ({ reference: '', display: text, pointer }));
    const outcomes = concepts(getChild(activity, 'outcomeCodeableConcept'));
    const description = textAt(getChild(detail, 'description'));
    return {
      title,
      ...(negation !== undefined && { negation }),
      status,
      // Omits a description that the title repeats.
      description:
        description === title.slice(negation === undefined ? 0 : negation.length + 2) ? '' : description,
      start,
      end,
      schedule,
      ...(outside && { outside }),
      performers: references(getChild(detail, 'performer')),
      goals: references(getChild(detail, 'goal')),
      reasons: [
        ...concepts(getChild(detail, 'reasonCode')),
        ...references(getChild(detail, 'reasonReference')),
      ],
      location:
        textAt(getChild(detail, 'location', 'display')) || textAt(getChild(detail, 'location', 'reference')),
      amounts: ['dailyAmount', 'quantity'].map((key) => quantityAt(getChild(detail, key))).filter(Boolean),
      outcomes: [...outcomes, ...references(getChild(activity, 'outcomeReference'))],
      progress: notesAt(getChild(activity, 'progress')),
      ...(reference && { reference }),
      pointer: activity.pointer,
    };
  });
}

/** Returns the schedule: a period, the bounds or events of a timing, or a text. */
function timesOf(detail: NodeAtPointer): { start: string; end: string; schedule: string } {
  const period = getChild(detail, 'scheduledPeriod');
  const timing = getChild(detail, 'scheduledTiming');
  const bounds = getChild(timing, 'repeat', 'boundsPeriod');
  const events = listItems(getChild(timing, 'event')).map(textAt).filter(Boolean).sort();
  const boundDate = (key: string) => textAt(getChild(period, key)) || textAt(getChild(bounds, key));
  return {
    start: boundDate('start') || (events[0] ?? ''),
    end: boundDate('end') || (events.length > 1 ? (events.at(-1) ?? '') : ''),
    schedule:
      textAt(getChild(detail, 'scheduledString')) ||
      conceptText(getChild(timing, 'code')) ||
      formatFrequency(getChild(timing, 'repeat')),
  };
}

/** Formats a frequency with the numbers of the record: `2 × per 1 d`. */
function formatFrequency(repeat: NodeAtPointer): string {
  const number = (key: string) => {
    const { node } = getChild(repeat, key);
    return node?.kind === 'number' ? node.source : '';
  };
  const unit = textAt(getChild(repeat, 'periodUnit'));
  const frequency = number('frequency');
  const period = number('period');
  if (frequency === '' && period === '') return '';
  return `${frequency || '1'} × per ${period || '1'} ${unit}`.trim();
}

/**
 * Formats a Quantity with its digits as written: `4.00 mg` (FHIR R4 datatypes.html#Quantity). Empty without a
 * value.
 */
function quantityAt(element: NodeAtPointer): string {
  const { node } = getChild(element, 'value');
  if (node?.kind !== 'number') return '';
  const unit = textAt(getChild(element, 'unit')) || textAt(getChild(element, 'code'));
  return [textAt(getChild(element, 'comparator')), node.source, unit].filter(Boolean).join(' ');
}
