/** Bodies of the requests in `previous-requests.ts`. */
import { profileUrl } from '../../server/packages/testing/make-package.ts';

const subject = { reference: 'Patient/p', display: 'Ada Fixture' };
export const plan = {
  resourceType: 'CarePlan',
  status: 'active',
  intent: 'plan',
  title: 'Walk daily',
  subject,
};
const period = { start: '2026-01-01', end: '2026-02-01' };
export const note = {
  resourceType: 'Composition',
  status: 'final',
  title: 'Discharge note',
  date: '2026-02-01',
  type: { coding: [{ system: 'http://loinc.org', code: '18842-5' }] },
  subject,
  author: [{ display: 'Zoë Fixture' }],
  section: [{ title: 'Plan', entry: [{ reference: 'CarePlan/b' }] }],
};
const records = [
  { ...plan, id: 'a', status: 'actve', period, addresses: [{ reference: 'Condition/x' }] },
  { ...plan, id: 'b', period, meta: { source: 'urn:ward', profile: [profileUrl] } },
  { ...plan, id: 'd', title: 'To be erased' },
  { ...note, id: 'c' },
  { resourceType: 'Patient', id: 'p', name: [{ family: 'Fixture', given: ['Ada'] }] },
  { resourceType: 'Condition', id: 'x', code: { text: 'Asthma' }, subject },
  { resourceType: 'OperationOutcome', issue: [] },
  'not a resource',
];
export const lines = records.map((record) => JSON.stringify(record)).join('\n');
export const ndjson = { 'Content-Type': 'application/x-ndjson' };
export const query = { type: 'CarePlan', pairs: [['status', 'active']] };
export const summary = { type: 'CarePlan', id: 'b', title: 'Walk daily' };
export const custom = {
  title: 'Has a goal',
  type: 'CarePlan',
  applies: "status = 'active'",
  holds: 'goal.exists()',
  points: 'title',
  category: 'completeness',
  severity: 'warning',
  warnAbove: { count: 1 },
  failAbove: { percent: 50 },
  owner: 'Ada',
  note: 'For the ward.',
};
export const preferences = [
  ['theme', 'light', 'dark', 'auto'],
  ['density', 'comfortable', 'compact'],
  ['dateLanguage', 'iso', 'en-GB', 'en-US', 'de', 'fr', 'es', 'it', 'nl'],
  ['inspectorTab', 'summary', 'issues', 'history'],
  ['recordView', 'read', 'json', 'both', null],
  ['editorFont', 12, 13, 14, 16, 18],
  ['draftPause', 500, 2000, 10_000],
  ...['sidePanel', 'inspector', 'inspectorUnfolded', 'preview', 'filters', 'practice', 'minimap'].map(
    (name) => [name, true, false],
  ),
  ...['csvForExcel', 'wordWrap', 'demandReason'].map((name) => [name, true, false]),
  ['keys', { 'record.review': 'Mod+S' }],
  ['thresholds', { 'schema-code': { warnAbove: { count: 1 }, failAbove: { percent: 2 } } }],
  ['profiles', { CarePlan: profileUrl }, {}],
  [
    'proxy',
    { kind: 'none' },
    { kind: 'address', url: 'http://proxy.example:8080', user: 'ada' },
    { kind: 'system' },
  ],
  ['readingShare', 0.5],
  ['inspectorWidth', 300],
  ['searchColumns', { CarePlan: ['title'] }],
] as const;
