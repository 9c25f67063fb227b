import { expect, test } from 'vitest';
import { scan } from '../../json/scan.ts';
import { cardOf, type RecordCard } from './card.ts';

const today = '2025-03-10';
const card = (record: unknown) => cardOf(scan(JSON.stringify(record)).root, today);
const fact = ({ facts }: RecordCard, label: string) => facts.find((one) => one.label === label)?.value;

test('a plan says whom it is about, how long it runs and what is overdue', () => {
  const plan = card({
    resourceType: 'CarePlan',
    status: 'active',
    intent: 'plan',
    subject: { reference: 'Patient/17', display: 'Ada' },
    period: { start: '2025-01-01', end: '2025-01-31T10:00:00Z' },
    category: [{ coding: [{ display: 'Assessment' }] }, { text: 'Diet' }],
    goal: [{ reference: 'Goal/1' }],
    activity: [
      {
        detail: {
          code: { text: 'Walk' },
          status: 'in-progress',
          scheduledPeriod: { end: '2025-03-08' },
        },
      },
      { detail: { description: 'Rest', status: 'completed', scheduledPeriod: { end: '2025-03-08' } } },
      { reference: { reference: 'ServiceRequest/9', display: 'Blood count' } },
    ],
  });
  expect(plan).toMatchObject({
    activities: [
      { title: 'Walk', status: 'in-progress', due: '2025-03-08', over: 2, pointer: '/activity/0' },
      { title: 'Rest', due: '2025-03-08' },
      { title: 'Blood count', reference: { reference: 'ServiceRequest/9' }, pointer: '/activity/2' },
    ],
  });
  expect(plan.activities[1]?.over).toBeUndefined();
  expect(fact(plan, 'Subject')).toEqual({
    as: 'references',
    references: [{ reference: 'Patient/17', display: 'Ada', pointer: '/subject' }],
  });
  expect(fact(plan, 'Period')).toMatchObject({ period: { days: 31, over: 38 }, overdue: true });
  expect(fact(plan, 'Category')).toEqual({
    as: 'concepts',
    concepts: [
      { text: 'Assessment', pointer: '/category/0' },
      { text: 'Diet', pointer: '/category/1' },
    ],
  });
});

test('a plan that ends today, is completed or has no end is not overdue', () => {
  const period = (status: string, end?: string) =>
    fact(card({ resourceType: 'CarePlan', status, period: { start: '2025-01-01', end } }), 'Period');
  expect(period('active', today)).toMatchObject({ overdue: false });
  expect(period('active')).toMatchObject({ overdue: false });
  expect(period('completed', '2025-01-31')).toMatchObject({ overdue: false });
  expect(period('active', '2025-02')).not.toHaveProperty('period.days');
});

test('a document lists its sections with what stands in them', () => {
  const document = card({
    resourceType: 'Composition',
    type: { coding: [{ code: '18842-5' }] },
    attester: [{ mode: 'legal', party: { display: 'Dr Lee' } }],
    section: [
      {
        title: 'Findings',
        text: { div: '<div>x</div>' },
        section: [{ code: { text: 'Labs' }, entry: [{ reference: 'Observation/1' }] }],
      },
      { title: 'Plan', emptyReason: { text: 'Not asked' } },
    ],
    text: { div: '<div>Summary</div>' },
  });
  expect(document).toMatchObject({
    narrative: '<div>Summary</div>',
    sections: [
      {
        title: 'Findings',
        hasText: true,
        entries: 0,
        sections: [{ title: 'Labs', entries: 1, pointer: '/section/0/section/0' }],
      },
      { title: 'Plan', emptyReason: 'Not asked', hasText: false },
    ],
  });
  expect(fact(document, 'Type')).toMatchObject({ concepts: [{ text: '18842-5' }] });
  expect(fact(document, 'Attested by')).toMatchObject({ references: [{ display: 'Dr Lee', reference: '' }] });
  expect(document.facts.filter(({ always, value }) => always && !value).map(({ label }) => label)).toEqual([
    'Status',
    'Subject',
    'Author',
  ]);
});

test.each([[null], [[]], ['text'], [{ activity: 'x', section: 1, subject: [], period: 'then', goal: {} }]])(
  'a record of any shape can be summed up: %j',
  (record) => {
    expect(card(record)).toMatchObject({ sections: [], facts: [] });
    const typed = card(Object.assign({ resourceType: 'CarePlan' }, record));
    expect(typed.facts.every(({ value }) => value === undefined)).toBe(true);
  },
);
