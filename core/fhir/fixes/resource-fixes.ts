import { setMemberAt, replaceNode, removeElement } from '../../json/edit.ts';
import { items, member, stringMember, type JsonNode } from '../../json/node.ts';
import { locate } from '../../json/pointer.ts';
import { createExclusiveOptions, createRemovalOptions, createTextReplacement } from './element-fixes.ts';
import { createUnfixable, nodeOf, textOf, type Fix, type FixContext, type FixOption } from './fix.ts';

/** Appends items to a list of the record, such as `meta.security`. Creates the list and its parent if missing. */
function append(root: JsonNode, tokens: readonly string[], addedItems: readonly JsonNode[]): JsonNode {
  const name = tokens.at(-1) ?? '';
  const existing = locate(root, tokens);
  const list: JsonNode =
    existing?.kind === 'array'
      ? { ...existing, items: [...existing.items, ...addedItems] }
      : { kind: 'array', items: [...addedItems], start: 0, end: 0 };
  const parent = tokens.slice(0, -1);
  const rootWithParent = locate(root, parent) ? root : setMemberAt(root, [], parent.at(-1) ?? '', nodeOf({}));
  return setMemberAt(rootWithParent, parent, name, list);
}

/** Lists the option that moves the security labels of a contained resource to the record. */
function listLabelOptions({ root, tokens, node }: FixContext): readonly FixOption[] {
  const securityLabels = items(member(member(node, 'meta'), 'security'));
  const rootWithoutLabels = removeElement(root, [...tokens, 'meta', 'security']);
  return [
    {
      id: 'dom-5',
      label: 'Move the label to the record',
      fixedRoot: append(rootWithoutLabels, ['meta', 'security'], securityLabels),
    },
  ];
}

/** Lists the options that move the nested resources of a contained resource to the record, or remove them. */
function listContainedOptions({ root, tokens, node }: FixContext): readonly FixOption[] {
  const innerResources = items(member(node, 'contained'));
  const rootWithoutContained = removeElement(root, [...tokens, 'contained']);
  return [
    {
      id: 'dom-2=raise',
      label: 'Move the inner resource to the record',
      fixedRoot: append(rootWithoutContained, ['contained'], innerResources),
    },
    { id: 'dom-2=remove', label: 'Remove the inner resource', fixedRoot: rootWithoutContained },
  ];
}

/** Creates the option that removes a generated narrative. It can be generated again. */
function createNarrativeRemoval(rule: string) {
  return ({ root, tokens }: FixContext): readonly FixOption[] => {
    const narrative = tokens.at(-1) === 'div' ? tokens.slice(0, -1) : tokens;
    if (stringMember(locate(root, narrative), 'status') !== 'generated') return [];
    return [{ id: rule, label: 'Remove generated narrative', fixedRoot: removeElement(root, narrative) }];
  };
}

/** Fixes for the rules of contained resources and narratives, and for the rules of the types. */
export const resourceFixes: readonly Fix[] = [
  createUnfixable('r4-invariant', 'Only the source can tell which element is wrong.'),
  createUnfixable('r4-advice', 'This is advice, and may be intended.'),
  createUnfixable('contained-type', 'Only the source knows the type.'),
  createUnfixable('contained-twice', 'Only the source can tell which of the two a reference means.'),
  {
    rule: 'dom-2',
    label: 'Move nested contained resources to the record',
    reasonWithoutOptions: 'The contained resources reference each other.',
    listOptions: listContainedOptions,
  },
  {
    rule: 'dom-3',
    label: 'Remove unreferenced contained resources',
    reasonWithoutOptions: 'Another contained resource references it.',
    listOptions: createRemovalOptions('dom-3', 'Remove contained resource'),
  },
  {
    rule: 'dom-4',
    label: 'Remove version and date from contained resources',
    reasonWithoutOptions: 'The meta of the contained resource is not readable.',
    listOptions: createRemovalOptions(
      'dom-4',
      'Remove version and date',
      ['meta', 'versionId'],
      ['meta', 'lastUpdated'],
    ),
  },
  {
    rule: 'dom-5',
    label: 'Move security labels from contained resources to the record',
    reasonWithoutOptions: 'The meta of the contained resource is not readable.',
    listOptions: listLabelOptions,
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
    listOptions: createNarrativeRemoval('txt-1'),
  },
  {
    rule: 'txt-2',
    label: 'Remove empty generated narratives',
    reasonWithoutOptions: 'Only the author knows what the narrative should say.',
    listOptions: createNarrativeRemoval('txt-2'),
  },
  {
    rule: 'narrative-namespace',
    label: 'Add the XHTML namespace',
    reasonWithoutOptions: 'The narrative doesn’t start with a div.',
    listOptions: (context) => [
      createTextReplacement(
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
    listOptions: createNarrativeRemoval('narrative-stale'),
  },
];
