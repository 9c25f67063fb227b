import type { Authorship } from '../../../core/app/authorship.ts';

/** Formats the author: the person with the token or session, or only the token or session. */
export function byline({ author, person }: Pick<Authorship, 'author' | 'person'>): string {
  return person === undefined ? author : `${person} (${author})`;
}
