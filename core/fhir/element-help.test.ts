import { expect, test } from 'vitest';
import { helpAt, membersAt } from './element-help.ts';

test('an element is told with its type, cardinality, meaning and codes', () => {
  const help = helpAt('CarePlan', ['activity', '0', 'detail', 'status']);
  expect(help).toMatchObject({
    type: 'code',
    cardinality: '1..1',
    expression: 'CarePlan.activity[0].detail.status',
  });
  expect(help?.short).toContain('not-started | scheduled');
  expect(help?.meanings?.['on-hold']).toContain('temporarily');
});

test('an item of a list is told as its list', () => {
  expect(helpAt('Composition', ['section', '2'])).toMatchObject({ name: 'section', cardinality: '0..*' });
});

test.each([[['nothing']], [['status', 'x']], [[]], [['contained', '0', 'status']]])(
  'nothing is known of %j',
  (tokens) => {
    expect(helpAt('CarePlan', tokens)).toBeUndefined();
  },
);

test('the members of a place are offered in the order of the definitions', () => {
  const names = (tokens: string[]) => membersAt('CarePlan', tokens).map(({ name }) => name);
  expect(names(['period'])).toEqual(['id', 'extension', 'start', 'end']);
  expect(names([])).toEqual(expect.arrayContaining(['status', 'intent', 'subject', 'activity']));
  expect(names(['category'])).toEqual([]);
  expect(names(['category', '0'])).toContain('coding');
  expect(names(['status'])).toEqual([]);
});
