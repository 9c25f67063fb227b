import { items, member, stringMember, type JsonNode } from '../../json/node.ts';
import { nameOf, ownName } from '../names.ts';

export interface ResourceFact {
  /** What it is about. */
  readonly kind: (typeof elements)[number][0] | 'city' | 'due';
  /** As it is written: dates are R4's, a period has its two ends. */
  readonly text: string;
}

/** A resource of any type of R4 in a few lines. */
export interface ResourceCard {
  readonly type: string;
  /** Blank where it says none. */
  readonly name: string;
  readonly facts: readonly ResourceFact[];
}

/** What `died` says where the record knows no day. */
export const diedUndated = 'true';

/** Elements that say what a resource is called, where it has no name of its own; the first that does is taken. */
const naming = [
  'title',
  'description',
  'code',
  'type',
  'class',
  'serviceType',
  'vaccineCode',
  'event',
  'category',
];
/** Medications are named by a concept, or by a reference with a display. */
const namingChoices = ['medicationCodeableConcept', 'medicationReference', 'productCodeableConcept'];

/** The elements that tell each fact, in the order in which they are looked for. */
const elements = [
  ['status', ['clinicalStatus', 'lifecycleStatus', 'status', 'achievementStatus']],
  ['gender', ['gender']],
  ['born', ['birthDate']],
  ['died', ['deceasedDateTime', 'deceasedBoolean']],
  ['kind', ['class', 'type', 'category']],
  ['period', ['period', 'effectivePeriod', 'performedPeriod', 'occurrencePeriod', 'servicedPeriod']],
  [
    'date',
    [
      ...['startDate', 'onsetDateTime', 'effectiveDateTime', 'performedDateTime', 'occurrenceDateTime'],
      ...['authoredOn', 'recordedDate', 'date', 'issued', 'created', 'start'],
    ],
  ],
  ['end', ['abatementDateTime', 'end']],
  ['value', ['valueQuantity', 'valueCodeableConcept', 'valueString', 'valueBoolean', 'valueInteger']],
  ['qualification', ['qualification', 'specialty']],
  ['contact', ['telecom']],
  ['identifier', ['identifier']],
  ['id', ['id']],
] as const satisfies readonly (readonly [kind: string, keys: readonly string[]])[];

/** Sums a resource up; tolerates any shape. */
export function resourceCardOf(root: JsonNode): ResourceCard {
  const type = stringMember(root, 'resourceType') ?? '';
  const own = ownName(root);
  const name =
    [own, ...[...naming, ...namingChoices].map((key) => textOf(member(root, key)))].find(Boolean) ?? '';
  const facts = elements.flatMap(([kind, keys]): ResourceFact[] => {
    const text = keys.map((key) => textOf(member(root, key))).find((one) => one !== '' && one !== name);
    // That somebody lives is no fact of a death.
    return text === undefined || (kind === 'died' && text === 'false') ? [] : [{ kind, text }];
  });
  const due = items(member(root, 'target'))
    .map((one) => stringMember(one, 'dueDate'))
    .find(Boolean);
  const cities = [...new Set(items(member(root, 'address')).map(cityOf))].filter(Boolean).join(', ');
  const more: readonly ResourceFact[] = [
    { kind: 'city', text: cities },
    { kind: 'due', text: due ?? '' },
  ];
  return { type, name, facts: [...facts, ...more.filter(({ text }) => text !== '')] };
}

/** What a value of any data type says in a line; blank where it says nothing. */
function textOf(node: JsonNode | undefined): string {
  switch (node?.kind) {
    case 'string':
      return node.value;
    case 'number':
      return node.source;
    case 'boolean':
      return String(node.value);
    case 'array':
      return [...new Set(node.items.slice(0, 3).map(textOf))].filter(Boolean).join(', ');
    case 'object':
      return ofObject(node);
    case 'null':
    case undefined:
      return '';
  }
}

function ofObject(node: JsonNode): string {
  const [start, end] = [stringMember(node, 'start'), stringMember(node, 'end')];
  if (start !== undefined || end !== undefined) return `${start ?? '…'} – ${end ?? '…'}`;
  const value = member(node, 'value');
  if (value?.kind === 'number')
    return [value.source, stringMember(node, 'unit') ?? ''].filter(Boolean).join(' ');
  const named = [
    identifierOf(node),
    nameOf(node),
    textOf(member(node, 'code')),
    ...items(member(node, 'coding')).map((coding) => stringMember(coding, 'code') ?? ''),
  ];
  return [...named, value?.kind === 'string' ? value.value : ''].find(Boolean) ?? '';
}

/** An Address (FHIR R4 datatypes.html#Address) by its place alone, where somebody still lives there. */
function cityOf(node: JsonNode): string {
  return stringMember(node, 'use') === 'old' ? '' : (stringMember(node, 'city') ?? '');
}

/** An Identifier (FHIR R4 datatypes.html#Identifier) with what kind of number it is. */
function identifierOf(node: JsonNode): string {
  const [value, type] = [stringMember(node, 'value'), member(node, 'type')];
  const kind = type && textOf(type);
  return value !== undefined && kind ? `${value} (${kind})` : '';
}
