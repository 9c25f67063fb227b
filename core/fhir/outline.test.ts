import { expect, test } from 'vitest';
import { outlineOf } from './outline.ts';

const text = `{
  "status": "active",
  "category": [{"text": "Diet"}, {"coding": [{"display": "Care"}]}],
  "activity": [{"detail": {"code": {"text": "Walk"}, "status": "scheduled"}}]
}`;

test('names elements as in FHIRPath and shows their content', () => {
  expect(outlineOf(text).map(({ name, detail }) => `${name} ${detail}`)).toEqual([
    'status active',
    'category[0] Diet',
    'category[1] Care',
    'activity[0] Walk',
  ]);
});

test('has the range and the children of each element', () => {
  const entry = outlineOf(text)[3];
  expect(text.slice(entry?.start, entry?.end)).toBe(
    '{"detail": {"code": {"text": "Walk"}, "status": "scheduled"}}',
  );
  expect(entry?.children.map(({ name }) => name)).toEqual(['detail']);
});

test('shows a reference on one line', () => {
  const [subject, section] = outlineOf(
    '{"subject": {"reference": "Patient/a"}, "section": [{"entry": [{"reference": "Goal/b", "display": "Walk"}]}]}',
  );
  expect(subject).toMatchObject({ detail: 'Patient/a', children: [] });
  expect(section?.children).toMatchObject([{ name: 'entry[0]', detail: 'Walk', children: [] }]);
});

test('returns no entries for a text that is not JSON', () => {
  expect(outlineOf('{"a": ')).toEqual([]);
});

test('shows the negation of an activity and a contained resource', () => {
  const record = {
    resourceType: 'CarePlan',
    contained: [
      {
        resourceType: 'Condition',
        code: { text: 'Asthma' },
        verificationStatus: { coding: [{ code: 'refuted' }] },
      },
    ],
    activity: [{ detail: { doNotPerform: true, code: { text: 'Run' } } }, { detail: { doNotPerform: true } }],
  };
  const details = outlineOf(JSON.stringify(record)).map(({ name, detail }) => [name, detail]);
  expect(details.slice(1)).toEqual([
    ['contained[0]', 'Refuted: Asthma'],
    ['activity[0]', 'Do NOT: Run'],
    ['activity[1]', 'Do NOT: activity[1]'],
  ]);
});
