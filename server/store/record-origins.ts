/** Records of imports, found by the address that they came with. */
import { isBase, withoutVersion, type Origin } from '../../core/fhir/origin.ts';
import { parseReference } from '../../core/fhir/reference.ts';
import type { NamedResource } from '../../core/fhir/supporting-resource.ts';

/** Record of an import, with its origin. */
export type ImportedRecordName = NamedResource & Origin;

/** Circumstances of a reference. */
export interface ReferenceContext {
  /** Address of this server's records. */
  readonly ownAddress?: string | undefined;
  /** Record that contains the reference. Its own source comes first. */
  readonly record?: NamedResource | undefined;
}

/** Queries of an engine. */
interface OriginLookups {
  readonly findOrigin: (record: NamedResource) => Promise<Origin | undefined>;
  /** Finds the records that came with an address. */
  readonly findRecordsByUrl: (fullUrl: string) => Promise<readonly ImportedRecordName[]>;
}

/** Implements `resolveRecord` of the store. */
export async function resolveRecord(
  lookups: OriginLookups,
  reference: string,
  { ownAddress = '', record }: ReferenceContext,
): Promise<ImportedRecordName | 'ambiguous' | undefined> {
  const address = withoutVersion(reference);
  const { id, type, base = '' } = parseReference(address) ?? { id: '' };
  if (id === '' || base === '#') return undefined;
  const origin = record && (await lookups.findOrigin(record));
  const isRelative = base === '' || base === ownAddress;
  if (isRelative && (type === undefined || !origin || !isBase(origin.source))) return undefined;
  const rows = await lookups.findRecordsByUrl(
    isRelative ? `${origin?.source ?? ''}/${String(type)}/${id}` : address,
  );
  const ofBatch = rows.filter(({ batch }) => batch === origin?.batch);
  const [candidate, ...others] = ofBatch.length > 0 ? ofBatch : rows;
  return others.length > 0 ? 'ambiguous' : candidate;
}
