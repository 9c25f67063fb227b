/**
 * Compares the derivations of a program with the stored status, and plans its changes. Pure, for every
 * engine.
 */
import { rulesPart, sortPart } from '../../core/derive/derivations.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { resourceTypes } from '../../core/fhir/resource.ts';
import type { SearchCriteria } from '../../core/fhir/search-criteria.ts';
import { formatPercent } from '../../core/text/language.ts';
import { defineMessages } from '../../core/text/message.ts';

const messages = defineMessages('rebuild', {
  index: {
    one: 'The index of {name} is being built: {share} of records are included. Search again in {n} second.',
    other:
      'The index of {name} is being built: {share} of records are included. Search again in {n} seconds.',
  },
  order: {
    one: 'The order by {name} is being built: {share} of records are included. Search again in {n} second.',
    other:
      'The order by {name} is being built: {share} of records are included. Search again in {n} seconds.',
  },
});

/** Fingerprints by part. */
export type Fingerprints = ReadonlyMap<string, string>;

/** Parts that are outdated, and parts whose rebuild starts. */
export interface DerivationChanges {
  readonly outdated: readonly string[];
  /** Undefined if the stored rebuild continues. */
  readonly begin: ReadonlySet<string> | undefined;
}

/**
 * Compares today's fingerprints with those stored as current and with the stored rebuild. A rebuild with the
 * same fingerprints continues.
 *
 * @returns Undefined if nothing changes.
 */
export function planDerivation(
  currentFingerprints: Fingerprints,
  storedFingerprints: Fingerprints,
  rebuild: Fingerprints | undefined,
): DerivationChanges | undefined {
  const isCovered = (part: string) =>
    currentFingerprints.has(part) && storedFingerprints.get(part) === currentFingerprints.get(part);
  const parts = new Set([...currentFingerprints.keys()].filter((part) => !isCovered(part)));
  const outdated = [...storedFingerprints.keys()].filter((part) => !isCovered(part));
  const partsInProgress = [...(rebuild ?? [])];
  const rebuildableParts = partsInProgress
    .map(([part]) => part)
    .filter((part) => currentFingerprints.has(part));
  const canContinue =
    partsInProgress.every(([part, stamp]) => currentFingerprints.get(part) === stamp) &&
    [...parts].every((part) => rebuildableParts.includes(part));
  if (canContinue && (rebuild !== undefined || parts.size === 0) && outdated.length === 0) return undefined;
  for (const part of rebuildableParts) parts.add(part);
  return { outdated, begin: canContinue && rebuild !== undefined ? undefined : parts };
}

/** Returns the time since which all records are validated by the current rules, undefined if some are not. */
export function getValidationTime(
  currentParts: ReadonlyMap<string, number>,
  lastValidation: number,
): number | undefined {
  const times = resourceTypes.map((type) => currentParts.get(rulesPart(type)));
  return times.every((time) => time !== undefined) ? Math.max(lastValidation, ...times) : undefined;
}

/** A part that a search needs and that is not built yet. */
export interface Uncovered {
  readonly part: 'index' | 'order';
  /** Name of the search parameter or the column. */
  readonly name: string;
}

/** Returns the part that a search needs and that is not current (row 88). */
export function uncoveredFor(
  { type, terms, sort }: SearchCriteria,
  currentParts: Pick<ReadonlyMap<string, unknown>, 'has'>,
): Uncovered | undefined {
  const keys = terms.flatMap((term) => ('key' in term ? [term.key] : []));
  const key = keys.find((indexKeyName) => !currentParts.has(indexKeyName));
  if (key !== undefined) return { part: 'index', name: key.slice(key.indexOf('.') + 1) };
  const sortKey = sort.find(({ column }) => !column.startsWith('_'));
  return sortKey && !currentParts.has(sortPart(type)) ? { part: 'order', name: sortKey.column } : undefined;
}

/** Creates the error of a part in rebuild. Asks the client to wait some seconds. */
export function rebuilding(
  { part, name }: Uncovered,
  { done, total }: { readonly done: number; readonly total: number },
  seconds: number,
): FhirError {
  // Rounded down, because 100% would mean complete.
  const share = formatPercent(total === 0 ? 0 : Math.floor((done / total) * 100) / 100);
  return new FhirError('rebuilding', messages[part]({ name, share, n: seconds }), {
    'Retry-After': String(seconds),
  });
}

/** Longest wait in seconds. */
const maxWaitSeconds = 120;

/** Estimates the speed of a rebuild from its first observation. */
export class RebuildSpeed {
  private firstObservation: { readonly time: number; readonly done: number } | undefined;

  /** Call it when another rebuild starts. */
  forget(): void {
    this.firstObservation = undefined;
  }

  note(done: number): void {
    this.firstObservation ??= { time: performance.now(), done };
  }

  /** Returns the estimated seconds until the rebuild ends, within limits. */
  wait({ done, total }: { readonly done: number; readonly total: number }): number {
    const processedCount = done - (this.firstObservation?.done ?? done);
    const msPerRecord =
      processedCount > 0 && this.firstObservation
        ? (performance.now() - this.firstObservation.time) / processedCount
        : 1;
    return Math.min(maxWaitSeconds, Math.max(1, Math.ceil(((total - done) * msPerRecord) / 1000)));
  }
}
