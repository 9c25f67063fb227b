import { items, member, stringMember, type JsonNode } from '../../json/node.ts';
import { isInUse } from '../names.ts';
import { getNameWithoutModifiers, resourceName } from '../resource-name.ts';
import { valueText } from './value-text.ts';

export interface ResourceFact {
  /** Meaning of the text, such as `born`. */
  readonly kind: (typeof elementsByFact)[number][0] | 'city' | 'due';
  /** Text for display. Dates stay in R4's format, and a period has both ends. */
  readonly text: string;
}

/** Summary of a resource of any R4 type. */
export interface ResourceCard {
  readonly type: string;
  /** Name with its modifiers, such as a negation; empty without a name and modifiers. */
  readonly name: string;
  /** Negating words at the beginning of the name. */
  readonly negation?: string;
  /** Name without modifiers. Only for comparisons. */
  readonly nameWithoutModifiers: string;
  readonly facts: readonly ResourceFact[];
}

/** Text of the fact `died` if the record has only `deceasedBoolean`. */
export const deathWithoutDate = 'true';

/** Elements of each fact, in order of preference. */
const elementsByFact = [
  ['status', ['clinicalStatus', 'lifecycleStatus', 'status', 'achievementStatus']],
  ['gender', ['gender']],
  ['born', ['birthDate']],
  ['died', ['deceasedDateTime', 'deceasedBoolean']],
  ['category', ['class', 'type', 'category']],
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
  const nameWithoutModifiers = getNameWithoutModifiers(root);
  const { name, negation } = resourceName(root);
  const facts = elementsByFact.flatMap(([kind, keys]): ResourceFact[] => {
    const text = keys
      .map((key) => valueText(member(root, key)))
      // A text that only repeats the name is no fact.
      .find((candidate) => candidate !== '' && candidate !== nameWithoutModifiers);
    // A living person has no fact about a death.
    return text === undefined || (kind === 'died' && text === 'false') ? [] : [{ kind, text }];
  });
  const firstDueDate = items(member(root, 'target'))
    .map((target) => stringMember(target, 'dueDate'))
    .find(Boolean);
  const cities = [...new Set(items(member(root, 'address')).map(cityOf))].filter(Boolean).join(', ');
  const computedFacts: readonly ResourceFact[] = [
    { kind: 'city', text: cities },
    { kind: 'due', text: firstDueDate ?? '' },
  ];
  return {
    type,
    name,
    ...(negation !== '' && { negation }),
    nameWithoutModifiers,
    facts: [...facts, ...computedFacts.filter(({ text }) => text !== '')],
  };
}

/** Returns the city of an Address in use (FHIR R4 datatypes.html#Address). */
function cityOf(node: JsonNode): string {
  return isInUse(node) ? (stringMember(node, 'city') ?? '') : '';
}
