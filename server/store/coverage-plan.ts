/** What a program finds of itself in a store, and what it has to note before it writes there; pure, for every engine. */
import { rulesPart, sortPart } from '../../core/derive/derivations.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { resourceTypes } from '../../core/fhir/resource.ts';
import type { SearchCriteria } from '../../core/fhir/search-criteria.ts';

/** Stamps by part. */
export type Stamps = ReadonlyMap<string, string>;

/** What is to be noted: parts that another program's rows stood for, and those whose rebuild begins. */
export interface Settling {
  readonly outdated: readonly string[];
  /** Undefined where the rebuild that is noted goes on. */
  readonly begin: ReadonlySet<string> | undefined;
}

/**
 * What today's stamps make of those that are noted as covered, and of the rebuild that is: one of the same stamps goes on
 * where it was. Undefined where all is noted already.
 */
export function settlingOf(today: Stamps, noted: Stamps, rebuild: Stamps | undefined): Settling | undefined {
  const isCovered = (part: string) => today.has(part) && noted.get(part) === today.get(part);
  const parts = new Set([...today.keys()].filter((part) => !isCovered(part)));
  const outdated = [...noted.keys()].filter((part) => !isCovered(part));
  const under = [...(rebuild ?? [])];
  const known = under.map(([part]) => part).filter((part) => today.has(part));
  const goesOn =
    under.every(([part, stamp]) => today.get(part) === stamp) &&
    [...parts].every((part) => known.includes(part));
  if (goesOn && (rebuild !== undefined || parts.size === 0) && outdated.length === 0) return undefined;
  for (const part of known) parts.add(part);
  return { outdated, begin: goesOn && rebuild !== undefined ? undefined : parts };
}

/** When all records were last judged by today's rules: then, or when the rows of all were made; undefined where some were not. */
export function judgedAt(covered: ReadonlyMap<string, number>, last: number): number | undefined {
  const times = resourceTypes.map((type) => covered.get(rulesPart(type)));
  return times.every((time) => time !== undefined) ? Math.max(last, ...times) : undefined;
}

/** What a search needs that is not covered, as a person calls it; undefined where all is (row 88). */
export function uncoveredFor(
  { type, terms, sort }: SearchCriteria,
  covered: Pick<ReadonlyMap<string, unknown>, 'has'>,
): string | undefined {
  const keys = terms.flatMap((term) => ('key' in term ? [term.key] : []));
  const key = keys.find((one) => !covered.has(one));
  if (key !== undefined) return `index of ${key.slice(key.indexOf('.') + 1)}`;
  const sorted = sort.find(({ column }) => !column.startsWith('_'));
  return sorted && !covered.has(sortPart(type)) ? `order by ${sorted.column}` : undefined;
}

/** That it is being made; a client is asked to wait so many seconds. */
export function rebuilding(
  what: string,
  { done, total }: { readonly done: number; readonly total: number },
  seconds: number,
): FhirError {
  const share = total === 0 ? 0 : Math.floor((done / total) * 100);
  const text = `The ${what} is being made: ${share} % of the records are in it. Search again in ${seconds} s.`;
  return new FhirError('rebuilding', { text }, { 'Retry-After': String(seconds) });
}

/** Seconds that a client is asked to wait, at most. */
const longestWait = 120;

/** How fast a rebuild is, told by how far it was when it was looked at first. */
export class RebuildSpeed {
  private begun: { readonly time: number; readonly done: number } | undefined;

  /** To be called where another begins. */
  forget(): void {
    this.begun = undefined;
  }

  note(done: number): void {
    this.begun ??= { time: performance.now(), done };
  }

  /** Seconds until so many records more are passed, as far as can be told. */
  wait({ done, total }: { readonly done: number; readonly total: number }): number {
    const passed = done - (this.begun?.done ?? done);
    const each = passed > 0 && this.begun ? (performance.now() - this.begun.time) / passed : 1;
    return Math.min(longestWait, Math.max(1, Math.ceil(((total - done) * each) / 1000)));
  }
}
