import * as v from 'valibot';
import { matchesSchema, type Shape } from '../../json/shape.ts';
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

/** An element of a profile as an editor shows it. */
const DigestElement = v.object({
  /** Begins with the type, such as `CarePlan.category`. */
  path: v.string(),
  short: v.string(),
  min: v.number(),
  max: v.string(),
  mustSupport: v.boolean(),
  /** Slice names. */
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
 * Builds the digest of a profile for an editor (R4 profiling.html#slicing).
 *
 * It has the elements that are required, forbidden, sliced or must be supported. Returns undefined without a
 * snapshot.
 */
export function digestOf(definition: Definition): Digest | undefined {
  const result = v.safeParse(Profile, definition);
  if (!result.success) return undefined;
  const { url, version, type, title, name, snapshot } = result.output;
  const elements = new Map<string, DigestElement>();
  const slices = new Map<string, string[]>();
  for (const candidate of snapshot.element) {
    if (!matchesSchema(Element, candidate)) continue;
    const { id, path, short, min, max, mustSupport, sliceName } = v.parse(Element, candidate);
    if (sliceName !== undefined) slices.set(path, [...(slices.get(path) ?? []), sliceName]);
    // Elements within a slice describe only the slice.
    else if (!id.includes(':') && path !== type)
      elements.set(path, { path, short, min, max, mustSupport, slices: [] });
  }
  const digestElements = [...elements.values()].map((element) => ({
    ...element,
    slices: slices.get(element.path) ?? [],
  }));
  return {
    url,
    version,
    type,
    title: title || name || url,
    elements: digestElements.filter(
      ({ min, max, mustSupport, slices: sliceNames }) =>
        mustSupport || min > 0 || max === '0' || sliceNames.length > 0,
    ),
  };
}

export interface ProfileWord extends DigestElement {
  readonly profile: string;
}

/** Returns the descriptions of the element at a path. An item has the descriptions of its list. */
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

/** Returns true if a profile requires the element or its support. */
export function isWanted(words: readonly ProfileWord[]): boolean {
  return words.some(({ mustSupport, min }) => mustSupport || min > 0);
}
