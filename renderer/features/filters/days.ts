import { definitionOf, type ResourceType } from '../../../core/fhir/resource.ts';
import type { Pair } from '../../../core/fhir/search.ts';
import { text } from '../../ui/text.ts';
import { localDay } from '../../ui/time.ts';
import { isPair } from './narrowing.ts';

/** A condition relative to today. */
export interface DayChoice {
  readonly label: string;
  readonly pair: Pair;
}

/** A group of day filters. At most one of them applies. */
export interface DayGroup {
  readonly name: string;
  readonly choices: readonly DayChoice[];
}

/** Returns the day filters of a type. Types with a period can be filtered by ended records. */
export function dayGroups(type: ResourceType, now = new Date()): readonly DayGroup[] {
  const messages = text.filters.days;
  const since = (days: number): Pair => ['_lastUpdated', `ge${midnight(now, days)}`];
  const updated: DayGroup = {
    name: messages.updated,
    choices: [
      { label: messages.today, pair: since(0) },
      { label: messages.yesterday, pair: since(1) },
      { label: messages.week, pair: since(7) },
    ],
  };
  if (definitionOf(type).summary.end === undefined) return [updated];
  return [
    { name: messages.period, choices: [{ label: messages.ended, pair: ['date', `eb${localDay(now)}`] }] },
    updated,
  ];
}

/** Returns the search with the choice instead of others of its group, or without it if it applied. */
export function withDay(pairs: readonly Pair[], { choices }: DayGroup, choice: DayChoice): readonly Pair[] {
  const otherPairs = pairs.filter((pair) => !choices.some((groupChoice) => isPair(pair, groupChoice.pair)));
  return hasChoice(pairs, choice) ? otherPairs : [...otherPairs, choice.pair];
}

/** Returns true if the search contains the choice. */
export function hasChoice(pairs: readonly Pair[], { pair }: DayChoice): boolean {
  return pairs.some((existingPair) => isPair(existingPair, pair));
}

/** Returns the start of the local day so many days ago, with its zone. A date alone would be in UTC. */
function midnight(now: Date, daysAgo: number): string {
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo);
  const offsetMinutes = -day.getTimezoneOffset();
  const formatPart = (minutes: number) => String(Math.trunc(minutes)).padStart(2, '0');
  const zone = `${offsetMinutes < 0 ? '-' : '+'}${formatPart(Math.abs(offsetMinutes) / 60)}:${formatPart(Math.abs(offsetMinutes) % 60)}`;
  return offsetMinutes === 0 ? localDay(day) : `${localDay(day)}T00:00:00${zone}`;
}
