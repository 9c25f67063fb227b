import { expect, test } from 'vitest';
import { outlineOf } from './outline.ts';

const text = `{
  "status": "active",
  "category": [{"text": "Diet"}, {"coding": [{"display": "Care"}]}],
  "activity": [{"detail": {"code": {"text": "Walk"}, "status": "scheduled"}}]
}`;

test('elements are named as in FHIRPath, with what they say', () => {
  expect(outlineOf(text).map(({ name, detail }) => `${name} ${detail}`)).toEqual([
    'status active',
    'category[0] Diet',
    'category[1] Care',
    'activity[0] Walk',
  ]);
});

test('an entry stands where its element stands, its own elements within', () => {
  const entry = outlineOf(text)[3];
  expect(text.slice(entry?.start, entry?.end)).toBe(
    '{"detail": {"code": {"text": "Walk"}, "status": "scheduled"}}',
  );
  expect(entry?.children.map(({ name }) => name)).toEqual(['detail']);
});

test('a reference is one line', () => {
  const [subject, section] = outlineOf(
    '{"subject": {"reference": "Patient/a"}, "section": [{"entry": [{"reference": "Goal/b", "display": "Walk"}]}]}',
  );
  expect(subject).toMatchObject({ detail: 'Patient/a', children: [] });
  expect(section?.children).toMatchObject([{ name: 'entry[0]', detail: 'Walk', children: [] }]);
});

test('a text that is no JSON has no outline', () => {
  expect(outlineOf('{"a": ')).toEqual([]);
});

test('says what negates an activity and a contained resource', () => {
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
