import { items, member, stringMember, type JsonNode } from '../../json/node.ts';
import { isInUse } from '../names.ts';
import { bareName, resourceName } from '../resource-name.ts';
import { valueText } from './value-text.ts';

export interface ResourceFact {
  /** What it is about. */
  readonly kind: (typeof elements)[number][0] | 'city' | 'due';
  /** As it is written: dates are R4's, a period has its two ends. */
  readonly text: string;
}

/** A resource of any type of R4 in a few lines. */
export interface ResourceCard {
  readonly type: string;
  /** With what changes its meaning; blank where there are neither. */
  readonly name: string;
  /** The words at the head of the name that negate it; absent where none do. */
  readonly before?: string;
  /** Without modifiers: to compare, never to show. */
  readonly bareName: string;
  readonly facts: readonly ResourceFact[];
}

/** What `died` says where the record knows no day. */
export const diedUndated = 'true';

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
  const bare = bareName(root);
  const { name, before } = resourceName(root);
  const facts = elements.flatMap(([kind, keys]): ResourceFact[] => {
    const text = keys.map((key) => valueText(member(root, key))).find((one) => one !== '' && one !== bare);
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
  const head = { type, name, ...(before !== '' && { before }), bareName: bare };
  return { ...head, facts: [...facts, ...more.filter(({ text }) => text !== '')] };
}

/** An Address (FHIR R4 datatypes.html#Address) by its place alone, where somebody still lives there. */
function cityOf(node: JsonNode): string {
  return isInUse(node) ? (stringMember(node, 'city') ?? '') : '';
}
