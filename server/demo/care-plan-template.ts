/**
 * The kinds of care plans that the demo clinic has: care-plans.json, read by a schema, so that a kind, a setting or a member that is
 * none ends the start of whoever generates.
 */
import * as v from 'valibot';
import type { Shape } from '../../core/json/shape.ts';
import plans from './care-plans.json' with { type: 'json' };

const Coding = v.strictObject({ system: v.string(), code: v.string(), display: v.string() });
const Texts = v.array(v.string());

/** One of the values is taken, its digits as they stand; `code` is UCUM. */
const Amount = v.strictObject({ values: Texts, unit: v.string(), code: v.string() });

const ActivityTemplate = v.strictObject({
  /** A code of FHIR R4 care-plan-activity-kind; it is also the type of a request. */
  kind: v.picklist(['Appointment', 'MedicationRequest', 'NutritionOrder', 'ServiceRequest', 'Task']),
  text: v.string(),
  code: v.exactOptional(Coding),
  description: v.exactOptional(v.string()),
  /** So many times in a period: frequency, period and its unit; `[2, 1, 'd']` is twice a day. */
  every: v.exactOptional(v.strictTuple([v.number(), v.number(), v.picklist(['h', 'd', 'wk', 'mo'])])),
  when: v.exactOptional(v.string()),
  product: v.exactOptional(v.string()),
  daily: v.exactOptional(Amount),
  supply: v.exactOptional(Amount),
  /** What must not be done. */
  avoid: v.exactOptional(v.literal(true)),
});

/** One kind of care plan, with what the documents about the same problem say. */
const CarePlanTemplate = v.strictObject({
  key: v.string(),
  title: v.string(),
  problem: v.string(),
  category: v.exactOptional(Coding),
  settings: v.array(v.picklist(['clinic', 'ward', 'home'])),
  /** The youngest and the oldest when the clinic opens; the records reach almost four years further. */
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
  /** What an examiner writes about the problem. */
  findings: Texts,
});

export type Amount = Shape<typeof Amount>;
export type ActivityTemplate = Shape<typeof ActivityTemplate>;
export type CarePlanTemplate = Shape<typeof CarePlanTemplate>;

/** Every kind of care plan that patients have. */
export const carePlanTemplates: readonly CarePlanTemplate[] = v.parse(v.array(CarePlanTemplate), plans);
