import type { Defect } from './defect.ts';

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
