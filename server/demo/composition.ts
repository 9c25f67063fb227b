import { dateText, dateTimeText, DAY, HOUR, type Minute, type Zone } from './calendar.ts';
import {
  documentTemplates,
  emptyReasons,
  type DocumentTemplate,
  type SectionTemplate,
  type Source,
} from './document-templates.ts';
import { omitEmpty, type JsonObject } from './encode.ts';
import { heading, narrative, paragraph, pickLanguage, fill, list, table } from './narrative.ts';
import { encounterOf, staffOf, subjectOf, type Encounter, type Patient } from './patient.ts';
import type { Random, Weights } from './random.ts';
import { settings, type NamedEntity } from './settings.ts';
import { concept, identify, refer, TEST_DATA, type Coding } from './terms.ts';
import type { ActivityTemplate, CarePlanTemplate } from './care-plan-template.ts';

type CompositionStatus = 'preliminary' | 'final' | 'amended' | 'entered-in-error';

const statuses: Weights<CompositionStatus> = {
  final: 70,
  preliminary: 16,
  amended: 11,
  'entered-in-error': 3,
};
const confidentialities: Weights<'N' | 'R' | 'V'> = { N: 90, R: 8, V: 2 };
const attesterModes: Weights<'legal' | 'professional'> = { legal: 40, professional: 60 };

/** The patient's Composition of this number (from 1), as a resource of FHIR R4. */
export function composition(random: Random, id: string, patient: Patient, number: number): JsonObject {
  const encounter = random.pick(patient.encounters);
  const { setting } = encounter;
  const { zone, organization, encounterClass } = settings[setting];
  const template = random.pick(documentTemplates.filter((row) => row.settings.includes(setting)));
  // Problems known at the time. A patient whose plans all came later already has the problem of the first.
  const knownPlans = patient.plans.filter((plan) => plan.encounter.start <= encounter.start);
  const care = (knownPlans.length > 0 ? knownPlans : patient.plans.slice(0, 1)).map((plan) => plan.template);
  const language = pickLanguage(random);
  const status = random.weighted(statuses);
  const author = staffOf(random, encounter, template.author);
  const date = dateOf(random, template, encounter);
  const context: DocumentContext = { patient, care, focus: random.pick(care), language };
  const title = `${template.title}: ${context.focus.problem}`;
  const documentNumber = `DOC-${patient.number}-${number}`;

  return {
    resourceType: 'Composition',
    id,
    meta: TEST_DATA,
    language,
    text: narrative(
      language,
      heading(title),
      paragraph(`${patient.name}, ${organization.name}, ${dateText(date)}. Written by ${author.name}.`),
    ),
    identifier: identify('document', documentNumber),
    status,
    type: concept(template.type),
    category: [concept(template.category)],
    subject: subjectOf(patient),
    encounter: encounterOf(patient, encounter),
    date: dateTimeText(date, zone),
    author: [refer('Practitioner', author.id, author.name)],
    title,
    confidentiality: random.weighted(confidentialities),
    attester: status === 'final' || status === 'amended' ? [attester(random, author, date, zone)] : undefined,
    custodian: refer('Organization', organization.id, organization.name),
    relatesTo:
      status === 'amended'
        ? [{ code: 'replaces', targetIdentifier: identify('document', `${documentNumber}-1`) }]
        : undefined,
    event: [
      {
        code: [concept(encounterClass)],
        period: { start: dateTimeText(encounter.start, zone), end: dateTimeText(encounter.end, zone) },
      },
    ],
    section: template.sections.map((row) => section(random, row, context)),
  };
}

/** Returns a date within the encounter that fits the kind of document. */
function dateOf(random: Random, { timing }: DocumentTemplate, { start, end }: Encounter): Minute {
  const compositionContext = {
    early: () => random.integerBetween(start, Math.min(start + 4 * HOUR, end)),
    during: () => random.integerBetween(start, end),
    'at the end': () => end,
  } satisfies Record<DocumentTemplate['timing'], () => Minute>;
  return compositionContext[timing]();
}

function attester(random: Random, { id, name }: NamedEntity, date: Minute, zone: Zone): JsonObject {
  return {
    mode: random.weighted(attesterModes),
    time: dateTimeText(date + random.integerBetween(0, 2) * DAY + random.integerBetween(0, 55), zone),
    party: refer('Practitioner', id, name),
  };
}

interface DocumentContext {
  readonly patient: Patient;
  /** The kinds of care that the patient is known to have. */
  readonly care: readonly CarePlanTemplate[];
  /** The one that the document is about. */
  readonly focus: CarePlanTemplate;
  readonly language: string | undefined;
}

/**
 * Content of a section: a block of XHTML, references, or the reason for an empty section (never with
 * entries).
 */
interface Content {
  readonly html?: string;
  readonly entry?: readonly JsonObject[];
  readonly empty?: Coding;
}

type Writer = (random: Random, context: DocumentContext, template: SectionTemplate) => Content;

const writers: Readonly<Record<Source, Writer>> = {
  none: () => ({}),
  sentences: (random, { patient, focus }, { sentences = [] }) => ({
    html: paragraph(
      fill(random.pick(sentences), { name: patient.name, contact: patient.contact, problem: focus.problem }),
    ),
  }),
  social: (random, context, template) =>
    random.chance(15)
      ? { html: paragraph('Not passed on at the wish of the patient.'), empty: emptyReasons.withheld }
      : writers.sentences(random, context, template),
  problems: (_random, { patient, care }) => ({
    html: list(unique(care.map(({ problem }) => problem))),
    entry: unique(care).map(({ key, problem }) =>
      refer('Condition', `demo-condition-${patient.number}-${key}`, problem),
    ),
  }),
  medications: (_random, { patient, care }) => {
    const medications = unique(care).flatMap(({ activities }) => activities.filter(isMedication));
    if (medications.length === 0)
      return { html: paragraph('No regular medicine.'), empty: emptyReasons.nilKnown };
    return {
      html: list(medications.map(({ text }) => text)),
      entry: medications.map(({ text }) =>
        refer('MedicationStatement', `demo-medication-${patient.number}-${slug(text)}`, text),
      ),
    };
  },
  allergies: (_random, { patient: { allergy, number } }) =>
    allergy === undefined
      ? { html: paragraph('No known allergies.'), empty: emptyReasons.nilKnown }
      : {
          html: paragraph(`Allergy: ${allergy}.`),
          entry: [refer('AllergyIntolerance', `demo-allergy-${number}-1`, allergy)],
        },
  vitals: (random) => ({
    html: table([
      ['Blood pressure', `${random.integerBetween(104, 168)}/${random.integerBetween(58, 98)} mmHg`],
      ['Pulse', `${random.integerBetween(54, 104)}/min`],
      ['Temperature', `${random.integerBetween(36, 37)}.${random.integerBetween(0, 9)} °C`],
      ['Oxygen saturation', `${random.integerBetween(91, 99)} %`],
    ]),
  }),
  findings: (random, { focus }) => ({
    html: random
      .pickSome(focus.findings, random.integerBetween(1, 2))
      .map((finding) => paragraph(finding))
      .join(''),
  }),
  results: (random, { patient }) => {
    if (random.chance(25)) {
      return { html: paragraph('Laboratory results not yet back.'), empty: emptyReasons.unavailable };
    }
    const names = random.pickSome(
      ['Haemoglobin', 'Creatinine', 'Potassium', 'C-reactive protein'],
      random.integerBetween(1, 3),
    );
    return {
      html: list(names),
      entry: names.map((name) =>
        refer('Observation', `demo-observation-${patient.number}-${slug(name)}`, name),
      ),
    };
  },
};

/** An element of Composition.section with its nested sections (FHIR R4 cmp-1, cmp-2). */
function section(random: Random, template: SectionTemplate, context: DocumentContext): JsonObject {
  const { html, entry = [], empty } = writers[template.from](random, context, template);
  const nested = (template.sections ?? []).map((row) => section(random, row, context));
  return {
    title: template.title,
    code: concept(template.code),
    text: html === undefined ? undefined : narrative(context.language, html),
    mode: template.mode,
    entry: omitEmpty(entry),
    emptyReason: empty && concept(empty),
    section: omitEmpty(nested),
  };
}

function isMedication({ kind }: ActivityTemplate): boolean {
  return kind === 'MedicationRequest';
}

function unique<Item>(items: readonly Item[]): Item[] {
  return [...new Set(items)];
}

function slug(name: string): string {
  return name.toLowerCase().replaceAll(' ', '-');
}
