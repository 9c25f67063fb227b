import { DAY, HOUR, LAST_ENCOUNTER, OPENING, type Minute } from './calendar.ts';
import { carePlanTemplates, type CarePlanTemplate } from './care-plan-template.ts';
import type { JsonObject } from './encode.ts';
import { Random } from './random.ts';
import { settings, type NamedEntity, type Role, type Setting } from './settings.ts';

export interface Encounter {
  readonly id: string;
  readonly setting: Setting;
  readonly start: Minute;
  readonly end: Minute;
}

interface PlannedCare {
  readonly template: CarePlanTemplate;
  readonly encounter: Encounter;
}

export interface Patient {
  readonly id: string;
  readonly name: string;
  /** The patient's part of every id that is made of it, `001`. */
  readonly number: string;
  readonly contact: string;
  readonly allergy: string | undefined;
  readonly encounters: readonly Encounter[];
  readonly plans: readonly PlannedCare[];
  /** How many Compositions. */
  readonly documents: number;
  readonly referenceForm: ReferenceForm;
}

/** How the patient's records write references: real systems differ, and a search has to find them all. */
type ReferenceForm = 'relative' | 'absolute' | 'versioned';

type Generation = 'young' | 'middle' | 'old';

const referenceForms = { relative: 85, absolute: 11, versioned: 4 } satisfies Record<ReferenceForm, number>;
const laterSettings = { clinic: 34, ward: 48, home: 18 } satisfies Record<Setting, number>;
const generations = { young: 24, middle: 32, old: 44 } satisfies Record<Generation, number>;
const ages: Readonly<Record<Generation, readonly [youngest: number, oldest: number]>> = {
  young: [18, 41],
  middle: [42, 64],
  old: [65, 90],
};
const ALLERGIES = ['Penicillin', 'Latex', 'Ibuprofen', 'Peanut', 'Wasp venom', 'Iodine contrast'];

/** The patient with this index (from 1) in the clinic of this seed. */
export function createPatient(seed: number, index: number): Patient {
  const random = new Random(seed, index, 0);
  const number = String(index).padStart(3, '0');
  const sex: Sex = random.pick(['female', 'male']);
  const name = inventName(random, sex);
  const age = random.integerBetween(...ages[random.weighted<Generation>(generations)]);
  const encounters = createEncounters(random, number);
  return {
    id: `demo-patient-${number}`,
    name,
    number,
    contact: inventName(random, random.pick(['female', 'male'])),
    allergy: random.chance(30) ? random.pick(ALLERGIES) : undefined,
    encounters,
    plans: planCare(random, encounters, sex, age),
    documents: random.integerBetween(1, 4),
    referenceForm: random.weighted(referenceForms),
  };
}

/**
 * Generates one to four encounters in separate parts of the years, so that none overlap. The first is a
 * clinic visit.
 */
function createEncounters(random: Random, number: string): Encounter[] {
  const count = random.integerBetween(1, 4);
  const share = Math.floor((LAST_ENCOUNTER - OPENING) / DAY / count);
  return Array.from({ length: count }, (_, position) => {
    const setting = position === 0 ? 'clinic' : random.weighted(laterSettings);
    const { hours, stay } = settings[setting];
    const offset = share * position + random.integerBetween(0, share - 20);
    // The clinic opened on a Monday. Only a ward admits patients at the weekend.
    const weekend = setting !== 'ward' && offset % 7 >= 5;
    const day = OPENING + (weekend ? offset + 2 : offset) * DAY;
    const start = day + random.integerBetween(...hours) * HOUR + random.integerBetween(0, 11) * 5;
    const end = start + random.integerBetween(...stay);
    return { id: `demo-encounter-${number}-${position + 1}`, setting, start, end };
  });
}

/** Up to five plans, by time. A kind returns, in another encounter, only when all that suit are used. */
function planCare(random: Random, encounters: readonly Encounter[], sex: Sex, age: number): PlannedCare[] {
  const suited = carePlanTemplates.flatMap((template) => {
    const places = encounters.filter((encounter) => template.settings.includes(encounter.setting));
    const [youngest, oldest] = template.ages;
    const suits = age >= youngest && age <= oldest && (template.sex ?? sex) === sex;
    return suits && places.length > 0 ? [{ template, places }] : [];
  });
  const count = random.integerBetween(2, 5);
  const firstPlans = random
    .pickSome(suited, count)
    .map(({ template, places }) => ({ template, encounter: random.pick(places) }));
  const repeatable = suited.flatMap(({ template, places }) =>
    places
      .filter(
        (encounter) => !template.once && !firstPlans.some((plan) => isSamePlan(plan, template, encounter)),
      )
      .map((encounter) => ({ template, encounter })),
  );
  return [...firstPlans, ...random.pickSome(repeatable, count - firstPlans.length)].sort(
    (a, b) => a.encounter.start - b.encounter.start,
  );
}

function isSamePlan(plan: PlannedCare, template: CarePlanTemplate, encounter: Encounter): boolean {
  return plan.template === template && plan.encounter === encounter;
}

const BASE = 'https://clinic.example.org/fhir/';

/** The Reference to the patient, with the name. */
export function subjectOf({ id, name, referenceForm }: Patient): JsonObject {
  const forms = {
    relative: `Patient/${id}`,
    absolute: `${BASE}Patient/${id}`,
    versioned: `Patient/${id}/_history/2`,
  } satisfies Record<ReferenceForm, string>;
  return { reference: forms[referenceForm], display: name };
}

/** The Reference to one of the patient's encounters. */
export function encounterOf({ referenceForm }: Patient, { id }: Encounter): JsonObject {
  return { reference: `${referenceForm === 'absolute' ? BASE : ''}Encounter/${id}` };
}

/** Picks a staff member of the encounter's setting, with the given role if there is one. */
export function staffOf(random: Random, { setting }: Encounter, role?: Role): NamedEntity {
  return random.pick(settings[setting].staff.filter((person) => role === undefined || person.role === role));
}

type Sex = 'female' | 'male';

const GIVEN_NAMES: Readonly<Record<Sex, readonly string[]>> = {
  female: 'Ada Åse Bea Clara Dora Elif Fatou Greta Hana Inês Joan Kira Lucía Mira Noor Zoë'.split(' '),
  male: 'Abel Björn Cem Dan Emil Femi Gus Hugo Ivan José Kofi Liam Max Nils Omar Søren'.split(' '),
};

/** Most mean "example" in some language, so that no reader mistakes one for a person. */
const FAMILY = [
  'Sample',
  'Example',
  'Testa',
  'Demowski',
  'Placeholder',
  'Test-Berg',
  'Mockridge',
  'Specimen',
  'Muster',
  'Beispiel',
  'Müller-Muster',
  'Exempel',
  'Esempio',
  'Ejemplo',
  'Voorbeeld',
  'Przykład',
  'Örnek',
  'Exemplar',
  'Fixture',
  "O'Dummy",
  'Lorem',
  '例',
];

/** An invented full name. */
function inventName(random: Random, sex: Sex): string {
  return `${random.pick(GIVEN_NAMES[sex])} ${random.pick(FAMILY)}`;
}
