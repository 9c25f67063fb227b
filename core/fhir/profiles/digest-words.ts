import type { Digest, DigestElement } from './digest.ts';

/** What a profile says of an element. */
export interface ProfileWord extends DigestElement {
  /** Title of the profile. */
  readonly profile: string;
}

/** What profiles say of the element at a place; an item is told as its list. */
export function wordsAt(
  digests: readonly Digest[],
  type: string,
  tokens: readonly string[],
): readonly ProfileWord[] {
  const path = [type, ...tokens.filter((token) => !/^[0-9]+$/.test(token))].join('.');
  return digests.flatMap((digest) =>
    digest.elements
      .filter((element) => element.path === path)
      .map((element) => ({ ...element, profile: digest.title })),
  );
}

/** Whether any of them wants an element to be supported, or to be there. */
export function isWanted(words: readonly ProfileWord[]): boolean {
  return words.some(({ mustSupport, min }) => mustSupport || min > 0);
}
