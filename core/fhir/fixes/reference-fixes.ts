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
function isOneSlip(one: string, other: string): boolean {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  const [said, known] = [one.slice(at), other.slice(at)];
  const isSwapped = said === known.charAt(1) + known.charAt(0) + known.slice(2);
  return isSwapped || said.slice(1) === known.slice(1) || said.slice(1) === known || said === known.slice(1);
}

/** A letter of a short name is too much of it to be a slip. */
const shortest = 5;

/** The R4 type whose name differs in case, or in one letter; undefined if there are several. */
function typeNear(name: string): string | undefined {
  const said = name.toLowerCase();
  const same = r4Types.find((type) => type.toLowerCase() === said);
  if (same !== undefined || said.length < shortest) return same;
  const [near, ...others] = r4Types.filter((type) => isOneSlip(said, type.toLowerCase()));
  return others.length === 0 ? near : undefined;
}

/** The literal of an allowed form that a text was meant as, if there is but one. */
function literalIn(text: string): string | undefined {
  const trimmed = text.trim();
  const schemed = trimmed.replace(/^(https?)(?::\/?|\/\/)(?=[^/])/i, '$1://');
  const bare = trimmed
    .replace(/^(?:\.{0,2}\/)+/, '')
    .replace(/\/+$/, '')
    .replaceAll(/\/{2,}/g, '/');
  const separated = bare.replace(/^([A-Z][A-Za-z]+)[:|\\]/, '$1/');
  const typed = bare.replace(/^[A-Za-z0-9]+(?=[/?])/, (name) => typeNear(name) ?? name);
  return [trimmed, schemed, bare, separated, typed].find(isReferenceLiteral);
}

/** Fixes of references, to resources in the record and outside it. */
export const referenceFixes: readonly Fix[] = [
  referTo('ref-1'),
  referTo('canonical-fragment'),
  {
    rule: 'reference-literal',
    words: 'Correct the slip in references of which one letter or the case is wrong',
    none: 'Only the source says which resource was meant.',
    ways: (place) => [retext(place, 'reference-literal', literalIn(textOf(place.node) ?? ''))],
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
