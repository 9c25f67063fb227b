/** Author of a version, its token and its reason. Stored with the version and sealed in the audit log. */
import * as v from 'valibot';
import type { Shape } from '../json/shape.ts';

/** Maximum length of a person's name in characters. */
export const maxNameLength = 100;

/** Maximum length of a reason in characters. */
export const maxReasonLength = 1000;

/** Members of every object that has an author. */
export const authorshipMembers = {
  /** Name of the token or of the session. */
  author: v.string(),
  /** Current person of the session; absent if none was named. */
  person: v.exactOptional(v.string()),
};

export const reasonedMembers = {
  ...authorshipMembers,
  /** Reason in the words of the author; absent if none was sent. */
  reason: v.exactOptional(v.string()),
};

export type Authorship = Shape<v.ObjectSchema<typeof reasonedMembers, undefined>>;

/** Returns the authorship part of a larger object, without members that have no value. */
export function authorshipIn({
  author,
  person = null,
  reason = null,
}: Pick<Authorship, 'author'> &
  Readonly<Partial<Record<'person' | 'reason', string | null | undefined>>>): Authorship {
  return { author, ...(person !== null && { person }), ...(reason !== null && { reason }) };
}

/** Returns the name to show: the person, otherwise the token. */
export function writerOf({ author, person }: Pick<Authorship, 'author' | 'person'>): string {
  return person ?? author;
}
