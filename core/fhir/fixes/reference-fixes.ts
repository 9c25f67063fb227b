import { replaceNode } from '../../json/edit.ts';
import { items, member, stringMember } from '../../json/node.ts';
import { r4Types } from '../r4-names.ts';
import { isReferenceLiteral } from '../validation/rules-resource.ts';
import { createRemovalOptions, createNamedRemoval, createTextReplacement } from './element-fixes.ts';
import { createUnfixable, nodeOf, textOf, type Fix } from './fix.ts';

/** Creates a fix that refers to the contained resource whose id differs only in spelling. */
function referTo(rule: string): Fix {
  return {
    rule,
    label: 'Reference the contained resource by its id',
    reasonWithoutOptions: 'No contained resource has a similar id.',
    listOptions: ({ root, tokens, node }) => {
      const writtenId = (textOf(node) ?? '').replace(/^#(?:[A-Z][A-Za-z]*\/)?/, '');
      return items(member(root, 'contained'))
        .map((resource) => (stringMember(resource, 'id') ?? '').replace(/^#/, ''))
        .filter((id) => id.toLowerCase() === writtenId.toLowerCase())
        .map((id) => ({
          id: rule,
          label: `Reference #${id}`,
          fixedRoot: replaceNode(root, tokens, nodeOf(`#${id}`)),
        }));
    },
  };
}

/** Returns true if a letter is wrong, missing, superfluous, or swapped with the next. */
function isOneSlip(name: string, type: string): boolean {
  let commonLength = 0;
  while (commonLength < name.length && name[commonLength] === type[commonLength]) commonLength += 1;
  const [nameEnd, typeEnd] = [name.slice(commonLength), type.slice(commonLength)];
  const isSwapped = nameEnd === typeEnd.charAt(1) + typeEnd.charAt(0) + typeEnd.slice(2);
  return (
    isSwapped ||
    nameEnd.slice(1) === typeEnd.slice(1) ||
    nameEnd.slice(1) === typeEnd ||
    nameEnd === typeEnd.slice(1)
  );
}

/** Minimum length for the correction of a letter. With a shorter name it may be another word. */
const minLength = 5;

/** Returns the R4 type that differs in case or in one letter; undefined if several match. */
function similarType(name: string): string | undefined {
  const lowerName = name.toLowerCase();
  const sameType = r4Types.find((type) => type.toLowerCase() === lowerName);
  if (sameType !== undefined || name.length < minLength) return sameType;
  const types = r4Types.filter((type) => isOneSlip(lowerName, type.toLowerCase()));
  return types.length === 1 ? types[0] : undefined;
}

/** Maximum length of a text with a typo. The patterns below are slow for many slashes. */
const maxLength = 1024;

/** Returns the corrected literal of a text with one typo; undefined if no correction has an allowed form. */
function correctedLiteral(text: string): string | undefined {
  if (text.length > maxLength) return undefined;
  const trimmed = text.trim();
  const withScheme = trimmed.replace(/^(https?)(?::\/?|\/\/)(?=[^/])/i, '$1://');
  const withoutDots = trimmed
    .replace(/^(?:\.{0,2}\/)+/, '')
    .replace(/\/+$/, '')
    .replaceAll(/\/{2,}/g, '/');
  const withSlash = withoutDots.replace(/^([A-Z][A-Za-z]+)[:|\\]/, '$1/');
  const withType = withoutDots.replace(/^[A-Za-z0-9]+(?=[/?])/, (name) => similarType(name) ?? name);
  return [trimmed, withScheme, withoutDots, withSlash, withType].find(isReferenceLiteral);
}

/** Fixes of references within the record and to other resources. */
export const referenceFixes: readonly Fix[] = [
  referTo('ref-1'),
  referTo('canonical-fragment'),
  {
    rule: 'reference-literal',
    label: 'Correct typos in references',
    reasonWithoutOptions: 'Only the source can tell which resource was meant.',
    listOptions: (context) => [
      createTextReplacement(context, 'reference-literal', correctedLiteral(textOf(context.node) ?? '')),
    ],
  },
  {
    rule: 'reference-type',
    label: 'Set the type to match the target',
    reasonWithoutOptions: 'Only someone who knows the record can tell what it should reference.',
    listOptions: (context) => {
      const type = context.detail.replace('expected ', '');
      return [
        createTextReplacement(context, 'reference-type', type, `Set type to ${type}`),
        ...createNamedRemoval({ id: 'reference-type=remove', name: 'type' })(context),
      ];
    },
  },
  createUnfixable('reference-target', 'Only someone who knows the record can tell what it should reference.'),
  {
    rule: 'reference-empty',
    label: 'Remove empty references',
    reasonWithoutOptions: 'The reference is required. Only someone who knows the record can fill it in.',
    listOptions: createRemovalOptions('reference-empty', 'Remove reference'),
  },
];
