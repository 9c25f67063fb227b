import type { TrainingDefect } from '../../core/app/training.ts';
import { seedDefect, type Defect } from './defect.ts';
import { write } from './encode.ts';
import { draftClinic, type DemoDraft, type DemoRecord } from './generate.ts';
import { titleOf } from './place.ts';
import { planDefects } from './plan-defects.ts';
import { Random } from './random.ts';

/** A record of the migration, with its defect if it has one. */
export interface MigratedRecord extends DemoRecord {
  readonly defect?: TrainingDefect;
  /** The second version of the record, if the defect is between two versions. */
  readonly laterText?: string;
}

/** Patient numbers after the numbers of the clean clinic, so that both sets can be loaded and share no id. */
const part = { firstPatient: 501, patients: 100 };

/** Percentage of records that get a defect while defects remain. */
const dirty = 74;

/**
 * Generates a failed migration: a clinic with the defects of both tables, at most one per record, so that
 * each is found separately. The result is the same for the same seed on every computer.
 */
export function* generateMigration({ seed = 1 }: { readonly seed?: number } = {}): Generator<MigratedRecord> {
  const random = new Random(seed, part.firstPatient, 0x300);
  const remainingDefects = {
    CarePlan: shuffled(random, planDefects),
    Composition: shuffled(random, documentDefects),
  };
  for (const draft of draftClinic({ seed, ...part })) {
    const { type, id, json } = draft;
    const seededDefect = random.chance(dirty) ? seedNextDefect(draft, remainingDefects[type]) : undefined;
    yield seededDefect ?? { type, id, text: write(json) };
  }
}

/** Seeds the first remaining defect that fits the record. */
function seedNextDefect(
  { type, id, json }: DemoDraft,
  remainingDefects: Defect[],
): MigratedRecord | undefined {
  for (const [index, defect] of remainingDefects.entries()) {
    const seededDefect = seedDefect(json, defect);
    if (!seededDefect) continue;
    remainingDefects.splice(index, 1);
    const { record, pointer } = seededDefect;
    const defectDetails = { type, id, rule: defect.rule, pointer, title: titleOf(json) };
    return defect.later
      ? { type, id, text: write(json), laterText: write(record), defect: defectDetails }
      : { type, id, text: write(record), defect: defectDetails };
  }
  return undefined;
}

function shuffled(random: Random, table: readonly Defect[]): Defect[] {
  const repeatedDefects = table.flatMap((defect) => Array.from({ length: defect.times }, () => defect));
  const shuffledDefects: Defect[] = [];
  while (repeatedDefects.length > 0)
    shuffledDefects.push(...repeatedDefects.splice(random.integerBetween(0, repeatedDefects.length - 1), 1));
  return shuffledDefects;
}

const attested = [{ mode: 'legal', party: { display: 'Records office' } }];

/** Defects of the migration in Compositions, one row each. */
export const documentDefects: readonly Defect[] = [
  { rule: 'schema-type', times: 4, puts: [['/author', { display: 'Dr Unknown' }]] },
  { rule: 'schema-code', times: 5, puts: [['/confidentiality', 'normal']] },
  { rule: 'schema-required', times: 6, puts: [['/title', undefined]], findingPointer: '' },
  { rule: 'date-time-zone', times: 4, puts: [['/date', '2025-11-05T14:20:00']] },
  { rule: 'schema-unknown', times: 4, puts: [['/documentNumber', 'DOC-1']] },
  { rule: 'language-tag', times: 3, puts: [['/language', 'english language']] },
  { rule: 'cmp-1', times: 5, puts: [['/section/0', { title: 'Assessment' }]] },
  {
    rule: 'cmp-2',
    times: 4,
    puts: [
      ['/section/*/entry', [{ reference: 'Observation/observation-1', display: 'Weight' }]],
      ['{}/../text', { status: 'generated', div: '<div xmlns="http://www.w3.org/1999/xhtml">Weight</div>' }],
      ['{}/../emptyReason', { text: 'Not asked' }],
    ],
    findingPointer: '{}/..',
  },
  {
    rule: 'final-without-attester',
    times: 8,
    puts: [
      ['/status', 'final'],
      ['/attester', undefined],
    ],
    findingPointer: '',
  },
  {
    rule: 'final-without-section',
    times: 5,
    puts: [
      ['/section', undefined],
      ['/status', 'final'],
      ['/attester', attested],
    ],
    findingPointer: '',
  },
  {
    rule: 'section-without-text',
    times: 9,
    puts: [
      ['/section/*/entry', [{ reference: 'Observation/observation-2', display: 'Pain score' }]],
      ['{}/../text', undefined],
      ['{}/../emptyReason', undefined],
    ],
    findingPointer: '{}/..',
  },
  { rule: 'reference-target', times: 4, puts: [['/encounter/reference', 'EpisodeOfCare/episode-1']] },
];
