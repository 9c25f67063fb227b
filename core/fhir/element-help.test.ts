import { expect, test } from 'vitest';
import { helpAt, membersAt } from './element-help.ts';

test('returns type, cardinality, meaning and codes of an element', () => {
  const help = helpAt('CarePlan', ['activity', '0', 'detail', 'status']);
  expect(help).toMatchObject({
    type: 'code',
    cardinality: '1..1',
    expression: 'CarePlan.activity[0].detail.status',
  });
  expect(help?.short).toContain('not-started | scheduled');
  expect(help?.meanings?.['on-hold']).toContain('temporarily');
});

test('returns the help of the list for an item', () => {
  expect(helpAt('Composition', ['section', '2'])).toMatchObject({ name: 'section', cardinality: '0..*' });
});

test.each([[['nothing']], [['status', 'x']], [[]], [['contained', '0', 'status']]])(
  'returns undefined for %j',
  (tokens) => {
    expect(helpAt('CarePlan', tokens)).toBeUndefined();
  },
);

test('lists the members of an element in the order of the definitions', () => {
  const names = (tokens: string[]) => membersAt('CarePlan', tokens).map(({ name }) => name);
  expect(names(['period'])).toEqual(['id', 'extension', 'start', 'end']);
  expect(names([])).toEqual(expect.arrayContaining(['status', 'intent', 'subject', 'activity']));
  expect(names(['category'])).toEqual([]);
  expect(names(['category', '0'])).toContain('coding');
  expect(names(['status'])).toEqual([]);
});
