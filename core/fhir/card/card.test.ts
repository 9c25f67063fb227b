import { expect, test } from 'vitest';
import { scan } from '../../json/scan.ts';
import { cardOf, type RecordCard } from './card.ts';

const today = '2025-03-10';
const card = (record: unknown) => cardOf(scan(JSON.stringify(record)).root, today);
const fact = ({ facts }: RecordCard, id: string) => facts.find((detail) => detail.id === id)?.value;

test('summarizes subject, period and overdue activities of a plan', () => {
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
      { title: 'Walk', status: 'in-progress', due: '2025-03-08', overdueDays: 2, pointer: '/activity/0' },
      { title: 'Rest', due: '2025-03-08' },
      { title: 'Blood count', reference: { reference: 'ServiceRequest/9' }, pointer: '/activity/2' },
    ],
  });
  expect(plan.activities[1]?.overdueDays).toBeUndefined();
  expect(fact(plan, 'subject')).toEqual({
    kind: 'references',
    references: [{ reference: 'Patient/17', display: 'Ada', pointer: '/subject' }],
  });
  expect(fact(plan, 'period')).toMatchObject({ period: { days: 31, overdueDays: 38 }, overdue: true });
  expect(fact(plan, 'category')).toEqual({
    kind: 'concepts',
    concepts: [
      { text: 'Assessment', pointer: '/category/0' },
      { text: 'Diet', pointer: '/category/1' },
    ],
  });
});

test('reports no overdue plan if it ends today, is completed or has no end', () => {
  const period = (status: string, end?: string) =>
    fact(card({ resourceType: 'CarePlan', status, period: { start: '2025-01-01', end } }), 'period');
  expect(period('active', today)).toMatchObject({ overdue: false });
  expect(period('active')).toMatchObject({ overdue: false });
  expect(period('completed', '2025-01-31')).toMatchObject({ overdue: false });
  expect(period('active', '2025-02')).not.toHaveProperty('period.days');
});

test('summarizes the sections of a document', () => {
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
  expect(fact(document, 'type')).toMatchObject({ concepts: [{ text: '18842-5' }] });
  expect(fact(document, 'attesters')).toMatchObject({ references: [{ display: 'Dr Lee', reference: '' }] });
  expect(
    document.facts.filter(({ isAlwaysShown, value }) => isAlwaysShown && !value).map(({ id }) => id),
  ).toEqual(['status', 'subject', 'author']);
});

test.each([[null], [[]], ['text'], [{ activity: 'x', section: 1, subject: [], period: 'then', goal: {} }]])(
  'summarizes a record of any shape: %j',
  (record) => {
    expect(card(record)).toMatchObject({ sections: [], facts: [] });
    const typedCard = card(Object.assign({ resourceType: 'CarePlan' }, record));
    expect(typedCard.facts.every(({ value }) => value === undefined)).toBe(true);
  },
);
