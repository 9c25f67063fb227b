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
  /** What is to be done, with what negates it; blank where the record says neither. */
  readonly title: string;
  /** The words at the head of the title that negate it; absent where none do. */
  readonly before?: string;
  readonly status: string;
  readonly description: string;
  /** Dates as written; blank where it has no time of its own. */
  readonly start: string;
  readonly end: string;
  /** A time in words, or how often. */
  readonly schedule: string;
  readonly outside?: Outside;
  readonly performers: readonly CardReference[];
  readonly goals: readonly CardReference[];
  /** The conditions and reasons for it. */
  readonly reasons: readonly CardReference[];
  readonly location: string;
  readonly amounts: readonly string[];
  readonly outcomes: readonly CardReference[];
  readonly progress: readonly Note[];
  /** The request that describes it elsewhere. */
  readonly reference?: CardReference;
  readonly pointer: string;
}

/** The activities of a CarePlan (FHIR R4 careplan-definitions.html#CarePlan.activity), whose `times` these are. */
export function activitiesAt(root: Place, contained: Contained, times: PlanTimes): ActivityReading[] {
  return each(below(root, 'activity')).map((one, at) => {
    const { title = '', before, status = '', outside } = times.activities[at] ?? {};
    const detail = below(one, 'detail');
    const { start, end, schedule } = timesOf(detail);
    const references = (place: Place) => referencesAt(place, contained);
    const reference = referenceAt(below(one, 'reference'), contained);
    const concepts = (place: Place): CardReference[] =>
      conceptsAt(place).map(({ text, pointer }) => ({ reference: '', display: text, pointer }));
    const outcomes = concepts(below(one, 'outcomeCodeableConcept'));
    const description = textAt(below(detail, 'description'));
    return {
      title,
      ...(before !== undefined && { before }),
      status,
      // The title says it already, behind what negates it.
      description:
        description === title.slice(before === undefined ? 0 : before.length + 2) ? '' : description,
      ...{ start, end, schedule },
      ...(outside && { outside }),
      performers: references(below(detail, 'performer')),
      goals: references(below(detail, 'goal')),
      reasons: [...concepts(below(detail, 'reasonCode')), ...references(below(detail, 'reasonReference'))],
      location:
        textAt(below(detail, 'location', 'display')) || textAt(below(detail, 'location', 'reference')),
      amounts: ['dailyAmount', 'quantity'].map((key) => quantityAt(below(detail, key))).filter(Boolean),
      outcomes: [...outcomes, ...references(below(one, 'outcomeReference'))],
      progress: notesAt(below(one, 'progress')),
      ...(reference && { reference }),
      pointer: one.pointer,
    };
  });
}

/** What is scheduled: a period, the bounds or the events of a timing, or words. */
function timesOf(detail: Place): { start: string; end: string; schedule: string } {
  const period = below(detail, 'scheduledPeriod');
  const timing = below(detail, 'scheduledTiming');
  const bounds = below(timing, 'repeat', 'boundsPeriod');
  const events = each(below(timing, 'event')).map(textAt).filter(Boolean).sort();
  const at = (key: string) => textAt(below(period, key)) || textAt(below(bounds, key));
  return {
    start: at('start') || (events[0] ?? ''),
    end: at('end') || (events.length > 1 ? (events.at(-1) ?? '') : ''),
    schedule:
      textAt(below(detail, 'scheduledString')) ||
      conceptText(below(timing, 'code')) ||
      oftenOf(below(timing, 'repeat')),
  };
}

/** How often, in the numbers of the record: `2 × per 1 d`. */
function oftenOf(repeat: Place): string {
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

/** A Quantity (FHIR R4 datatypes.html#Quantity) with the digits as written: `4.00 mg`; blank where there is no value. */
function quantityAt(place: Place): string {
  const { node } = below(place, 'value');
  if (node?.kind !== 'number') return '';
  const unit = textAt(below(place, 'unit')) || textAt(below(place, 'code'));
  return [textAt(below(place, 'comparator')), node.source, unit].filter(Boolean).join(' ');
}
