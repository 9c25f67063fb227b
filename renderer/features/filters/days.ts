import { definitionOf, type ResourceType } from '../../../core/fhir/resource.ts';
import type { Pair } from '../../../core/fhir/search.ts';
import { text } from '../../ui/text.ts';
import { localDay } from '../../ui/time.ts';
import { isPair } from './narrowing.ts';

/** A condition that is counted from today. */
export interface DayChoice {
  readonly label: string;
  readonly pair: Pair;
}

/** What is asked for by the day: one of a group at most. */
export interface DayGroup {
  readonly name: string;
  readonly choices: readonly DayChoice[];
}

/** The groups of a type; whose records have a period can be asked for those that ended. */
export function dayGroups(type: ResourceType, now = new Date()): readonly DayGroup[] {
  const words = text.filters.days;
  const since = (days: number): Pair => ['_lastUpdated', `ge${midnight(now, days)}`];
  const updated: DayGroup = {
    name: words.updated,
    choices: [
      { label: words.today, pair: since(0) },
      { label: words.yesterday, pair: since(1) },
      { label: words.week, pair: since(7) },
    ],
  };
  if (definitionOf(type).summary.end === undefined) return [updated];
  return [
    { name: words.period, choices: [{ label: words.ended, pair: ['date', `eb${localDay(now)}`] }] },
    updated,
  ];
}

/** The search with the choice in the place of others of its group; without it where it asks for it. */
export function withDay(pairs: readonly Pair[], { choices }: DayGroup, choice: DayChoice): readonly Pair[] {
  const others = pairs.filter((pair) => !choices.some((one) => isPair(pair, one.pair)));
  return asks(pairs, choice) ? others : [...others, choice.pair];
}

/** Whether the search asks for it. */
export function asks(pairs: readonly Pair[], { pair }: DayChoice): boolean {
  return pairs.some((one) => isPair(one, pair));
}

/** The beginning of the local day so many days ago, with its zone: a day alone would be one of UTC. */
function midnight(now: Date, daysAgo: number): string {
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo);
  const east = -day.getTimezoneOffset();
  const part = (minutes: number) => String(Math.trunc(minutes)).padStart(2, '0');
  const zone = `${east < 0 ? '-' : '+'}${part(Math.abs(east) / 60)}:${part(Math.abs(east) % 60)}`;
  return east === 0 ? localDay(day) : `${localDay(day)}T00:00:00${zone}`;
}
