import * as v from 'valibot';
import { is, type Shape } from '../../json/shape.ts';
import type { Definition } from './conformance.ts';

const Element = v.object({
  id: v.exactOptional(v.string(), ''),
  path: v.string(),
  short: v.exactOptional(v.string(), ''),
  min: v.exactOptional(v.number(), 0),
  max: v.exactOptional(v.string(), '*'),
  mustSupport: v.exactOptional(v.boolean(), false),
  sliceName: v.exactOptional(v.string()),
});

const Profile = v.object({
  url: v.string(),
  version: v.exactOptional(v.string(), ''),
  type: v.string(),
  title: v.exactOptional(v.string(), ''),
  name: v.exactOptional(v.string(), ''),
  snapshot: v.object({ element: v.array(v.unknown()) }),
});

/** An element of a profile as an editor tells it. */
const DigestElement = v.object({
  /** From the type on, such as `CarePlan.category`. */
  path: v.string(),
  short: v.string(),
  min: v.number(),
  max: v.string(),
  mustSupport: v.boolean(),
  /** Names of its slices. */
  slices: v.array(v.string()),
});
type DigestElement = Shape<typeof DigestElement>;

/** `GET /app/profiles?url=`. */
export const Digest = v.object({
  url: v.string(),
  version: v.string(),
  type: v.string(),
  title: v.string(),
  elements: v.array(DigestElement),
});
export type Digest = Shape<typeof Digest>;

/**
 * What an editor tells of a profile beside R4's own words: the elements that are to be supported, are asked for, are
 * forbidden, or are sliced (R4 profiling.html#slicing). Undefined where the definition has no snapshot.
 */
export function digestOf(definition: Definition): Digest | undefined {
  const read = v.safeParse(Profile, definition);
  if (!read.success) return undefined;
  const { url, version, type, title, name, snapshot } = read.output;
  const elements = new Map<string, DigestElement>();
  const slices = new Map<string, string[]>();
  for (const given of snapshot.element) {
    if (!is(Element, given)) continue;
    const { id, path, short, min, max, mustSupport, sliceName } = v.parse(Element, given);
    if (sliceName !== undefined) slices.set(path, [...(slices.get(path) ?? []), sliceName]);
    // What stands within a slice is said of the slice alone.
    else if (!id.includes(':') && path !== type)
      elements.set(path, { path, short, min, max, mustSupport, slices: [] });
  }
  const told = [...elements.values()].map((one) => ({ ...one, slices: slices.get(one.path) ?? [] }));
  return {
    ...{ url, version, type, title: title || name || url },
    elements: told.filter(
      ({ min, max, mustSupport, slices: some }) => mustSupport || min > 0 || max === '0' || some.length > 0,
    ),
  };
}

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
