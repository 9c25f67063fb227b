import type { ActivityTemplate, CarePlanTemplate } from './care-plan-template.ts';
import { emptyReasons, type SectionTemplate, type Source } from './document-templates.ts';
import { omitEmpty, type JsonObject } from './encode.ts';
import { fill, list, narrative, paragraph, table } from './narrative.ts';
import type { Patient } from './patient.ts';
import type { Random } from './random.ts';
import { concept, refer, type Coding } from './terms.ts';

export interface DocumentContext {
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
export function section(random: Random, template: SectionTemplate, context: DocumentContext): JsonObject {
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
