import { inserted, replaced, without } from '../../json/edit.ts';
import type { JsonNode } from '../../json/node.ts';
import { locate } from '../../json/pointer.ts';
import { isLanguageTag } from '../validation/language-tag.ts';
import { never, nodeOf, textOf, type Fix, type FixPlace, type Way } from './fix.ts';

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
  return ({ root, tokens }: FixPlace): readonly Way[] => {
    const away = below.length === 0 ? [tokens] : below.map((path) => [...tokens, ...path]);
    return [{ id, words, root: away.reduce<JsonNode>(without, root) }];
  };
}

/** Keeps one of two members that exclude each other. */
export function keepOne(rule: string, names: readonly [string, string]) {
  return ({ root, tokens }: FixPlace): readonly Way[] =>
    names.map((kept, index) => ({
      id: `${rule}=${kept}`,
      words: `Keep ${kept} alone`,
      root: without(root, [...tokens, names[1 - index] ?? '']),
    }));
}

/** Puts another text in the place of the finding's. */
export function retext(
  place: FixPlace,
  id: string,
  value: string | undefined,
  words?: string,
): Way | undefined {
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
function paired({ root, tokens, node }: FixPlace): Way | undefined {
  const words = 'Pair the value and its sibling';
  const key = tokens.findLast((token) => Number.isNaN(Number(token))) ?? '';
  const at = tokens.lastIndexOf(key);
  const parent = tokens.slice(0, at);
  const other = key.startsWith('_') ? key.slice(1) : `_${key}`;
  const [mine, theirs] = [locate(root, [...parent, key]), locate(root, [...parent, other])];
  if (mine?.kind !== 'array' || theirs?.kind !== 'array') {
    return {
      id: 'sibling=remove',
      words: `Remove ${key}`,
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
    words: 'Remove the empty elements',
    none: 'The element is mandatory: only who knows the record can say what belongs there.',
    ways: remove('empty', 'Remove the empty element'),
  },
  {
    rule: 'ele-1',
    words: 'Remove the elements that say nothing',
    none: 'The element is mandatory: only who knows the record can say what belongs there.',
    ways: remove('ele-1', 'Remove the element'),
  },
  {
    rule: 'element-id',
    words: 'Take white space out of ids',
    none: 'Nothing but white space stands there.',
    ways: (place) => {
      const id = textOf(locate(place.root, place.tokens))?.trim().replaceAll(/\s+/g, '-');
      return [retext(place, 'element-id', id)];
    },
  },
  {
    rule: 'element-id-twice',
    words: 'Remove ids that stand twice',
    none: 'The element is nothing without its id.',
    ways: remove('element-id-twice', 'Remove the id'),
  },
  {
    rule: 'choice',
    words: 'Keep one of the two forms',
    none: 'Only who knows the record can say which form is right.',
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
        words: `Keep ${kept} alone`,
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
    words: 'Pair values with their siblings',
    none: 'Only who knows the record can say which of the two is right.',
    ways: (place) => [paired(place)],
  },
  {
    rule: 'control-character',
    words: 'Remove the control characters',
    none: 'Nothing but control characters stands there: only who knows the record can say what was meant.',
    ways: (place) => [
      retext(
        place,
        'control-character',
        textOf(place.node)?.replace(control, ''),
        'Remove the control characters',
      ),
    ],
  },
  never('string-length', 'Which part of a text can go is known to its reader alone.'),
  never('calendar-date', 'Only the source says which day was meant.'),
  {
    rule: 'base64-length',
    words: 'Add the padding that is missing',
    none: 'Data is missing or too much: it has to be encoded again from its source.',
    ways: (place) => {
      const data = textOf(place.node)?.replace(/[\s=]+/g, '') ?? '';
      const padding = { 2: '==', 3: '=' }[data.length % 4];
      return padding === undefined
        ? []
        : [retext(place, 'base64-length', `${data}${padding}`, 'Add the missing padding')];
    },
  },
  {
    rule: 'language-tag',
    words: 'Write the language as a tag',
    none: 'The text names no language that is known here.',
    ways: (place) => [retext(place, 'language-tag', tagOf(textOf(place.node) ?? ''))],
  },
];
