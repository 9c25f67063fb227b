import { expect, test } from 'vitest';
import { scan } from '../json/scan.ts';
import { columnElements, columnsOf, columnValues } from './columns.ts';
import { resourceTypes } from './resource.ts';

const valuesOf = (record: object, ...ids: string[]) =>
  columnValues(scan(JSON.stringify(record)).root, 'CarePlan', ids);

test('counts elements or lists their names', () => {
  const record = {
    activity: [{}, {}],
    category: [{ text: 'Diet' }, { coding: [{ code: '734163000' }] }, { text: 'Diet' }],
    author: { reference: 'Practitioner/1', display: 'Dr Nia Specimen' },
    careTeam: [{ reference: 'CareTeam/1' }],
    meta: {
      profile: ['http://a', 'http://b'],
      tag: [{ code: 'SUBSETTED' }, { code: 'x', display: 'Review' }],
    },
  };
  const ids = ['activities', 'goals', 'category', 'author', 'careTeam', 'profile', 'tag'];
  expect(valuesOf(record, ...ids)).toEqual({
    activities: '2',
    goals: '0',
    category: 'Diet, 734163000',
    author: 'Dr Nia Specimen',
    careTeam: 'CareTeam/1',
    profile: 'http://a, http://b',
    tag: 'Review',
  });
});

test('uses the next path if the first has no value', () => {
  expect(valuesOf({ contributor: [{ display: 'Ward 3' }] }, 'author')).toEqual({ author: 'Ward 3' });
});

test('reads only the requested columns from their elements', () => {
  expect(Object.keys(valuesOf({ goal: [{}] }, 'goals', 'no-such'))).toEqual(['goals']);
  const [column] = columnsOf.CarePlan.filter(({ id }) => id === 'profile');
  expect(column && columnElements([column])).toEqual(['meta']);
});

test.each(resourceTypes)('%s: has unique column ids', (type) => {
  const ids = columnsOf[type].map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});
