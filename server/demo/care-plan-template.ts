/**
 * Kinds of care plans of the demo clinic, parsed from care-plans.json. An unknown kind, setting or member
 * makes the generator fail at start.
 */
import * as v from 'valibot';
import type { Shape } from '../../core/json/shape.ts';
import plans from './care-plans.json' with { type: 'json' };

const Coding = v.strictObject({ system: v.string(), code: v.string(), display: v.string() });
const Texts = v.array(v.string());

/** One of the values is used with its digits unchanged; `code` is UCUM. */
const Amount = v.strictObject({ values: Texts, unit: v.string(), code: v.string() });

const ActivityTemplate = v.strictObject({
  /** A code of FHIR R4 care-plan-activity-kind, which is also the type of a request. */
  kind: v.picklist(['Appointment', 'MedicationRequest', 'NutritionOrder', 'ServiceRequest', 'Task']),
  text: v.string(),
  code: v.exactOptional(Coding),
  description: v.exactOptional(v.string()),
  /** Frequency, period and unit: `[2, 1, 'd']` is twice a day. */
  every: v.exactOptional(v.strictTuple([v.number(), v.number(), v.picklist(['h', 'd', 'wk', 'mo'])])),
  when: v.exactOptional(v.string()),
  product: v.exactOptional(v.string()),
  daily: v.exactOptional(Amount),
  supply: v.exactOptional(Amount),
  /** Set for an activity that must not be done. */
  avoid: v.exactOptional(v.literal(true)),
});

/** One kind of care plan, with sentences for documents about the same problem. */
const CarePlanTemplate = v.strictObject({
  key: v.string(),
  title: v.string(),
  problem: v.string(),
  category: v.exactOptional(Coding),
  settings: v.array(v.picklist(['clinic', 'ward', 'home'])),
  /** Youngest and oldest age when the clinic opens. The records cover almost four more years. */
  ages: v.strictTuple([v.number(), v.number()]),
  sex: v.exactOptional(v.picklist(['female', 'male'])),
  /** Never twice for one patient. */
  once: v.exactOptional(v.literal(true)),
  /** How long such a plan runs, at least and at most. */
  days: v.strictTuple([v.number(), v.number()]),
  team: v.string(),
  description: v.string(),
  goals: Texts,
  activities: v.array(ActivityTemplate),
  notes: Texts,
  /** Sentences of an examiner about the problem. */
  findings: Texts,
});

export type Amount = Shape<typeof Amount>;
export type ActivityTemplate = Shape<typeof ActivityTemplate>;
export type CarePlanTemplate = Shape<typeof CarePlanTemplate>;

/** Every kind of care plan that patients have. */
export const carePlanTemplates: readonly CarePlanTemplate[] = v.parse(v.array(CarePlanTemplate), plans);
