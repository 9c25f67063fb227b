import { expect, test } from 'vitest';
import { serializeNode } from '../../json/node.ts';
import { readRecord } from '../record.ts';
import { applyFixes } from './fixes.ts';
import { validate } from '../validation/validate.ts';
import type { ResourceType } from '../resource.ts';

const settings = { today: '2026-11-28' };
const plan =
  '"resourceType":"CarePlan","status":"active","intent":"plan","subject":{"reference":"Patient/a"}';
const document =
  '"resourceType":"Composition","status":"final","type":{"text":"a"},"date":"2026","author":[{"display":"a"}],"title":"a"';

const releasesIn = (text: string, type: ResourceType) =>
  validate(readRecord(text, type), type, settings)
    .filter(({ rule }) => rule === 'fhir-release')
    .map(({ parameters, expression }) => [parameters?.name, expression]);

test.each<readonly [string, ResourceType, string, readonly string[]]>([
  ['STU3', 'CarePlan', `${plan},"context":{"reference":"Encounter/e"}`, ['CarePlan.context']],
  [
    'DSTU2',
    'CarePlan',
    '"resourceType":"CarePlan","status":"active","activity":[{"detail":{"status":"in-progress","prohibited":false}}]',
    ['CarePlan.activity[0].detail.prohibited'],
  ],
  [
    'R5',
    'CarePlan',
    `${plan},"addresses":[{"reference":{"reference":"Condition/c"}}]`,
    ['CarePlan.addresses[0].reference'],
  ],
  [
    'DSTU2 or STU3',
    'Composition',
    `${document},"attester":[{"mode":["legal"]}]`,
    ['Composition.attester[0].mode'],
  ],
  ['R5', 'Composition', `${document},"subject":[{"display":"a"}]`, ['Composition.subject']],
])('recognizes %s of a %s by its elements, and names it first', (release, type, members, expressions) => {
  const text = `{${members}}`;
  expect(releasesIn(text, type)).toEqual(expressions.map((expression) => [release, expression]));
  expect(validate(readRecord(text, type), type, settings)[0]?.rule).toBe('fhir-release');
});

test.each([
  [
    'a plan of R4',
    `${plan},"encounter":{"reference":"Encounter/e"},"addresses":[{"reference":"Condition/c"}]`,
  ],
  ['a plan with an unknown element', `${plan},"x":1`],
])('recognizes no other release in %s', (_, members) => {
  expect(releasesIn(`{${members}}`, 'CarePlan')).toEqual([]);
});

test.each<readonly [ResourceType, string, string]>([
  [
    'CarePlan',
    `${plan},"context":{"reference":"Encounter/e"},"activity":[{"detail":{"status":"unknown","prohibited":true}}]`,
    `${plan},"encounter":{"reference":"Encounter/e"},"activity":[{"detail":{"status":"unknown","doNotPerform":true}}]`,
  ],
  [
    'CarePlan',
    `${plan},"addresses":[{"reference":{"reference":"Condition/c"}}],"activity":[{"performedActivity":[{"concept":{"text":"Walk"}}],"plannedActivityReference":{"reference":"ServiceRequest/s"}}]`,
    `${plan},"addresses":[{"reference":"Condition/c"}],"activity":[{"outcomeCodeableConcept":[{"text":"Walk"}],"reference":{"reference":"ServiceRequest/s"}}]`,
  ],
  [
    'Composition',
    `${document},"class":{"text":"b"},"attester":[{"mode":["legal"]}]`,
    `${document},"category":[{"text":"b"}],"attester":[{"mode":"legal"}]`,
  ],
])('moves the elements of a %s to R4, with each value: %s', (type, members, expected) => {
  const fixed = applyFixes(readRecord(`{${members}}`, type), type, 'fhir-release', settings);
  expect(fixed && serializeNode(fixed.root)).toBe(`{${expected}}`);
});

test.each([
  ['R4 has no place for it', `${plan},"context":{"reference":"EpisodeOfCare/e"}`],
  [
    'its place is taken',
    `${plan},"context":{"reference":"Encounter/e"},"encounter":{"reference":"Encounter/f"}`,
  ],
])('moves no element if %s', (_, members) => {
  expect(
    applyFixes(readRecord(`{${members}}`, 'CarePlan'), 'CarePlan', 'fhir-release', settings),
  ).toBeUndefined();
});
