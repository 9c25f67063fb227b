import { setMemberAt, replaceNode, removeElement } from '../../json/edit.ts';
import type { JsonNode } from '../../json/node.ts';
import { locate } from '../../json/pointer.ts';
import { isLanguageTag } from '../validation/language-tag.ts';
import { createUnfixable, nodeOf, textOf, type Fix, type FixContext, type FixOption } from './fix.ts';

/** Language tags by language names. */
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

/** Creates the options that remove the element of a finding, or the elements at paths below it. */
export function createRemovalOptions(id: string, label: string, ...paths: readonly (readonly string[])[]) {
  return ({ root, tokens }: FixContext): readonly FixOption[] => {
    const removedPaths = paths.length === 0 ? [tokens] : paths.map((path) => [...tokens, ...path]);
    return [{ id, label, fixedRoot: removedPaths.reduce<JsonNode>(removeElement, root) }];
  };
}

interface NamedRemoval {
  /** ID of the option. */
  readonly id: string;
  /** Name of the removed element in the label. */
  readonly name: string;
  /** Path below the element of the finding; absent for that element. */
  readonly path?: readonly string[];
}

/** Creates the options that remove the element of a finding, or the element at a path. The label names the element. */
export function createNamedRemoval({ id, name, path = [] }: NamedRemoval) {
  return ({ root, tokens }: FixContext): readonly FixOption[] => [
    { id, label: `Remove ${name}`, names: [name], fixedRoot: removeElement(root, [...tokens, ...path]) },
  ];
}

/** Creates the options that keep one of two members that exclude each other. */
export function createExclusiveOptions(rule: string, names: readonly [string, string]) {
  return ({ root, tokens }: FixContext): readonly FixOption[] =>
    names.map((keptName, index) => ({
      id: `${rule}=${keptName}`,
      label: `Keep only ${keptName}`,
      fixedRoot: removeElement(root, [...tokens, names[1 - index] ?? '']),
    }));
}

/** Creates the option that replaces the text of a finding's element; undefined if nothing changes. */
export function createTextReplacement(
  context: FixContext,
  id: string,
  value: string | undefined,
  label?: string,
): FixOption | undefined {
  if (value === undefined || value === textOf(context.node)) return undefined;
  const { root, tokens } = context;
  return {
    id,
    label: label ?? `Replace with “${value}”`,
    fixedRoot: replaceNode(root, tokens, nodeOf(value)),
  };
}

function tagOf(text: string): string | undefined {
  const spelled = text.trim().replaceAll('_', '-');
  const [firstWord = ''] = text
    .trim()
    .toLowerCase()
    .split(/[^\p{L}]+/u);
  return [spelled, languages[firstWord] ?? ''].find(isLanguageTag);
}

/** Aligns a value and its sibling: removes superfluous nulls and ids, and lengthens a short list. */
function alignSibling({ root, tokens, node }: FixContext): FixOption | undefined {
  const label = 'Align the value and its sibling';
  const key = tokens.findLast((token) => Number.isNaN(Number(token))) ?? '';
  const keyIndex = tokens.lastIndexOf(key);
  const parent = tokens.slice(0, keyIndex);
  const siblingKey = key.startsWith('_') ? key.slice(1) : `_${key}`;
  const [keyArray, siblingArray] = [locate(root, [...parent, key]), locate(root, [...parent, siblingKey])];
  if (keyArray?.kind !== 'array' || siblingArray?.kind !== 'array') {
    return {
      id: 'sibling=remove',
      label: `Remove ${key}`,
      names: [key],
      fixedRoot: removeElement(root, node ? tokens : [...parent, key]),
    };
  }
  const length = Math.max(keyArray.items.length, siblingArray.items.length);
  const isHollow = (item: JsonNode | undefined) => item === undefined || item.kind === 'null';
  const keptIndexes = Array.from({ length }, (_, index) => index).filter(
    (index) => !isHollow(keyArray.items[index]) || !isHollow(siblingArray.items[index]),
  );
  const align = (array: typeof keyArray): JsonNode => ({
    ...array,
    items: keptIndexes.map((index) => array.items[index] ?? nodeOf(null)),
  });
  const aligned = setMemberAt(
    setMemberAt(root, parent, key, align(keyArray)),
    parent,
    siblingKey,
    align(siblingArray),
  );
  return { id: 'sibling', label, fixedRoot: aligned };
}

/** Fixes that apply to any element. */
export const elementFixes: readonly Fix[] = [
  {
    rule: 'empty',
    label: 'Remove empty elements',
    reasonWithoutOptions: 'The element is required. Only someone who knows the record can fill it in.',
    listOptions: createRemovalOptions('empty', 'Remove empty element'),
  },
  {
    rule: 'ele-1',
    label: 'Remove elements without content',
    reasonWithoutOptions: 'The element is required. Only someone who knows the record can fill it in.',
    listOptions: createRemovalOptions('ele-1', 'Remove element'),
  },
  {
    rule: 'element-id',
    label: 'Remove white space from ids',
    reasonWithoutOptions: 'The id is only white space.',
    listOptions: (context) => {
      const id = textOf(locate(context.root, context.tokens))?.trim().replaceAll(/\s+/g, '-');
      return [createTextReplacement(context, 'element-id', id)];
    },
  },
  {
    rule: 'element-id-twice',
    label: 'Remove duplicate ids',
    reasonWithoutOptions: 'The element has no content besides its id.',
    listOptions: createNamedRemoval({ id: 'element-id-twice', name: 'id' }),
  },
  {
    rule: 'choice',
    label: 'Keep one of the two',
    reasonWithoutOptions: 'Only someone who knows the record can tell which one is right.',
    listOptions: (context) => {
      const { root, tokens, detail } = context;
      const parent = tokens.slice(0, -1);
      const stem = detail.replace('[x]', '');
      const owner = locate(root, parent);
      const forms = (owner?.kind === 'object' ? owner.members : [])
        .map(({ key }) => key)
        .filter((key) => key.startsWith(stem) && /^[A-Z]/.test(key.slice(stem.length)));
      return forms.map((keptName) => ({
        id: `choice=${keptName}`,
        label: `Keep only ${keptName}`,
        fixedRoot: forms
          .filter((name) => name !== keptName)
          .reduce<JsonNode>(
            (remaining, removedName) =>
              removeElement(removeElement(remaining, [...parent, removedName]), [
                ...parent,
                `_${removedName}`,
              ]),
            root,
          ),
      }));
    },
  },
  {
    rule: 'sibling',
    label: 'Align values with their siblings',
    reasonWithoutOptions: 'Only someone who knows the record can tell which one is right.',
    listOptions: (context) => [alignSibling(context)],
  },
  {
    rule: 'control-character',
    label: 'Remove control characters',
    reasonWithoutOptions: 'The text is only control characters. Check the source.',
    listOptions: (context) => [
      createTextReplacement(
        context,
        'control-character',
        textOf(context.node)?.replace(control, ''),
        'Remove control characters',
      ),
    ],
  },
  createUnfixable('string-length', 'Only a person can decide what to shorten.'),
  createUnfixable('calendar-date', 'Only the source can tell which day was meant.'),
  {
    rule: 'base64-length',
    label: 'Add missing padding',
    reasonWithoutOptions: 'The data is incomplete or too long. Encode it again from the source.',
    listOptions: (context) => {
      const data = textOf(context.node)?.replace(/[\s=]+/g, '') ?? '';
      const padding = { 2: '==', 3: '=' }[data.length % 4];
      return padding === undefined
        ? []
        : [createTextReplacement(context, 'base64-length', `${data}${padding}`, 'Add missing padding')];
    },
  },
  {
    rule: 'language-tag',
    label: 'Change to a language tag',
    reasonWithoutOptions: 'The text doesn’t name a known language.',
    listOptions: (context) => [
      createTextReplacement(context, 'language-tag', tagOf(textOf(context.node) ?? '')),
    ],
  },
];
