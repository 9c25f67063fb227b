/**
 * What came with records and is none: resources of other types, kept as they came and never changed. Nothing is derived
 * of them but whom they are about. The same type and id again replaces what was there, where both come from one source.
 * What holds whatever the engine stands here; an engine looks up and writes (sqlite-companions.ts, postgres/companions.ts).
 */
import {
  withoutVersion,
  type Companion,
  type NamedResource,
  type ReadCompanion,
} from '../../core/fhir/companion.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { parseReference } from '../../core/fhir/reference.ts';
import { doneEntry, type NewAuditEntry } from './audit-rows.ts';
import { isSound } from './checksum.ts';
import type { Doer } from './doer.ts';

/** What becomes of a companion that is to be kept; it is `refused` where another one may have its type and id. */
export type CompanionFate = 'kept' | 'replaced' | 'unchanged' | 'refused';
/** The fates that change what is kept. */
export type CompanionChange = Exclude<CompanionFate, 'unchanged' | 'refused'>;

export interface CompanionCount {
  readonly type: string;
  readonly count: number;
}

export interface CompanionStore {
  /** Keeps it, with its entry in the audit trail; what is unchanged or refused leaves what is there as it is. */
  keep(companion: ReadCompanion, doer: Doer): Promise<CompanionFate>;
  /** What keeping it would come to. */
  fateOf(companion: ReadCompanion): Promise<CompanionFate>;
  /** Rejects with FhirError `damaged`. */
  read(named: NamedResource): Promise<Companion | undefined>;
  /**
   * The companion that a literal reference means: by its fullUrl, by type and id, or by the id of a `urn:`; `own` is the
   * address of this server's records. Rejects with FhirError `damaged`.
   */
  resolve(reference: string, own?: string): Promise<Companion | undefined>;
  /** Another whenever there are others, the same where nothing was kept or removed. */
  stamp(): Promise<string>;
  /** Called whenever there may be others. */
  onChange(told: () => void): void;
  /** How many there are of each type, in the order of their names. */
  counts(): Promise<readonly CompanionCount[]>;
  /** Names in the order of their ids, those behind `after`. */
  names(type: string, after: string, limit: number): Promise<readonly NamedResource[]>;
  /** Removes those of a type, or all; answers how many. Others have their turn between. */
  remove(type: string | undefined, doer: Doer): Promise<number>;
}

/** A companion as it lies in a store: `body` in UTF-8, `sha256` in hex. */
export interface CompanionRow extends NamedResource {
  readonly fullUrl: string | null;
  readonly body: unknown;
  readonly sha256: unknown;
}

/** How an engine looks companions up. */
export interface CompanionLookups {
  readonly named: (name: NamedResource) => Promise<CompanionRow | undefined>;
  /** The newest that came under an address. */
  readonly at: (fullUrl: string) => Promise<CompanionRow | undefined>;
  /** Those of one of two ids, two of them at most. */
  readonly ofId: (id: string, other: string) => Promise<readonly CompanionRow[]>;
}

/** Rows of one step of a removal: a commit has to be short. */
export const removedAtOnce = 500;

/** Removes in steps, each of which answers how many it removed; answers how many all did. */
export async function removeInSteps(step: () => Promise<number>): Promise<number> {
  let removed = 0;
  for (let last = removedAtOnce; last === removedAtOnce;) {
    last = await step();
    removed += last;
  }
  return removed;
}

/** What every engine answers alike from its lookups; `changed` tells who listens. */
export function lookedUp(lookups: CompanionLookups) {
  const listeners: (() => void)[] = [];
  return {
    read: async (named: NamedResource) => companionOf(await lookups.named(named)),
    resolve: (reference: string, own?: string) => resolveAmong(lookups, reference, own),
    onChange: (told: () => void) => void listeners.push(told),
    changed: (): void => {
      for (const told of listeners) told();
    },
  };
}

/** Returns the address of a companion where that names one content, whatever the id: a `urn:`. */
export function urnOf({ fullUrl }: ReadCompanion): string | undefined {
  return fullUrl?.startsWith('urn:') === true ? fullUrl : undefined;
}

/**
 * Returns what keeping a companion comes to, beside the one of its type and id, and the one under its `urn:`. An id is
 * unique on one server alone, so that only the same address says that both are one resource, and a `urn:` says so of
 * one content. Where one of the two came without an address, the content has to.
 */
export function fateOf(
  companion: ReadCompanion,
  row: CompanionRow | undefined,
  underUrn: CompanionRow | undefined,
): CompanionFate {
  const { type, id, text, fullUrl } = companion;
  if (underUrn && (underUrn.type !== type || underUrn.id !== id)) return 'refused';
  if (!row) return 'kept';
  const isWhole = isSound(row.body, row.sha256);
  const isSameText = isWhole && row.body.toString() === text;
  const before = row.fullUrl ?? undefined;
  if (before === fullUrl) {
    if (isSameText) return 'unchanged';
    return isWhole && urnOf(companion) !== undefined ? 'refused' : 'replaced';
  }
  if (!isSameText || (before !== undefined && fullUrl !== undefined)) return 'refused';
  // The address that it once came with stays: references lead there.
  return fullUrl === undefined ? 'unchanged' : 'replaced';
}

/** Returns what keeping a companion comes to, among those that are kept. */
export async function fateAmong(lookups: CompanionLookups, companion: ReadCompanion): Promise<CompanionFate> {
  const urn = urnOf(companion);
  return fateOf(
    companion,
    await lookups.named(companion),
    urn === undefined ? undefined : await lookups.at(urn),
  );
}

/** Returns whether a fate changes what is kept. */
export function isChange(fate: CompanionFate): fate is CompanionChange {
  return fate === 'kept' || fate === 'replaced';
}

/** @throws FhirError `damaged`. */
function companionOf(row: CompanionRow | undefined): Companion | undefined {
  if (!row) return undefined;
  const { type, id, fullUrl, body, sha256 } = row;
  if (isSound(body, sha256)) return { type, id, text: body.toString(), ...(fullUrl !== null && { fullUrl }) };
  throw new FhirError('damaged', {
    text: `The stored text of this ${type} is damaged and is not answered; import it again.`,
    diagnostics: `${type}/${id}`,
  });
}

/** What {@link CompanionStore.resolve} promises. */
async function resolveAmong(
  { named, at, ofId }: CompanionLookups,
  reference: string,
  own = '',
): Promise<Companion | undefined> {
  const address = withoutVersion(reference);
  const { id, type, base = '' } = parseReference(address) ?? { id: '' };
  if (id === '' || base === '#') return undefined;
  const there = base === '' ? undefined : await at(address);
  if (there) return companionOf(there);
  if (type === undefined) {
    // An id alone means nothing; two of one id are two resources.
    const [one, ...others] = base === '' ? [] : await ofId(id, id.toUpperCase());
    return others.length === 0 ? companionOf(one) : undefined;
  }
  const found = await named({ type, id });
  // One that came under an address is not meant by another server's.
  return base === '' || base === own || found?.fullUrl === null ? companionOf(found) : undefined;
}

/** The ids by which those name a companion that are about it: its own, and those of the addresses that it came with. */
export function idsNaming({ id }: NamedResource, fullUrls: readonly string[]): string[] {
  return [id, ...fullUrls.flatMap((url) => parseReference(url)?.id ?? [])];
}

const companionsPath = '/app/companions';

/** What the audit trail calls a companion. */
export function addressOf({ type, id }: NamedResource): string {
  return `${companionsPath}/${type}/${id}`;
}

/** The entry of one that was kept. */
export function keptEntry(fate: CompanionChange, companion: NamedResource, doer: Doer): NewAuditEntry {
  const made =
    fate === 'kept'
      ? ({ action: 'create', status: 201 } as const)
      : ({ action: 'update', status: 200 } as const);
  return doneEntry(doer, { time: Date.now(), what: addressOf(companion), ...made });
}

/** The entry of those of a type, or all, that were removed. */
export function removedEntry(type: string | undefined, doer: Doer): NewAuditEntry {
  const what = `${companionsPath}${type === undefined ? '' : `/${type}`}`;
  return doneEntry(doer, { time: Date.now(), action: 'delete', what, status: 200 });
}
