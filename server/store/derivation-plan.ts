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

export type Fingerprints = ReadonlyMap<string, string>;

/** Parts that are outdated, and parts whose rebuild starts. */
export interface DerivationChanges {
  readonly outdated: readonly string[];
  /** Undefined if the stored rebuild continues. */
  readonly startedParts: ReadonlySet<string> | undefined;
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
  return { outdated, startedParts: canContinue && rebuild !== undefined ? undefined : parts };
}

/** Returns the time since which all records are validated by the current rules, undefined if some are not. */
export function getValidationTime(
  currentParts: ReadonlyMap<string, number>,
  lastValidation: number,
): number | undefined {
  const times = resourceTypes.map((type) => currentParts.get(rulesPart(type)));
  return times.every((time) => time !== undefined) ? Math.max(lastValidation, ...times) : undefined;
}

/** A part that a search needs and that is outdated. */
export interface OutdatedPart {
  readonly part: 'index' | 'order';
  /** Name of the search parameter or the column. */
  readonly name: string;
}

/** Returns a part that a search needs and that is outdated (row 88 of docs/api-rows.md). */
export function findOutdatedPart(
  { type, terms, sort }: SearchCriteria,
  currentParts: Pick<ReadonlyMap<string, unknown>, 'has'>,
): OutdatedPart | undefined {
  const keys = terms.flatMap((term) => ('key' in term ? [term.key] : []));
  const key = keys.find((indexKeyName) => !currentParts.has(indexKeyName));
  if (key !== undefined) return { part: 'index', name: key.slice(key.indexOf('.') + 1) };
  const sortKey = sort.find(({ column }) => !column.startsWith('_'));
  return sortKey && !currentParts.has(sortPart(type)) ? { part: 'order', name: sortKey.column } : undefined;
}

/** Creates the error of a part in rebuild. Asks the client to wait some seconds. */
export function createRebuildingError(
  { part, name }: OutdatedPart,
  { done, total }: { readonly done: number; readonly total: number },
  seconds: number,
): FhirError {
  // Rounded down, because 100% would mean complete.
  const share = formatPercent(total === 0 ? 0 : Math.floor((done / total) * 100) / 100);
  return new FhirError('rebuilding', messages[part]({ name, share, n: seconds }), {
    'Retry-After': String(seconds),
  });
}

/** Longest estimate in seconds. */
const maxWaitSeconds = 120;

/** Estimates the remaining time of a rebuild from its speed since the first sample. */
export class RebuildSpeed {
  private firstSample: { readonly time: number; readonly done: number } | undefined;

  /** Call it when another rebuild starts. */
  reset(): void {
    this.firstSample = undefined;
  }

  /** Adds the primary key of the last rebuilt record. Only the first sample counts. */
  addSample(done: number): void {
    this.firstSample ??= { time: performance.now(), done };
  }

  /** Returns the estimated seconds until the rebuild ends, within limits. */
  estimateSeconds({ done, total }: { readonly done: number; readonly total: number }): number {
    const processedCount = done - (this.firstSample?.done ?? done);
    const msPerRecord =
      processedCount > 0 && this.firstSample
        ? (performance.now() - this.firstSample.time) / processedCount
        : 1;
    return Math.min(maxWaitSeconds, Math.max(1, Math.ceil(((total - done) * msPerRecord) / 1000)));
  }
}
