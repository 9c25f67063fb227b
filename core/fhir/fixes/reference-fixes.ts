import { replaced } from '../../json/edit.ts';
import { items, member, stringMember } from '../../json/node.ts';
import { r4Types } from '../r4-names.ts';
import { isReferenceLiteral } from '../validation/rules-reference.ts';
import { remove, retext } from './element-fixes.ts';
import { never, nodeOf, textOf, type Fix } from './fix.ts';

/** The contained resource whose id is the one that stands there but for its spelling. */
function referTo(rule: string): Fix {
  return {
    rule,
    words: 'Refer to the contained resource by its id',
    none: 'No contained resource has an id like this.',
    ways: ({ root, tokens, node }) => {
      const said = (textOf(node) ?? '').replace(/^#(?:[A-Z][A-Za-z]*\/)?/, '');
      return items(member(root, 'contained'))
        .map((one) => (stringMember(one, 'id') ?? '').replace(/^#/, ''))
        .filter((id) => id.toLowerCase() === said.toLowerCase())
        .map((id) => ({
          id: rule,
          words: `Refer to #${id}`,
          root: replaced(root, tokens, nodeOf(`#${id}`)),
        }));
    },
  };
}

/** True if one letter is wrong, missing, too many, or has changed places with the next. */
function isOneSlip(name: string, type: string): boolean {
  let same = 0;
  while (same < name.length && name[same] === type[same]) same += 1;
  const [nameEnd, typeEnd] = [name.slice(same), type.slice(same)];
  const isSwapped = nameEnd === typeEnd.charAt(1) + typeEnd.charAt(0) + typeEnd.slice(2);
  return (
    isSwapped ||
    nameEnd.slice(1) === typeEnd.slice(1) ||
    nameEnd.slice(1) === typeEnd ||
    nameEnd === typeEnd.slice(1)
  );
}

/** One wrong letter of a shorter name may be another word. */
const minLength = 5;

/** The R4 type whose name differs in case, or in one letter; undefined if there are several. */
function similarType(name: string): string | undefined {
  const lowerName = name.toLowerCase();
  const sameType = r4Types.find((type) => type.toLowerCase() === lowerName);
  if (sameType !== undefined || name.length < minLength) return sameType;
  const types = r4Types.filter((type) => isOneSlip(lowerName, type.toLowerCase()));
  return types.length === 1 ? types[0] : undefined;
}

/** A longer text is no reference with a slip, and the patterns below would take long on many slashes. */
const maxLength = 1024;

/** Returns the corrected literal of a text with one slip; undefined if no reading has an allowed form. */
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

/** Fixes of references, to resources in the record and outside it. */
export const referenceFixes: readonly Fix[] = [
  referTo('ref-1'),
  referTo('canonical-fragment'),
  {
    rule: 'reference-literal',
    words: 'Correct the slip in references of which one letter or the case is wrong',
    none: 'Only the source says which resource was meant.',
    ways: (place) => [retext(place, 'reference-literal', correctedLiteral(textOf(place.node) ?? ''))],
  },
  {
    rule: 'reference-type',
    words: 'Set the type of references to that of what they name',
    none: 'Only who knows the record can say what it refers to.',
    ways: (place) => {
      const type = place.detail.replace('expected ', '');
      return [
        retext(place, 'reference-type', type, `Set the type to ${type}`),
        ...remove('reference-type=remove', 'Remove the type')(place),
      ];
    },
  },
  never('reference-target', 'Only who knows the record can say what it refers to.'),
  {
    rule: 'reference-empty',
    words: 'Remove references that refer to nothing',
    none: 'The reference is mandatory: only who knows the record can say what it refers to.',
    ways: remove('reference-empty', 'Remove the reference'),
  },
];
