import type { Defect } from './defect.ts';
import { agreed, elementDefects, extended, goal, legacy, referred } from './element-defects.ts';
import { Decimal } from './encode.ts';

const repeat = '/activity/*/detail/scheduledTiming/repeat';
const div = (content: string) => `<div xmlns="http://www.w3.org/1999/xhtml">${content}</div>`;

/** What the migration did to CarePlans: the old system's habits, one row each. */
export const planDefects: readonly Defect[] = [
  { rule: 'schema-type', times: 5, puts: [['/title', new Decimal('1042')]] },
  { rule: 'schema-primitive', times: 7, puts: [['/created', '12.03.2024']] },
  { rule: 'date-time-zone', times: 9, puts: [['/created', '2024-03-12T09:30']] },
  { rule: 'schema-code', times: 10, puts: [['/status', 'in-progress']] },
  { rule: 'schema-required', times: 8, puts: [['/intent', undefined]], found: '' },
  { rule: 'schema-unknown', times: 7, puts: [['/careManager', 'Ward 3']] },
  { rule: 'empty', times: 8, puts: [['/description', '']] },
  { rule: 'ele-1', times: 2, puts: [['/category/0', { id: 'category-1' }]] },
  {
    rule: 'choice',
    times: 4,
    puts: [
      ['/activity/*/detail/scheduledTiming', { repeat: { frequency: 2, period: 1, periodUnit: 'd' } }],
      ['{}/../scheduledString', 'Twice a day'],
    ],
    found: '{}/../scheduledString',
  },
  {
    rule: 'sibling',
    times: 2,
    puts: [
      ['/title', undefined],
      ['/_title', { id: 'title-1' }],
    ],
    found: '/_title',
  },
  { rule: 'control-character', times: 5, puts: [['/description', 'Copied from the old system\u0007.']] },
  { rule: 'string-length', times: 1, puts: [['/description', 'Scanned letter. '.repeat(65_537)]] },
  { rule: 'calendar-date', times: 7, puts: [['/created', '2025-02-29T10:00:00Z']] },
  extended(
    { rule: 'base64-length', times: 2 },
    'scan',
    { valueAttachment: { contentType: 'text/plain', data: 'UGxhb' } },
    'valueAttachment/data',
  ),
  { rule: 'language-tag', times: 6, puts: [['/language', 'en_GB']] },
  {
    rule: 'cpl-3',
    times: 4,
    puts: [
      ['/activity/*/detail/status', 'unknown'],
      ['{}/../../reference', { display: 'Request of the old system' }],
    ],
    found: '{}/../..',
  },
  {
    rule: 'dom-2',
    times: 2,
    puts: [['/contained', goal({ contained: [{ ...agreed, id: 'goal-2' }] })], referred],
    found: '{}/0',
  },
  { rule: 'dom-3', times: 3, puts: [['/contained', goal()]], found: '{}/0' },
  {
    rule: 'dom-4',
    times: 2,
    puts: [['/contained', goal({ meta: { versionId: '4' } })], referred],
    found: '{}/0',
  },
  {
    rule: 'dom-5',
    times: 2,
    puts: [['/contained', goal({ meta: { security: [{ code: 'R' }] } })], referred],
    found: '{}/0',
  },
  { rule: 'ext-1', times: 4, puts: [['/extension', legacy('ward')]], found: '{}/0' },
  {
    rule: 'per-1',
    times: 9,
    puts: [
      ['/period', { start: '2025-06-01', end: '2025-05-01' }],
      ['/status', 'completed'],
    ],
  },
  { rule: 'qty-3', times: 5, puts: [['/activity/*/detail/dailyAmount/system', undefined]], found: '{}/..' },
  {
    rule: 'rng-2',
    times: 2,
    puts: [
      [`${repeat}/boundsRange`, { low: { value: new Decimal('14.0') }, high: { value: new Decimal('7.0') } }],
    ],
  },
  extended({ rule: 'rat-1', times: 2 }, 'staffing', { valueRatio: { numerator: { value: 1 } } }),
  extended({ rule: 'cpt-2', times: 3 }, 'ward', { valueContactPoint: { value: '555-0100' } }),
  extended({ rule: 'att-1', times: 2 }, 'scan', { valueAttachment: { data: 'UGxhbg==' } }),
  { rule: 'tim-1', times: 3, puts: [[`${repeat}/duration`, 30]], found: '{}/..' },
  { rule: 'tim-2', times: 3, puts: [[`${repeat}/periodUnit`, undefined]], found: '{}/..' },
  {
    rule: 'tim-4',
    times: 2,
    puts: [
      [`${repeat}/duration`, -1],
      ['{}/../durationUnit', 'h'],
    ],
    found: '{}/..',
  },
  { rule: 'tim-5', times: 2, puts: [[`${repeat}/period`, -1]], found: '{}/..' },
  {
    rule: 'tim-6',
    times: 2,
    puts: [
      [`${repeat}/period`, undefined],
      ['{}/../periodMax', 3],
    ],
    found: '{}/..',
  },
  {
    rule: 'tim-7',
    times: 2,
    puts: [
      [`${repeat}/durationMax`, 2],
      ['{}/../durationUnit', 'h'],
    ],
    found: '{}/..',
  },
  { rule: 'tim-8', times: 2, puts: [[`${repeat}/countMax`, 5]], found: '{}/..' },
  { rule: 'tim-9', times: 2, puts: [[`${repeat}/offset`, 30]], found: '{}/..' },
  {
    rule: 'tim-10',
    times: 2,
    puts: [
      [`${repeat}/timeOfDay`, ['08:00:00']],
      ['{}/../when', ['ACM']],
    ],
    found: '{}/..',
  },
  { rule: 'ref-1', times: 5, puts: [['/careTeam/0/reference', '#team-1']] },
  { rule: 'reference-target', times: 8, puts: [['/encounter/reference', 'EpisodeOfCare/episode-1']] },
  { rule: 'reference-empty', times: 6, puts: [['/author', { type: 'Practitioner' }]] },
  { rule: 'txt-1', times: 5, puts: [['/text/div', div('<p onclick="open()">Care plan</p>')]] },
  { rule: 'txt-2', times: 4, puts: [['/text/div', div('<p> </p>')]] },
  { rule: 'narrative-namespace', times: 5, puts: [['/text/div', '<div><p>Care plan</p></div>']] },
  {
    rule: 'narrative-stale',
    times: 6,
    puts: [['/description', 'Taken over from the old system; the goals were agreed anew.']],
    found: '/text',
    later: true,
  },
  {
    rule: 'completed-without-end',
    times: 8,
    puts: [
      ['/period/end', undefined],
      ['/status', 'completed'],
    ],
    found: '',
  },
  {
    rule: 'plan-overdue',
    times: 10,
    puts: [
      ['/period', { start: '2024-01-10', end: '2024-04-10' }],
      ['/status', 'active'],
    ],
    found: '{}/end',
  },
  ...elementDefects,
];
