import { expect, test } from 'vitest';
import { checkedCsv, checkedFindings, checkedOverview, type CheckedRecord } from './checked-quality.ts';
import type { QualityFinding } from './quality.ts';

function record(
  id: string,
  findings: readonly Partial<QualityFinding>[],
  type: CheckedRecord['type'] = 'CarePlan',
): CheckedRecord {
  const about = {
    type,
    id,
    title: `Plan ${id}`,
    version: 1,
    subject: 'Patient/p',
    status: '',
    lastUpdated: '',
  };
  const plain = {
    rule: 'a',
    severity: 'error',
    category: 'conformance',
    message: 'No.',
    pointer: '/x',
    excerpt: '1',
  } as const;
  return { type, id, title: about.title, findings: findings.map((one) => ({ ...about, ...plain, ...one })) };
}

const records = [
  record('1', [{}, { pointer: '/y' }, { rule: 'b', severity: 'warning' }]),
  record('2', [{}]),
  record('3', []),
  record('4', [{ rule: 'b', severity: 'warning' }], 'Composition'),
];

test('rules are counted by record and by finding, those that most records break first', () => {
  const overview = checkedOverview(records, {}, '2026-01-01T00:00:00.000Z');
  expect(overview).toMatchObject({
    computed: '2026-01-01T00:00:00.000Z',
    records: { CarePlan: 3, Composition: 1 },
    flagged: { CarePlan: 2, Composition: 1 },
  });
  expect(
    overview.groups.map(({ rule, records: of, findings, types }) => [rule, of, findings, types]),
  ).toEqual([
    ['a', 2, 3, { CarePlan: { records: 2, findings: 3 } }],
    ['b', 2, 2, { CarePlan: { records: 1, findings: 1 }, Composition: { records: 1, findings: 1 } }],
  ]);
});

test('each part of a filter narrows', () => {
  const count = (filter: Parameters<typeof checkedFindings>[1]) => checkedFindings(records, filter).length;
  expect(count({})).toBe(5);
  expect(count({ rule: 'a' })).toBe(3);
  expect(count({ severity: 'warning' })).toBe(2);
  expect(count({ severity: 'warning', type: 'Composition' })).toBe(1);
  expect(count({ category: 'plausibility' })).toBe(0);
  expect(count({ text: 'PLAN 2' })).toBe(1);
  expect(count({ text: '/y' })).toBe(1);
  expect(checkedOverview(records, { rule: 'b' }, '').groups).toHaveLength(1);
});

test('the findings of a filter are lines of CSV', () => {
  const lines = checkedCsv(records, { type: 'Composition' }).trimEnd().split('\r\n');
  expect(lines[0]).toBe(
    'type,id,version,title,subject,status,lastUpdated,rule,severity,category,message,pointer,excerpt',
  );
  expect(lines.slice(1)).toEqual(['Composition,4,1,Plan 4,Patient/p,,,b,warning,conformance,No.,/x,1']);
});
