import { items, member, stringMember, type JsonNode } from '../../json/node.ts';
import { isInUse } from '../names.ts';
import { bareName, resourceName } from '../resource-name.ts';
import { valueText } from './value-text.ts';

export interface ResourceDetail {
  /** Subject of the detail. */
  readonly kind: (typeof elements)[number][0] | 'city' | 'due';
  /** Text as written: dates in R4's format, a period with both ends. */
  readonly text: string;
}

/** Summary of a resource of any R4 type. */
export interface ResourceCard {
  readonly type: string;
  /** Name with modifiers; empty without either. */
  readonly name: string;
  /** Negating words at the beginning of the name. */
  readonly before?: string;
  /** Name without modifiers. Only for comparisons. */
  readonly bareName: string;
  readonly facts: readonly ResourceDetail[];
}

/** Text of `died` if the record has no date. */
export const diedUndated = 'true';

/** Elements of each fact, in order of preference. */
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
      'startDate',
      'onsetDateTime',
      'effectiveDateTime',
      'performedDateTime',
      'occurrenceDateTime',
      'authoredOn',
      'recordedDate',
      'date',
      'issued',
      'created',
      'start',
    ],
  ],
  ['end', ['abatementDateTime', 'end']],
  ['value', ['valueQuantity', 'valueCodeableConcept', 'valueString', 'valueBoolean', 'valueInteger']],
  ['qualification', ['qualification', 'specialty']],
  ['contact', ['telecom']],
  ['identifier', ['identifier']],
  ['id', ['id']],
] as const satisfies readonly (readonly [kind: string, keys: readonly string[]])[];

/** Summarizes a resource of any shape. */
export function resourceCardOf(root: JsonNode): ResourceCard {
  const type = stringMember(root, 'resourceType') ?? '';
  const bare = bareName(root);
  const { name, before } = resourceName(root);
  const facts = elements.flatMap(([kind, keys]): ResourceDetail[] => {
    const text = keys
      .map((key) => valueText(member(root, key)))
      .find((valueLine) => valueLine !== '' && valueLine !== bare);
    // A living person has no fact about a death.
    return text === undefined || (kind === 'died' && text === 'false') ? [] : [{ kind, text }];
  });
  const due = items(member(root, 'target'))
    .map((target) => stringMember(target, 'dueDate'))
    .find(Boolean);
  const cities = [...new Set(items(member(root, 'address')).map(cityOf))].filter(Boolean).join(', ');
  const furtherFacts: readonly ResourceDetail[] = [
    { kind: 'city', text: cities },
    { kind: 'due', text: due ?? '' },
  ];
  const head = { type, name, ...(before !== '' && { before }), bareName: bare };
  return { ...head, facts: [...facts, ...furtherFacts.filter(({ text }) => text !== '')] };
}

/** Returns the city of an Address in use (FHIR R4 datatypes.html#Address). */
function cityOf(node: JsonNode): string {
  return isInUse(node) ? (stringMember(node, 'city') ?? '') : '';
}
