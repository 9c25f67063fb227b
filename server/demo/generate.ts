/**
 * server/demo generates an invented clinic: CarePlans and Compositions of patients who do not exist. Called
 * by the CLI, at the first start and by the tests. Invariant: the output depends only on the arguments,
 * byte for byte, so that ids can be documented. More patients never change the records of earlier ones.
 */
import { composition } from './composition.ts';
import { write, omitEmpty, Decimal, type JsonObject } from './encode.ts';
import { createPatient, encounterOf, staffOf, subjectOf, type Patient } from './patient.ts';
import { Random, type Weights } from './random.ts';
import { dateText, dateTimeText, DAY, HOUR, TODAY, type Minute } from './calendar.ts';
import { fill, heading, list, narrative, paragraph, pickLanguage } from './narrative.ts';
import { settings, type Setting } from './settings.ts';
import { concept, identify, refer, snomed, TEST_DATA, type Coding } from './terms.ts';
import type { ActivityTemplate, Amount } from './care-plan-template.ts';

type Intent = 'proposal' | 'plan' | 'order' | 'option';

/** Statuses of plans that have ended, and of plans in progress. */
const endedStatuses: Weights<CarePlanStatus> = {
  completed: 74,
  active: 8,
  revoked: 8,
  'entered-in-error': 4,
  unknown: 3,
  'on-hold': 3,
};
const runningStatuses: Weights<CarePlanStatus> = {
  active: 62,
  draft: 18,
  'on-hold': 9,
  revoked: 5,
  'entered-in-error': 3,
  unknown: 3,
};

const intents: Weights<Intent> = { plan: 84, order: 11, option: 5 };
const draftIntents: Weights<Intent> = { proposal: 60, plan: 40 };
const categories: Readonly<Record<Setting, Coding>> = {
  clinic: snomed('734163000', 'Care plan'),
  ward: snomed('736353004', 'Inpatient care plan'),
  home: snomed('734163000', 'Care plan'),
};

/** The patient's CarePlan of this number (from 1), as a resource of FHIR R4. */
function carePlan(random: Random, id: string, patient: Patient, number: number): JsonObject {
  const plannedCare = patient.plans[number - 1];
  if (!plannedCare) throw new RangeError(`Patient ${patient.id} has no plan ${number}.`);
  const { template, encounter } = plannedCare;
  const { zone, organization } = settings[encounter.setting];
  const slots = { name: patient.name, contact: patient.contact };

  const created =
    encounter.start + random.integerBetween(5, Math.min(encounter.end - encounter.start, 12 * HOUR));
  const due = created + random.integerBetween(...template.days) * DAY;
  const status = random.weighted(due <= TODAY ? endedStatuses : runningStatuses);
  const end = endOf(random, status, created, due);
  const author = staffOf(random, encounter);
  const language = pickLanguage(random);
  const description = `${template.description} Next review in ${random.integerBetween(2, 12)} weeks.`;
  const activities = random
    .pickSome(template.activities, random.integerBetween(2, template.activities.length))
    .map((row, position) => activity(random, row, status, `${patient.number}-${number}-${position + 1}`));
  const goals = random.pickSome(template.goals, random.integerBetween(1, template.goals.length));
  const noteTime = created + random.integerBetween(0, 20) * DAY + random.integerBetween(5, 50);
  // Wards use times, other settings dates. A date search must find both.
  const point = (minute: Minute) => (zone === 'Z' ? dateTimeText(minute, zone) : dateText(minute));

  return {
    resourceType: 'CarePlan',
    id,
    meta: TEST_DATA,
    language,
    text: narrative(
      language,
      heading(template.title),
      paragraph(`${patient.name}, from ${dateText(created)}: ${description}`),
      list(activities.map(({ label }) => label)),
    ),
    identifier: [identify('care-plan', `CP-${patient.number}-${number}`)],
    status,
    intent: random.weighted(status === 'draft' ? draftIntents : intents),
    category: [concept(categories[encounter.setting]), concept(template.category, template.title)],
    title: template.title,
    description,
    subject: subjectOf(patient),
    encounter: encounterOf(patient, encounter),
    period: { start: point(created), end: end === undefined ? undefined : point(end) },
    created: dateTimeText(created, zone),
    author: refer('Practitioner', author.id, author.name),
    careTeam: [refer('CareTeam', `demo-care-team-${template.key}`, `${template.team}, ${organization.name}`)],
    addresses: [refer('Condition', `demo-condition-${patient.number}-${template.key}`, template.problem)],
    goal: goals.map((goal, position) =>
      refer('Goal', `demo-goal-${patient.number}-${number}-${position + 1}`, goal),
    ),
    activity: activities.map(({ json }) => json),
    note: omitEmpty(
      random.pickSome(template.notes, random.integerBetween(0, 2)).map((note) => ({
        authorReference: refer('Practitioner', author.id, author.name),
        time: dateTimeText(Math.min(noteTime, end ?? TODAY), zone),
        text: fill(note, slots),
      })),
    ),
  };
}

/**
 * Returns the end of a plan: the due date if completed, an earlier day if revoked. Others have no end yet.
 */
function endOf(random: Random, status: CarePlanStatus, created: Minute, due: Minute): Minute | undefined {
  if (status === 'completed') return due;
  if (status === 'revoked') return random.integerBetween(created + HOUR, Math.min(due, TODAY));
  return undefined;
}

type CarePlanStatus =
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
function activity(
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

export interface DemoOptions {
  /** A 32-bit integer. Another seed generates another clinic. */
  readonly seed?: number;
  readonly patients?: number;
  /** Number of the first patient: another part of the same clinic. */
  readonly firstPatient?: number;
}

/** `text` is the resource as compact JSON with its id, but without versionId and lastUpdated: the store sets them. */
export interface DemoRecord {
  readonly type: 'CarePlan' | 'Composition';
  readonly id: string;
  readonly text: string;
}

/** A record before it is written down. */
export interface DemoDraft extends Omit<DemoRecord, 'text'> {
  readonly json: JsonObject;
  readonly patient: Patient;
}

interface RecordType {
  readonly type: DemoRecord['type'];
  readonly make: (random: Random, id: string, patient: Patient, number: number) => JsonObject;
  readonly count: (patient: Patient) => number;
  readonly stream: number;
}

/** Each type has its own stream of random numbers, so that one more plan does not change the documents. */
const types: readonly RecordType[] = [
  { type: 'CarePlan', make: carePlan, count: (patient) => patient.plans.length, stream: 0x100 },
  { type: 'Composition', make: composition, count: (patient) => patient.documents, stream: 0x200 },
];

/** Yields all records of the clinic by patient, CarePlans before Compositions; generated on demand. */
export function* generateClinic(options: DemoOptions = {}): Generator<DemoRecord, void, undefined> {
  for (const { type, id, json } of draftClinic(options)) yield { type, id, text: write(json) };
}

/** The records of {@link generateClinic}, before they are written down. */
export function* draftClinic(options: DemoOptions = {}): Generator<DemoDraft, void, undefined> {
  const { seed = 1, patients = 200, firstPatient = 1 } = options;
  for (let index = firstPatient; index < firstPatient + patients; index += 1) {
    const patient = createPatient(seed, index);
    for (const { type, make, count, stream } of types) {
      for (let number = 1; number <= count(patient); number += 1) {
        const random = new Random(seed, index, stream + number);
        const id = random.uuid();
        yield { type, id, patient, json: make(random, id, patient, number) };
      }
    }
  }
}
