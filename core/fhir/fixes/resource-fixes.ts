import { inserted, replaced, without } from '../../json/edit.ts';
import { items, member, stringMember, type JsonNode } from '../../json/node.ts';
import { locate } from '../../json/pointer.ts';
import { keepOne, remove, retext } from './element-fixes.ts';
import { never, nodeOf, textOf, type Fix, type FixContext, type FixOption } from './fix.ts';

/** Appends items to a list at the record's own level, which is made where there is none. */
function appended(root: JsonNode, tokens: readonly string[], added: readonly JsonNode[]): JsonNode {
  const name = tokens.at(-1) ?? '';
  const held = locate(root, tokens);
  const list: JsonNode =
    held?.kind === 'array'
      ? { ...held, items: [...held.items, ...added] }
      : { kind: 'array', items: [...added], start: 0, end: 0 };
  const parent = tokens.slice(0, -1);
  const whole = locate(root, parent) ? root : inserted(root, [], parent.at(-1) ?? '', nodeOf({}));
  return inserted(whole, parent, name, list);
}

/** The labels of a contained resource stand on the record itself. */
function raiseLabels({ root, tokens, node }: FixContext): readonly FixOption[] {
  const labels = items(member(member(node, 'meta'), 'security'));
  const words = 'Move the label to the record';
  const cleared = without(root, [...tokens, 'meta', 'security']);
  return [{ id: 'dom-5', words, root: appended(cleared, ['meta', 'security'], labels) }];
}

function raiseContained({ root, tokens, node }: FixContext): readonly FixOption[] {
  const inner = items(member(node, 'contained'));
  const cleared = without(root, [...tokens, 'contained']);
  return [
    {
      id: 'dom-2=raise',
      words: 'Move the inner resource to the record',
      root: appended(cleared, ['contained'], inner),
    },
    { id: 'dom-2=remove', words: 'Remove the inner resource', root: cleared },
  ];
}

/** The narrative of a finding on it or on its div: what was generated can be generated again. */
function removeGenerated(rule: string) {
  return ({ root, tokens }: FixContext): readonly FixOption[] => {
    const narrative = tokens.at(-1) === 'div' ? tokens.slice(0, -1) : tokens;
    if (stringMember(locate(root, narrative), 'status') !== 'generated') return [];
    return [{ id: rule, words: 'Remove generated narrative', root: without(root, narrative) }];
  };
}

/** Fixes of the record, of what it contains, of its text for readers, and of what the types ask for. */
export const resourceFixes: readonly Fix[] = [
  never('r4-invariant', 'Only the source can tell which element is wrong.'),
  never('r4-advice', 'This is advice, and may be intended.'),
  never('contained-type', 'Only the source knows the type.'),
  never('contained-twice', 'Only the source can tell which of the two a reference means.'),
  {
    rule: 'dom-2',
    words: 'Move nested contained resources to the record',
    none: 'Each depends on the other.',
    ways: raiseContained,
  },
  {
    rule: 'dom-3',
    words: 'Remove unreferenced contained resources',
    none: 'Another contained resource references it.',
    ways: remove('dom-3', 'Remove contained resource'),
  },
  {
    rule: 'dom-4',
    words: 'Remove version and date from contained resources',
    none: 'Its meta is not readable.',
    ways: remove('dom-4', 'Remove version and date', ['meta', 'versionId'], ['meta', 'lastUpdated']),
  },
  {
    rule: 'dom-5',
    words: 'Move security labels from contained resources to the record',
    none: 'Its meta is not readable.',
    ways: raiseLabels,
  },
  {
    rule: 'cpl-3',
    words: 'Keep either detail or reference',
    none: 'Only someone who knows the plan can tell which one is right.',
    ways: keepOne('cpl-3', ['detail', 'reference']),
  },
  never('completed-without-end', 'Only someone who knows the plan can tell when it ended.'),
  {
    rule: 'plan-overdue',
    words: 'Set status to completed',
    none: 'Only someone who knows the plan can tell whether it continues.',
    ways: ({ root }) => [
      {
        id: 'plan-overdue',
        words: 'Set status to completed',
        root: replaced(root, ['status'], nodeOf('completed')),
      },
    ],
  },
  never('final-without-attester', 'Only the attester can attest a document.'),
  never('final-without-section', 'Only the author knows what the document should say.'),
  {
    rule: 'txt-1',
    words: 'Remove invalid generated narratives',
    none: 'A person wrote this narrative. Removing part of it could change its meaning.',
    ways: removeGenerated('txt-1'),
  },
  {
    rule: 'txt-2',
    words: 'Remove empty generated narratives',
    none: 'Only the author knows what the narrative should say.',
    ways: removeGenerated('txt-2'),
  },
  {
    rule: 'narrative-namespace',
    words: 'Add the XHTML namespace',
    none: 'The narrative doesn’t start with a div.',
    ways: (place) => [
      retext(
        place,
        'narrative-namespace',
        textOf(place.node)?.replace(/^(\s*<div)(?=[\s>])/, '$1 xmlns="http://www.w3.org/1999/xhtml"'),
        'Add the XHTML namespace',
      ),
    ],
  },
  {
    rule: 'narrative-stale',
    words: 'Remove outdated generated narratives',
    none: 'A person wrote this narrative. Only a person can tell whether it is still right.',
    ways: removeGenerated('narrative-stale'),
  },
];
