import { renameMember, replaceNode } from '../../json/edit.ts';
import { items, member, stringMember, type JsonNode } from '../../json/node.ts';
import { locate } from '../../json/pointer.ts';
import { releaseRule } from '../validation/rules-release.ts';
import type { Fix, FixContext } from './fix.ts';

/** Record with an element that is to be moved. */
type MoveContext = Pick<FixContext, 'tokens'> & { readonly root: JsonNode; readonly node: JsonNode };

/** Returns the record with a moved element; undefined if it cannot be moved as a whole. */
type Move = (context: MoveContext) => JsonNode | undefined;

/** Creates the move to another name in the same object. It must be free. */
function renameTo(name: string, canMove: (node: JsonNode) => boolean = () => true): Move {
  return ({ root, tokens, node }) => {
    const parent = locate(root, tokens.slice(0, -1));
    return member(parent, name) || !canMove(node) ? undefined : renameMember(root, tokens, name);
  };
}

const listOf = (node: JsonNode): JsonNode => ({ kind: 'array', items: [node], start: 0, end: 0 });

/** Takes the only item out of its list. */
const takeItem: Move = ({ root, tokens, node }) => {
  const [item, ...others] = items(node);
  return item && others.length === 0 ? replaceNode(root, tokens, item) : undefined;
};

/** Replaces a CodeableReference by the Reference in it. */
const takeReference: Move = ({ root, tokens, node }) => {
  const parent = locate(root, tokens.slice(0, -1));
  const isAlone = parent?.kind === 'object' && parent.members.length === 1;
  return isAlone ? replaceNode(root, tokens.slice(0, -1), node) : undefined;
};

/** Moves a list of CodeableReferences to the list of their concepts, or of their references. */
const splitPerformed: Move = ({ root, tokens, node }) => {
  for (const [from, to] of [
    ['concept', 'outcomeCodeableConcept'],
    ['reference', 'outcomeReference'],
  ] as const) {
    const parts = items(node).map((item) =>
      item.kind === 'object' && item.members.length === 1 ? member(item, from) : undefined,
    );
    const values = parts.filter((part) => part !== undefined);
    if (values.length === 0 || values.length < parts.length) continue;
    const rootWithValues = replaceNode(root, tokens, { kind: 'array', items: values, start: 0, end: 0 });
    return renameTo(to)({ root: rootWithValues, tokens, node });
  }
  return undefined;
};

/** Moves of elements to R4, by type, then by path without indexes. */
const moves: Readonly<Record<string, Readonly<Record<string, Move>>>> = {
  CarePlan: {
    context: renameTo('encounter', (node) =>
      /(?:^|\/)Encounter\/[^/]+(?:\/_history\/[^/]+)?$/.test(stringMember(node, 'reference') ?? ''),
    ),
    'activity.detail.prohibited': renameTo('doNotPerform'),
    'addresses.reference': takeReference,
    'activity.plannedActivityReference': (context) => {
      const activity = locate(context.root, context.tokens.slice(0, -1));
      return member(activity, 'detail') ? undefined : renameTo('reference')(context);
    },
    'activity.performedActivity': splitPerformed,
  },
  Composition: {
    class: (context) => {
      const { root, tokens, node } = context;
      return renameTo('category')({ ...context, root: replaceNode(root, tokens, listOf(node)) });
    },
    'attester.mode': takeItem,
    subject: takeItem,
    'event.detail.reference': takeReference,
  },
};

/** Fix for elements of other releases of FHIR. */
export const releaseFixes: readonly Fix[] = [
  {
    rule: releaseRule,
    label: 'Move elements of other FHIR releases to R4',
    reasonWithoutOptions: 'R4 has no element for the same content.',
    listOptions: (context) => {
      const { root, tokens, node } = context;
      const type = stringMember(root, 'resourceType') ?? '';
      const path = tokens.filter((token) => !/^\d+$/.test(token)).join('.');
      const fixedRoot = node && moves[type]?.[path]?.({ ...context, node });
      return fixedRoot ? [{ id: releaseRule, label: 'Move to R4', fixedRoot }] : [];
    },
  },
];
