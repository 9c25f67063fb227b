import { inserted, replaced, without } from '../../json/edit.ts';
import { items, member, stringMember, type JsonNode } from '../../json/node.ts';
import { remove } from './element-fixes.ts';
import { nodeOf, never, type Fix, type FixPlace, type Way } from './fix.ts';

/** Two members change places. */
function swap(rule: string, names: readonly [string, string], words: string): Fix {
  return {
    rule,
    words,
    none: 'Only the source says which of the two is right.',
    ways: ({ root, tokens, node }) => {
      const [one, other] = [member(node, names[0]), member(node, names[1])];
      if (!one || !other) return [];
      const first = replaced(root, [...tokens, names[0]], other);
      return [{ id: rule, words, root: replaced(first, [...tokens, names[1]], one) }];
    },
  };
}

/** The system of a contact point, by the form of its value. */
function systemsOf(value: string): readonly string[] {
  if (/^[^\s@]+@[^\s@]+$/.test(value)) return ['email'];
  if (/^https?:\/\//.test(value)) return ['url'];
  return /^[+()\d][\d\s()./+-]*$/.test(value) ? ['phone', 'fax', 'sms'] : [];
}

/** The kind of encoded data, by its first bytes. */
const kinds: readonly (readonly [start: string, kind: string])[] = [
  ['JVBER', 'application/pdf'],
  ['iVBORw', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['PD94bW', 'application/xml'],
];

function add(place: FixPlace, id: string, words: string, name: string, value: unknown): Way {
  return { id, words, root: inserted(place.root, place.tokens, name, nodeOf(value)) };
}

function extension({ root, tokens, node }: FixPlace): readonly Way[] {
  const value = (node?.kind === 'object' ? node.members : []).filter(({ key }) => /^_?value[A-Z]/.test(key));
  if (value.length === 0) {
    return [{ id: 'ext-1=remove', words: 'Remove the extension', root: without(root, tokens) }];
  }
  const alone = value.reduce<JsonNode>((left, { key }) => without(left, [...tokens, key]), root);
  return [
    { id: 'ext-1=value', words: 'Keep its value alone', root: without(root, [...tokens, 'extension']) },
    { id: 'ext-1=extension', words: 'Keep its extensions alone', root: alone },
  ];
}

/** Fixes of the invariants of data types. */
export const datatypeFixes: readonly Fix[] = [
  {
    rule: 'ext-1',
    words: 'Remove extensions that say nothing',
    none: 'Only who wrote the extension knows what it was to say.',
    ways: extension,
  },
  swap('per-1', ['start', 'end'], 'Swap start and end'),
  {
    rule: 'qty-3',
    words: 'Add UCUM as the system of the unit',
    none: 'Only the source says from which system the unit is.',
    ways: (place) => [add(place, 'qty-3', 'Add UCUM as the system', 'system', 'http://unitsofmeasure.org')],
  },
  swap('rng-2', ['low', 'high'], 'Swap the limits'),
  never('rat-1', 'Only the source knows the other half of the ratio.'),
  {
    rule: 'cpt-2',
    words: 'Add the system that the value has the form of',
    none: 'The value has the form of no system.',
    ways: (place) =>
      systemsOf(stringMember(place.node, 'value') ?? '').map((system) =>
        add(place, `cpt-2=${system}`, `Add the system ${system}`, 'system', system),
      ),
  },
  {
    rule: 'att-1',
    words: 'Add the kind of the data, where its first bytes tell it',
    none: 'The first bytes of the data do not tell its kind.',
    ways: (place) =>
      kinds
        .filter(([start]) => stringMember(place.node, 'data')?.startsWith(start))
        .map(([, kind]) => add(place, `att-1=${kind}`, `Add the kind ${kind}`, 'contentType', kind)),
  },
  {
    rule: 'ref-1',
    words: 'Refer to the contained resource by its id',
    none: 'No contained resource has an id like this.',
    ways: ({ root, tokens, node }) => {
      const said = (node?.kind === 'string' ? node.value : '').replace(/^#(?:[A-Z][A-Za-z]*\/)?/, '');
      return items(member(root, 'contained'))
        .map((one) => stringMember(one, 'id') ?? '')
        .filter((id) => id.replace(/^#/, '').toLowerCase() === said.toLowerCase())
        .map((id) => ({
          id: 'ref-1',
          words: `Refer to #${id.replace(/^#/, '')}`,
          root: replaced(root, tokens, nodeOf(`#${id.replace(/^#/, '')}`)),
        }));
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
