import { inserted, replaced, without } from '../../json/edit.ts';
import { items, member, stringMember, type JsonNode } from '../../json/node.ts';
import { locate } from '../../json/pointer.ts';
import { keepOne, remove, retext } from './element-fixes.ts';
import { never, nodeOf, textOf, type Fix, type FixPlace, type Way } from './fix.ts';

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
function raiseLabels({ root, tokens, node }: FixPlace): readonly Way[] {
  const labels = items(member(member(node, 'meta'), 'security'));
  const words = 'Set the label on the record itself';
  const cleared = without(root, [...tokens, 'meta', 'security']);
  return [{ id: 'dom-5', words, root: appended(cleared, ['meta', 'security'], labels) }];
}

function raiseContained({ root, tokens, node }: FixPlace): readonly Way[] {
  const inner = items(member(node, 'contained'));
  const cleared = without(root, [...tokens, 'contained']);
  return [
    {
      id: 'dom-2=raise',
      words: 'List the inner one in the record itself',
      root: appended(cleared, ['contained'], inner),
    },
    { id: 'dom-2=remove', words: 'Remove the inner one', root: cleared },
  ];
}

/** The narrative of a finding on it or on its div: what was generated can be generated again. */
function removeGenerated(rule: string) {
  return ({ root, tokens }: FixPlace): readonly Way[] => {
    const narrative = tokens.at(-1) === 'div' ? tokens.slice(0, -1) : tokens;
    if (stringMember(locate(root, narrative), 'status') !== 'generated') return [];
    return [{ id: rule, words: 'Remove the generated narrative', root: without(root, narrative) }];
  };
}

/** Fixes of the record, of what it contains, of its text for readers, and of what the types ask for. */
export const resourceFixes: readonly Fix[] = [
  never('r4-invariant', 'Which of its elements is wrong is known to the source alone.'),
  never('r4-advice', 'What is only advised against may be meant so.'),
  never('contained-type', 'Only the source says what the resource is.'),
  never('contained-twice', 'Only the source says which of the two a reference means.'),
  {
    rule: 'dom-2',
    words: 'List inner contained resources in the record itself',
    none: 'Both would be lost without each other.',
    ways: raiseContained,
  },
  {
    rule: 'dom-3',
    words: 'Remove contained resources that nothing refers to',
    none: 'Another contained resource refers to it.',
    ways: remove('dom-3', 'Remove the contained resource'),
  },
  {
    rule: 'dom-4',
    words: 'Remove version and time of contained resources',
    none: 'Its meta cannot be read.',
    ways: remove('dom-4', 'Remove its version and time', ['meta', 'versionId'], ['meta', 'lastUpdated']),
  },
  {
    rule: 'dom-5',
    words: 'Set labels of contained resources on the record itself',
    none: 'Its meta cannot be read.',
    ways: raiseLabels,
  },
  {
    rule: 'cpl-3',
    words: 'Keep one of detail and reference',
    none: 'Only who knows the plan can say which of the two is right.',
    ways: keepOne('cpl-3', ['detail', 'reference']),
  },
  never('completed-without-end', 'Only who knows the plan knows when it ended.'),
  {
    rule: 'plan-overdue',
    words: 'Set the status to completed',
    none: 'Only who knows the plan can say whether it goes on.',
    ways: ({ root }) => [
      {
        id: 'plan-overdue',
        words: 'Set the status to completed',
        root: replaced(root, ['status'], nodeOf('completed')),
      },
    ],
  },
  never('final-without-attester', 'Nobody but the attester can attest a document.'),
  never('final-without-section', 'Only its author knows what the document was to say.'),
  {
    rule: 'txt-1',
    words: 'Remove generated narratives that break the rules',
    none: 'A person wrote this narrative; removing a part of it could change what it says.',
    ways: removeGenerated('txt-1'),
  },
  {
    rule: 'txt-2',
    words: 'Remove generated narratives that show nothing',
    none: 'Only its author knows what the narrative was to say.',
    ways: removeGenerated('txt-2'),
  },
  {
    rule: 'narrative-namespace',
    words: 'Declare the namespace',
    none: 'The narrative does not begin with a div.',
    ways: (place) => [
      retext(
        place,
        'narrative-namespace',
        textOf(place.node)?.replace(/^(\s*<div)(?=[\s>])/, '$1 xmlns="http://www.w3.org/1999/xhtml"'),
        'Declare the XHTML namespace',
      ),
    ],
  },
  {
    rule: 'narrative-stale',
    words: 'Remove generated narratives that are out of date',
    none: 'A person wrote this narrative; only a person can say whether it still holds.',
    ways: removeGenerated('narrative-stale'),
  },
];
