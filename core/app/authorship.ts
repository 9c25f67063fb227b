/** Who wrote a version, through which token, and why; stored with it, and sealed in the audit trail. */
import * as v from 'valibot';
import type { Shape } from '../json/shape.ts';

/** Most characters of a person's name. */
export const mostName = 100;

/** Most characters of a reason. */
export const mostReason = 1000;

/** The members of everything that tells who wrote. */
export const authorshipMembers = {
  /** Name of the token or of the session. */
  author: v.string(),
  /** Name of the person whose session it was; absent where none was named. */
  person: v.exactOptional(v.string()),
};

/** The same with why. */
export const reasonedMembers = {
  ...authorshipMembers,
  /** Why, in the writer's own words; absent where none were sent. */
  reason: v.exactOptional(v.string()),
};

/** What stands with a version. */
export type Authorship = Shape<v.ObjectSchema<typeof reasonedMembers, undefined>>;

/** What belongs to an authorship of something that has more; members without a value are left out. */
export function authorshipIn({
  author,
  person = null,
  reason = null,
}: Pick<Authorship, 'author'> &
  Readonly<Partial<Record<'person' | 'reason', string | null | undefined>>>): Authorship {
  return { author, ...(person !== null && { person }), ...(reason !== null && { reason }) };
}

/** Whom a person reads about: the person, else the token. */
export function writerOf({ author, person }: Pick<Authorship, 'author' | 'person'>): string {
  return person ?? author;
}
