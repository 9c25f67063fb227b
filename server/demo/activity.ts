import type { ActivityTemplate, Amount } from './care-plan-template.ts';
import { Decimal, type JsonObject } from './encode.ts';
import type { Random, Weights } from './random.ts';
import { concept, refer } from './terms.ts';

export type CarePlanStatus =
  | 'draft'
  | 'active'
  | 'on-hold'
  | 'revoked'
  | 'completed'
  | 'entered-in-error'
  | 'unknown';

type ActivityStatus =
  | 'not-started'
  | 'scheduled'
  | 'in-progress'
  | 'on-hold'
  | 'completed'
  | 'cancelled'
  | 'stopped'
  | 'unknown'
  | 'entered-in-error';

const statuses: Readonly<Record<CarePlanStatus, Weights<ActivityStatus>>> = {
  draft: { 'not-started': 80, scheduled: 20 },
  active: { 'in-progress': 60, scheduled: 20, 'not-started': 10, completed: 10 },
  'on-hold': { 'on-hold': 80, completed: 20 },
  revoked: { stopped: 60, cancelled: 40 },
  completed: { completed: 88, stopped: 7, cancelled: 5 },
  'entered-in-error': { 'entered-in-error': 100 },
  unknown: { unknown: 100 },
};

/**
 * Generates an element of CarePlan.activity with a line for the narrative. It contains a detail or,
 * sometimes, a reference to a request outside the clinic, but never both (FHIR R4 cpl-3).
 */
export function activity(
  random: Random,
  template: ActivityTemplate,
  plan: CarePlanStatus,
  number: string,
): { json: JsonObject; label: string } {
  const { kind, text, code, description, every: frequency, when, product, daily, supply, avoid } = template;
  const status = random.weighted(statuses[plan]);
  const label = `${avoid ? 'Avoid: ' : ''}${text}${when === undefined ? '' : ` (${when})`}`;
  if (!avoid && random.chance(14)) {
    return { label, json: { reference: refer(kind, `demo-request-${number}`, text) } };
  }
  const detail: JsonObject = {
    kind,
    code: concept(code, text),
    status,
    doNotPerform: avoid,
    scheduledTiming: frequency && {
      repeat: { frequency: frequency[0], period: frequency[1], periodUnit: frequency[2] },
    },
    scheduledString: when,
    productCodeableConcept: product === undefined ? undefined : concept(undefined, product),
    dailyAmount: daily && quantity(random, daily),
    quantity: supply && quantity(random, supply),
    description,
  };
  return { label, json: { detail } };
}

/** Returns a Quantity with the digits of the table. */
function quantity(random: Random, { values, unit, code }: Amount): JsonObject {
  return { value: new Decimal(random.pick(values)), unit, system: 'http://unitsofmeasure.org', code };
}
