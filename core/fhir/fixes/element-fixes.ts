import { inserted, replaced, without } from '../../json/edit.ts';
import type { JsonNode } from '../../json/node.ts';
import { locate } from '../../json/pointer.ts';
import { isLanguageTag } from '../validation/language-tag.ts';
import { never, nodeOf, textOf, type Fix, type FixContext, type FixOption } from './fix.ts';

/** Names of languages that stand where a tag is asked for. */
const languages: Readonly<Record<string, string>> = {
  english: 'en',
  german: 'de',
  deutsch: 'de',
  french: 'fr',
  français: 'fr',
  spanish: 'es',
  español: 'es',
  italian: 'it',
  italiano: 'it',
  portuguese: 'pt',
  dutch: 'nl',
  nederlands: 'nl',
};

// oxlint-disable-next-line no-control-regex -- these are what it removes
const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g;

/** Removes the element of a finding, or elements below it by the ways that lead to them. */
export function remove(id: string, words: string, ...below: readonly (readonly string[])[]) {
  return ({ root, tokens }: FixContext): readonly FixOption[] => {
    const away = below.length === 0 ? [tokens] : below.map((path) => [...tokens, ...path]);
    return [{ id, words, root: away.reduce<JsonNode>(without, root) }];
  };
}

/** Removes the element of a finding, or the one that a path leads to, by a button with its name. */
export function removeNamed(id: string, name: string, ...path: readonly string[]) {
  return ({ root, tokens }: FixContext): readonly FixOption[] => [
    { id, words: `Remove ${name}`, names: [name], root: without(root, [...tokens, ...path]) },
  ];
}

/** Keeps one of two members that exclude each other. */
export function keepOne(rule: string, names: readonly [string, string]) {
  return ({ root, tokens }: FixContext): readonly FixOption[] =>
    names.map((kept, index) => ({
      id: `${rule}=${kept}`,
      words: `Keep only ${kept}`,
      root: without(root, [...tokens, names[1 - index] ?? '']),
    }));
}

/** Puts another text in the place of the finding's. */
export function retext(
  place: FixContext,
  id: string,
  value: string | undefined,
  words?: string,
): FixOption | undefined {
  if (value === undefined || value === textOf(place.node)) return undefined;
  const { root, tokens } = place;
  return { id, words: words ?? `Replace with “${value}”`, root: replaced(root, tokens, nodeOf(value)) };
}

function tagOf(text: string): string | undefined {
  const spelled = text.trim().replaceAll('_', '-');
  const [first = ''] = text
    .trim()
    .toLowerCase()
    .split(/[^\p{L}]+/u);
  return [spelled, languages[first] ?? ''].find(isLanguageTag);
}

/** Pairs a value and its sibling: a null too many goes, a list that is too short grows, an id that says nothing goes. */
function paired({ root, tokens, node }: FixContext): FixOption | undefined {
  const words = 'Align the value and its sibling';
  const key = tokens.findLast((token) => Number.isNaN(Number(token))) ?? '';
  const at = tokens.lastIndexOf(key);
  const parent = tokens.slice(0, at);
  const other = key.startsWith('_') ? key.slice(1) : `_${key}`;
  const [mine, theirs] = [locate(root, [...parent, key]), locate(root, [...parent, other])];
  if (mine?.kind !== 'array' || theirs?.kind !== 'array') {
    return {
      id: 'sibling=remove',
      words: `Remove ${key}`,
      names: [key],
      root: without(root, node ? tokens : [...parent, key]),
    };
  }
  const length = Math.max(mine.items.length, theirs.items.length);
  const hollow = (item: JsonNode | undefined) => item === undefined || item.kind === 'null';
  const kept = Array.from({ length }, (_, index) => index).filter(
    (index) => !hollow(mine.items[index]) || !hollow(theirs.items[index]),
  );
  const filled = (array: typeof mine): JsonNode => ({
    ...array,
    items: kept.map((index) => array.items[index] ?? nodeOf(null)),
  });
  const paired = inserted(inserted(root, parent, key, filled(mine)), parent, other, filled(theirs));
  return { id: 'sibling', words, root: paired };
}

/** Fixes of what any element can be. */
export const elementFixes: readonly Fix[] = [
  {
    rule: 'empty',
    words: 'Remove empty elements',
    none: 'The element is required. Only someone who knows the record can fill it in.',
    ways: remove('empty', 'Remove empty element'),
  },
  {
    rule: 'ele-1',
    words: 'Remove elements without content',
    none: 'The element is required. Only someone who knows the record can fill it in.',
    ways: remove('ele-1', 'Remove element'),
  },
  {
    rule: 'element-id',
    words: 'Remove white space from ids',
    none: 'The id is only white space.',
    ways: (place) => {
      const id = textOf(locate(place.root, place.tokens))?.trim().replaceAll(/\s+/g, '-');
      return [retext(place, 'element-id', id)];
    },
  },
  {
    rule: 'element-id-twice',
    words: 'Remove duplicate ids',
    none: 'The element has no content besides its id.',
    ways: removeNamed('element-id-twice', 'id'),
  },
  {
    rule: 'choice',
    words: 'Keep one of the two',
    none: 'Only someone who knows the record can tell which one is right.',
    ways: (place) => {
      const { root, tokens, detail } = place;
      const parent = tokens.slice(0, -1);
      const stem = detail.replace('[x]', '');
      const owner = locate(root, parent);
      const forms = (owner?.kind === 'object' ? owner.members : [])
        .map(({ key }) => key)
        .filter((key) => key.startsWith(stem) && /^[A-Z]/.test(key.slice(stem.length)));
      return forms.map((kept) => ({
        id: `choice=${kept}`,
        words: `Keep only ${kept}`,
        root: forms
          .filter((one) => one !== kept)
          .reduce<JsonNode>(
            (left, one) => without(without(left, [...parent, one]), [...parent, `_${one}`]),
            root,
          ),
      }));
    },
  },
  {
    rule: 'sibling',
    words: 'Align values with their siblings',
    none: 'Only someone who knows the record can tell which one is right.',
    ways: (place) => [paired(place)],
  },
  {
    rule: 'control-character',
    words: 'Remove control characters',
    none: 'The text is only control characters. Check the source.',
    ways: (place) => [
      retext(
        place,
        'control-character',
        textOf(place.node)?.replace(control, ''),
        'Remove control characters',
      ),
    ],
  },
  never('string-length', 'Only a person can decide what to shorten.'),
  never('calendar-date', 'Only the source can tell which day was meant.'),
  {
    rule: 'base64-length',
    words: 'Add missing padding',
    none: 'The data is incomplete or too long. Encode it again from the source.',
    ways: (place) => {
      const data = textOf(place.node)?.replace(/[\s=]+/g, '') ?? '';
      const padding = { 2: '==', 3: '=' }[data.length % 4];
      return padding === undefined
        ? []
        : [retext(place, 'base64-length', `${data}${padding}`, 'Add missing padding')];
    },
  },
  {
    rule: 'language-tag',
    words: 'Change to a language tag',
    none: 'The text doesn’t name a known language.',
    ways: (place) => [retext(place, 'language-tag', tagOf(textOf(place.node) ?? ''))],
  },
];
