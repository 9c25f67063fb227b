import { dateText, dateTimeText, DAY, HOUR, type Minute, type Zone } from './calendar.ts';
import { documentTemplates, type DocumentTemplate } from './document-templates.ts';
import type { JsonObject } from './encode.ts';
import { heading, narrative, paragraph, pickLanguage } from './narrative.ts';
import { encounterOf, staffOf, subjectOf, type Encounter, type Patient } from './patient.ts';
import type { Random, Weights } from './random.ts';
import { section, type DocumentContext } from './section.ts';
import { settings, type NamedEntity } from './settings.ts';
import { concept, identify, refer, TEST_DATA } from './terms.ts';

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
