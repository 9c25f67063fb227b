/** What the demo clinic's plans are made of; as TypeScript, so that a kind, a setting or a unit that is none does not compile. */
import type { Sex } from './names.ts';
import type { Setting } from './settings.ts';
import type { Coding } from './terms.ts';

/** The codes of FHIR R4 care-plan-activity-kind that the plans use; each is also the type of a request. */
type ActivityKind = 'Appointment' | 'MedicationRequest' | 'NutritionOrder' | 'ServiceRequest' | 'Task';

/** One of the values is taken, its digits as they stand; `code` is UCUM. */
export interface Amount {
  readonly values: readonly string[];
  readonly unit: string;
  readonly code: string;
}

export interface ActivityTemplate {
  readonly kind: ActivityKind;
  readonly text: string;
  readonly code?: Coding;
  readonly description?: string;
  /** So many times in a period: `[2, 1, 'd']` is twice a day. */
  readonly every?: readonly [frequency: number, period: number, unit: 'h' | 'd' | 'wk' | 'mo'];
  readonly when?: string;
  readonly product?: string;
  readonly daily?: Amount;
  readonly supply?: Amount;
  /** What must not be done. */
  readonly avoid?: true;
}

/** One kind of care plan, with what the documents about the same problem say. */
export interface CarePlanTemplate {
  readonly key: string;
  readonly title: string;
  readonly problem: string;
  readonly category?: Coding;
  readonly settings: readonly Setting[];
  /** When the clinic opens; the records reach almost four years further. */
  readonly ages: readonly [youngest: number, oldest: number];
  readonly sex?: Sex;
  /** Never twice for one patient. */
  readonly once?: true;
  /** How long such a plan runs. */
  readonly days: readonly [least: number, most: number];
  readonly team: string;
  readonly description: string;
  readonly goals: readonly string[];
  readonly activities: readonly ActivityTemplate[];
  readonly notes: readonly string[];
  /** What an examiner writes about the problem. */
  readonly findings: readonly string[];
}
