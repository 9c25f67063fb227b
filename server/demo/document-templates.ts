import type { Role, Setting } from './settings.ts';
import { hl7, loinc, type Coding } from './terms.ts';

/** Source of a section's content: the patient, the examination or sentences of the template. */
export type Source =
  | 'sentences'
  | 'problems'
  | 'medications'
  | 'allergies'
  | 'vitals'
  | 'findings'
  | 'results'
  | 'social'
  | 'none';

export interface SectionTemplate {
  readonly title: string;
  readonly code: Coding;
  readonly from: Source;
  readonly mode?: 'working' | 'snapshot' | 'changes';
  readonly sentences?: readonly string[];
  readonly sections?: readonly SectionTemplate[];
}

export interface DocumentTemplate {
  readonly title: string;
  readonly type: Coding;
  readonly category: Coding;
  readonly settings: readonly Setting[];
  /** When in the course of the encounter it is written. */
  readonly timing: 'early' | 'during' | 'at the end';
  /** Role of the author; absent if any of the staff may write it. Each setting needs one of them. */
  readonly author?: Role;
  readonly sections: readonly SectionTemplate[];
}

const NOTE = loinc('LP173418-7', 'Note');
const REPORT = loinc('LP173421-1', 'Report');

const problems: SectionTemplate = {
  title: 'Problems',
  code: loinc('11450-4', 'Problem list - Reported'),
  from: 'problems',
  mode: 'snapshot',
};
const medications: SectionTemplate = {
  title: 'Medication',
  code: loinc('10160-0', 'History of Medication use Narrative'),
  from: 'medications',
  mode: 'snapshot',
};
const allergies: SectionTemplate = {
  title: 'Allergies',
  code: loinc('48765-2', 'Allergies and adverse reactions Document'),
  from: 'allergies',
  mode: 'snapshot',
};
const vitals: SectionTemplate = {
  title: 'Vital signs',
  code: loinc('8716-3', 'Vital signs'),
  from: 'vitals',
};
const results: SectionTemplate = {
  title: 'Results',
  code: loinc('30954-2', 'Relevant diagnostic tests/laboratory data Narrative'),
  from: 'results',
};
const examination: SectionTemplate = {
  title: 'Findings',
  code: loinc('29545-1', 'Physical findings Narrative'),
  from: 'findings',
};
const social: SectionTemplate = {
  title: 'Social history',
  code: loinc('29762-2', 'Social history Narrative'),
  from: 'social',
  sentences: [
    'Lives with {contact}, second floor, no lift.',
    'Lives alone; {contact} visits twice a week.',
    'Shops and cooks without help; drives a car.',
  ],
};

/** A section. One of its sentences is written. */
function createTextSection(title: string, code: Coding, ...sentences: string[]): SectionTemplate {
  return { title, code, from: 'sentences', sentences };
}

const assessment = (...sentences: string[]) =>
  createTextSection('Assessment', loinc('51848-0', 'Evaluation note'), ...sentences);

const plan = (...sentences: string[]) =>
  createTextSection('Plan', loinc('18776-5', 'Plan of care note'), ...sentences);

export const documentTemplates: readonly DocumentTemplate[] = [
  {
    title: 'Discharge summary',
    type: loinc('18842-5', 'Discharge summary'),
    category: REPORT,
    settings: ['ward'],
    timing: 'at the end',
    author: 'doctor',
    sections: [
      {
        ...problems,
        title: 'Discharge diagnoses',
        code: loinc('11535-2', 'Hospital discharge Dx Narrative'),
      },
      createTextSection(
        'Hospital course',
        loinc('8648-8', 'Hospital course Narrative'),
        'Main problem of the stay: {problem}. {name} recovered steadily.',
        'Treatment was adjusted on the second day and tolerated well. Main problem: {problem}.',
        '{problem}: no event during the stay; {contact} was kept informed.',
      ),
      results,
      allergies,
      {
        title: 'After discharge',
        code: loinc('18776-5', 'Plan of care note'),
        from: 'none',
        sections: [
          {
            ...medications,
            title: 'Discharge medication',
            code: loinc('10183-2', 'Hospital discharge medications Narrative'),
          },
          createTextSection(
            'Instructions',
            loinc('8653-8', 'Hospital Discharge instructions'),
            'See the health centre within one week; call earlier if anything gets worse.',
            'Walk every day, a little further each time.',
            'Bring this letter and all packs of medicine to the next visit.',
          ),
        ],
      },
    ],
  },
  {
    title: 'Consultation note',
    type: loinc('11488-4', 'Consult note'),
    category: REPORT,
    settings: ['clinic', 'ward'],
    timing: 'early',
    author: 'doctor',
    sections: [
      createTextSection(
        'Reason for referral',
        loinc('42349-1', 'Reason for referral (narrative)'),
        '{problem}: not settled as hoped, opinion asked for.',
        '{problem}: second opinion at the wish of the patient and {contact}.',
      ),
      examination,
      vitals,
      medications,
      assessment('{problem}: stable under the present treatment.', '{problem}: not yet settled.'),
      plan('Continue as now; written advice given.', 'Adjust the plan in steps & check again in 4 weeks.'),
    ],
  },
  {
    title: 'Progress note',
    type: loinc('11506-3', 'Progress note'),
    category: NOTE,
    settings: ['clinic', 'ward', 'home'],
    timing: 'during',
    sections: [
      createTextSection(
        'Subjective',
        loinc('61150-9', 'Subjective Narrative'),
        '{name} feels better than at the last contact.',
        '{name} reports a poor night but no pain.',
        'No new complaints; asks when {contact} may be told about the results.',
      ),
      {
        ...examination,
        title: 'Objective',
        code: loinc('61149-1', 'Objective Narrative'),
        sections: [vitals],
      },
      assessment('{problem}: improving.', '{problem}: unchanged, early warning score < 3.'),
      plan('Same plan, next contact as agreed.', 'Plan updated; see the care plan for details.'),
    ],
  },
  {
    title: 'Admission summary',
    type: loinc('34117-2', 'History and physical note'),
    category: REPORT,
    settings: ['ward'],
    timing: 'early',
    author: 'doctor',
    sections: [
      createTextSection(
        'Reason for admission',
        loinc('29299-5', 'Reason for visit Narrative'),
        '{problem}: worse at home since yesterday; {contact} called the ambulance.',
        '{problem}: planned admission for review of the treatment.',
      ),
      problems,
      medications,
      allergies,
      social,
      { ...examination, sections: [vitals] },
    ],
  },
  {
    title: 'Nursing handover',
    type: loinc('34746-8', 'Nurse Note'),
    category: NOTE,
    settings: ['ward', 'home'],
    timing: 'during',
    author: 'nurse',
    sections: [
      {
        title: 'Functional status',
        code: loinc('47420-5', 'Functional status assessment note'),
        from: 'sentences',
        mode: 'changes',
        sentences: [
          'Washes and dresses with little help, walks to the bathroom with a frame.',
          'Needs one person to stand up; eats and drinks without help.',
          'Independent; reminder needed for the call bell.',
        ],
      },
      vitals,
      allergies,
      plan('Observations every four hours.', 'Early shift: talk to {contact} about the way home.'),
    ],
  },
  {
    title: 'Episode summary',
    type: loinc('34133-9', 'Summarization of episode note'),
    category: REPORT,
    settings: ['clinic', 'home'],
    timing: 'at the end',
    sections: [problems, medications, allergies, results, social],
  },
];

/** Reasons for an empty list (R4 list-empty-reason). */
export const emptyReasons = {
  nilKnown: hl7('list-empty-reason', 'nilknown', 'Nil Known'),
  withheld: hl7('list-empty-reason', 'withheld', 'Information Withheld'),
  unavailable: hl7('list-empty-reason', 'unavailable', 'Unavailable'),
};
