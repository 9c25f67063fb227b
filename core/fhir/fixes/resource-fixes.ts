import { setMemberAt, replaceNode, removeElement } from '../../json/edit.ts';
import { items, member, stringMember, type JsonNode } from '../../json/node.ts';
import { locate } from '../../json/pointer.ts';
import { createExclusiveOptions, createRemoval, replaceText } from './element-fixes.ts';
import { createUnfixable, nodeOf, textOf, type Fix, type FixContext, type FixOption } from './fix.ts';

/** Appends items to a list at the top level of the record. Creates a missing list. */
function append(root: JsonNode, tokens: readonly string[], addedItems: readonly JsonNode[]): JsonNode {
  const name = tokens.at(-1) ?? '';
  const existing = locate(root, tokens);
  const list: JsonNode =
    existing?.kind === 'array'
      ? { ...existing, items: [...existing.items, ...addedItems] }
      : { kind: 'array', items: [...addedItems], start: 0, end: 0 };
  const parent = tokens.slice(0, -1);
  const base = locate(root, parent) ? root : setMemberAt(root, [], parent.at(-1) ?? '', nodeOf({}));
  return setMemberAt(base, parent, name, list);
}

/** Moves the security labels of a contained resource to the record. */
function raiseLabels({ root, tokens, node }: FixContext): readonly FixOption[] {
  const labels = items(member(member(node, 'meta'), 'security'));
  const label = 'Move the label to the record';
  const cleared = removeElement(root, [...tokens, 'meta', 'security']);
  return [{ id: 'dom-5', label, fixedRoot: append(cleared, ['meta', 'security'], labels) }];
}

function raiseContained({ root, tokens, node }: FixContext): readonly FixOption[] {
  const inner = items(member(node, 'contained'));
  const cleared = removeElement(root, [...tokens, 'contained']);
  return [
    {
      id: 'dom-2=raise',
      label: 'Move the inner resource to the record',
      fixedRoot: append(cleared, ['contained'], inner),
    },
    { id: 'dom-2=remove', label: 'Remove the inner resource', fixedRoot: cleared },
  ];
}

/** Removes the narrative of a finding if it is generated, because it can be generated again. */
function removeGenerated(rule: string) {
  return ({ root, tokens }: FixContext): readonly FixOption[] => {
    const narrative = tokens.at(-1) === 'div' ? tokens.slice(0, -1) : tokens;
    if (stringMember(locate(root, narrative), 'status') !== 'generated') return [];
    return [{ id: rule, label: 'Remove generated narrative', fixedRoot: removeElement(root, narrative) }];
  };
}

/** Fixes of the record, contained resources, narratives and rules of the types. */
export const resourceFixes: readonly Fix[] = [
  createUnfixable('r4-invariant', 'Only the source can tell which element is wrong.'),
  createUnfixable('r4-advice', 'This is advice, and may be intended.'),
  createUnfixable('contained-type', 'Only the source knows the type.'),
  createUnfixable('contained-twice', 'Only the source can tell which of the two a reference means.'),
  {
    rule: 'dom-2',
    label: 'Move nested contained resources to the record',
    reasonWithoutOptions: 'Each depends on the other.',
    listOptions: raiseContained,
  },
  {
    rule: 'dom-3',
    label: 'Remove unreferenced contained resources',
    reasonWithoutOptions: 'Another contained resource references it.',
    listOptions: createRemoval('dom-3', 'Remove contained resource'),
  },
  {
    rule: 'dom-4',
    label: 'Remove version and date from contained resources',
    reasonWithoutOptions: 'Its meta is not readable.',
    listOptions: createRemoval(
      'dom-4',
      'Remove version and date',
      ['meta', 'versionId'],
      ['meta', 'lastUpdated'],
    ),
  },
  {
    rule: 'dom-5',
    label: 'Move security labels from contained resources to the record',
    reasonWithoutOptions: 'Its meta is not readable.',
    listOptions: raiseLabels,
  },
  {
    rule: 'cpl-3',
    label: 'Keep either detail or reference',
    reasonWithoutOptions: 'Only someone who knows the plan can tell which one is right.',
    listOptions: createExclusiveOptions('cpl-3', ['detail', 'reference']),
  },
  createUnfixable('completed-without-end', 'Only someone who knows the plan can tell when it ended.'),
  {
    rule: 'plan-overdue',
    label: 'Set status to completed',
    reasonWithoutOptions: 'Only someone who knows the plan can tell whether it continues.',
    listOptions: ({ root }) => [
      {
        id: 'plan-overdue',
        label: 'Set status to completed',
        fixedRoot: replaceNode(root, ['status'], nodeOf('completed')),
      },
    ],
  },
  createUnfixable('final-without-attester', 'Only the attester can attest a document.'),
  createUnfixable('final-without-section', 'Only the author knows what the document should say.'),
  {
    rule: 'txt-1',
    label: 'Remove invalid generated narratives',
    reasonWithoutOptions: 'A person wrote this narrative. Removing part of it could change its meaning.',
    listOptions: removeGenerated('txt-1'),
  },
  {
    rule: 'txt-2',
    label: 'Remove empty generated narratives',
    reasonWithoutOptions: 'Only the author knows what the narrative should say.',
    listOptions: removeGenerated('txt-2'),
  },
  {
    rule: 'narrative-namespace',
    label: 'Add the XHTML namespace',
    reasonWithoutOptions: 'The narrative doesn’t start with a div.',
    listOptions: (context) => [
      replaceText(
        context,
        'narrative-namespace',
        textOf(context.node)?.replace(/^(\s*<div)(?=[\s>])/, '$1 xmlns="http://www.w3.org/1999/xhtml"'),
        'Add the XHTML namespace',
      ),
    ],
  },
  {
    rule: 'narrative-stale',
    label: 'Remove outdated generated narratives',
    reasonWithoutOptions: 'A person wrote this narrative. Only a person can tell whether it is still right.',
    listOptions: removeGenerated('narrative-stale'),
  },
];
