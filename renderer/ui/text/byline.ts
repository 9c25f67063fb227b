import type { Authorship } from '../../../core/app/authorship.ts';

/** Who wrote, as it is read: the person with the token or session behind, or that alone. */
export function byline({ author, person }: Pick<Authorship, 'author' | 'person'>): string {
  return person === undefined ? author : `${person} (${author})`;
}
