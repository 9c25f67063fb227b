/**
 * What page and server say to each other of `/app/erasures`: records that were removed for good, with all their versions.
 * Of each there stays that it was there, who had it erased, when and why; backups from before it may hold it still.
 */
import * as v from 'valibot';
import type { NamedResource } from '../fhir/companion.ts';
import { isFhirId, type ResourceType } from '../fhir/resource.ts';
import type { Shape } from '../json/shape.ts';
import { line } from './check.ts';

const typeRule = 'A record, or a companion, is named by its type: one of the resource types of FHIR R4.';
const idRule = 'A record is named by a FHIR id: 1 to 64 letters, digits, hyphens and dots.';

/** Characters of a reason. */
export const longestReason = 500;

/** `POST /app/erasures`. The reason is sealed into the audit trail, and read there. */
export const NewErasure = v.object({
  type: v.pipe(v.string(typeRule), v.regex(/^[A-Z][A-Za-z]{1,63}$/, typeRule)),
  id: v.pipe(v.string(idRule), v.check(isFhirId, idRule)),
  reason: line(longestReason, `Say why in one line of at most ${longestReason} characters.`),
});
export type NewErasure = Shape<typeof NewErasure>;

const Erasure = v.object({
  type: v.string(),
  id: v.string(),
  /** Instant, UTC. */
  time: v.string(),
  who: v.string(),
  /** Who sat at the keyboard; absent where nobody is named. */
  person: v.exactOptional(v.string()),
  reason: v.string(),
});
export type Erasure = Shape<typeof Erasure>;

/** The answer of `POST /app/erasures`. */
export const ErasureDone = v.object({
  ...Erasure.entries,
  /**
   * The backups that hold something of it still, or of which nobody knows, newest first; the workspace's are among them.
   * One that lies in both places is named with the first.
   */
  backups: v.array(v.object({ name: v.string(), time: v.string(), place: v.picklist(['first', 'second']) })),
  /** The second place, where it could not be looked at. */
  unseen: v.nullable(v.string()),
});
export type ErasureDone = Shape<typeof ErasureDone>;

/** `GET /app/erasures`, newest first. */
export const ErasureList = v.object({ erasures: v.array(ErasureDone) });
export type ErasureList = Shape<typeof ErasureList>;

/** What names a record. */
export interface RecordName extends NamedResource {
  readonly type: ResourceType;
}

/** What names a record, or a companion, to a person. */
export function nameOfRecord({ type, id }: NamedResource): string {
  return `${type}/${id}`;
}

/** What the audit trail says of an erasure: the record, then why. */
export function erasureEntry(erasure: NamedResource & Pick<Erasure, 'reason'>): string {
  return `${nameOfRecord(erasure)}: ${erasure.reason}`;
}
