/**
 * Data of `/app/erasures`: records that were removed for good, with all their versions. The id, the person,
 * the time and the reason stay. Older backups may contain the record.
 */
import * as v from 'valibot';
import type { NamedResource } from '../fhir/supporting-resource.ts';
import { isFhirId, type ResourceType } from '../fhir/resource.ts';
import type { Shape } from '../json/shape.ts';
import { defineMessages } from '../text/message.ts';
import { codedText, line } from './check.ts';

const messages = defineMessages('erasure', {
  type: 'Name the record by a FHIR R4 resource type and an ID.',
  id: 'Not a FHIR ID: use 1 to 64 letters, digits, hyphens and dots.',
  reason: 'Enter a reason of at most {n} characters on one line.',
});
const typeRule = codedText(messages.type());
const idRule = codedText(messages.id());

/** Maximum length of a reason in characters. */
export const longestReason = 500;

/** Body of `POST /app/erasures`. The reason is sealed into the audit log. */
export const NewErasure = v.object({
  type: v.pipe(v.string(typeRule), v.regex(/^[A-Z][A-Za-z]{1,63}$/, typeRule)),
  id: v.pipe(v.string(idRule), v.check(isFhirId, idRule)),
  /** Source of a supporting resource; may be absent if only one source has this type and id. */
  source: v.exactOptional(v.string()),
  reason: line(longestReason, codedText(messages.reason({ n: longestReason }))),
});
export type NewErasure = Shape<typeof NewErasure>;

const Erasure = v.object({
  type: v.string(),
  id: v.string(),
  /** Source of a supporting resource; absent for a record. */
  source: v.exactOptional(v.string()),
  /** Instant, UTC. */
  time: v.string(),
  who: v.string(),
  /** Current person; absent if none was named. */
  person: v.exactOptional(v.string()),
  reason: v.string(),
});
export type Erasure = Shape<typeof Erasure>;

/** Response of `POST /app/erasures`. */
export const ErasureDone = v.object({
  ...Erasure.entries,
  /**
   * Backups of records and workspace that contain the record or could not be searched, latest first.
   * A backup in both folders is listed as `first`.
   */
  backups: v.array(v.object({ name: v.string(), time: v.string(), place: v.picklist(['first', 'second']) })),
  /** Path of the secondary folder if it was unreachable. */
  unseen: v.nullable(v.string()),
});
export type ErasureDone = Shape<typeof ErasureDone>;

/** `GET /app/erasures`, newest first. */
export const ErasureList = v.object({ erasures: v.array(ErasureDone) });
export type ErasureList = Shape<typeof ErasureList>;

export interface RecordName extends NamedResource {
  readonly type: ResourceType;
}

/** Returns the name of a record or supporting resource for users. */
export function formatRecordName({ type, id }: NamedResource): string {
  return `${type}/${id}`;
}

/** Returns the audit entry of an erasure: the record, then the reason. */
export function erasureEntry(erasure: NamedResource & Pick<Erasure, 'reason'>): string {
  return `${formatRecordName(erasure)}: ${erasure.reason}`;
}
