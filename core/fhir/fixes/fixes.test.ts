import { existsSync, globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { serializeNode, type JsonObject } from '../../json/node.ts';
import { formatPointer } from '../../json/pointer.ts';
import { scan } from '../../json/scan.ts';
import type { ResourceType } from '../resource.ts';
import { rules } from '../validation/rules.ts';
import { validate } from '../validation/validate.ts';
import { applyFixes, everySafeFix, fixes, fixOf, removalOfErrors, suggestionsAt } from './fixes.ts';

const today = '2026-11-24';
const settings = { today, zoneOf: () => '+01:00' };
const sampleRecordsFolder = resolve(import.meta.dirname, '../../../../shared/data');

function read(text: string): JsonObject {
  const { root } = scan(text);
  if (root.kind !== 'object') throw new TypeError('The text is not a JSON object.');
  return root;
}

describe('the list of fixes', () => {
  test('has one entry for each rule, with a fix or a reason', () => {
    expect(fixes.map(({ rule }) => rule)).toEqual([...new Set(fixes.map(({ rule }) => rule))]);
    expect(rules.map(({ id }) => id).filter((id) => !fixOf(id))).toEqual([]);
    for (const { reasonWithoutOptions } of fixes) expect(reasonWithoutOptions).toMatch(/^[A-Z].{20,}\.$/);
  });
});

test.each<[string, ResourceType, string, string, readonly string[]]>([
  ['a code', 'CarePlan', '"status":"in-progress"', '/status', ['Set to active']],
  ['a code by its spelling', 'CarePlan', '"status":"On Hold"', '/status', ['Set to on-hold']],
  ['a code by its meaning', 'Composition', '"confidentiality":"normal"', '/confidentiality', ['Set to N']],
])('suggests the closest value first: %s', (_, type, members, pointer, expected) => {
  const root = read(`{"resourceType":"${type}",${members}}`);
  const labels = suggestionsAt(root, type, { rule: 'schema-code', pointer }, settings).map(
    (suggestion) => suggestion.ruleLabel,
  );
  expect(labels.slice(0, 1)).toEqual(expected);
});

const planWith = (members: string) => {
  const required =
    '"resourceType":"CarePlan","status":"active","intent":"plan","subject":{"reference":"Patient/p"}';
  return read(`{${[required, members].filter((part) => part !== '').join(',')}}`);
};

/** Returns a plan after a fix, or the plan itself if the fix changes nothing. */
const fixPlan = (root: JsonObject, id: string) => applyFixes(root, 'CarePlan', id, settings)?.root ?? root;

const extensionWith = (members: string) => `"extension":[{"url":"http://x.example",${members}}]`;
const nestedExtension = '"extension":[{"url":"http://y.example","valueString":"b"}]';

test.each([
  ['"created":"2024-03-12T09:30"', 'date-time-zone=utc', '"created":"2024-03-12T09:30:00Z"'],
  ['"created":"2024-03-12T09:30"', 'date-time-zone=local', '"created":"2024-03-12T09:30:00+01:00"'],
  ['"created":"2024-03-12T09:30"', 'date-time-zone=day', '"created":"2024-03-12"'],
  ['"created":"12.03.2024"', 'schema-primitive=date=day-first', '"created":"2024-03-12"'],
  ['"created":"03/25/2024"', 'schema-primitive=date=month-first', '"created":"2024-03-25"'],
  ['"created":" 2024-03-12 "', 'schema-primitive=trim', '"created":"2024-03-12"'],
  [extensionWith('"valueInteger":" 12 "'), 'schema-type=number', extensionWith('"valueInteger":12')],
  [
    '"extension":[{"url":"http://hl7.org/fhir/StructureDefinition/data-absent-reason","valueString":"unknown"}]',
    'data-absent-reason',
    '"extension":[{"url":"http://hl7.org/fhir/StructureDefinition/data-absent-reason","valueCode":"unknown"}]',
  ],
  [extensionWith(`"valueString":"a",${nestedExtension}`), 'ext-1=value', extensionWith('"valueString":"a"')],
  [extensionWith(`"valueString":"a",${nestedExtension}`), 'ext-1=extension', extensionWith(nestedExtension)],
  ...[
    ['ward@clinic.example', 'email'],
    ['https://clinic.example', 'url'],
    ['+49 (30) 12-34', 'phone'],
  ].map(([value, system]): [string, string, string] => [
    extensionWith(`"valueContactPoint":{"value":"${value}"}`),
    `cpt-2=${system}`,
    extensionWith(`"valueContactPoint":{"value":"${value}","system":"${system}"}`),
  ]),
  ['"title":10.420', 'schema-type=text', '"title":"10.420"'],
  ['"titel":"A"', 'schema-unknown=title', '"title":"A"'],
  ['"careManager":1.50', 'schema-unknown=remove', ''],
  ['"language":"en_GB"', 'language-tag', '"language":"en-GB"'],
  ['"language":"german language"', 'language-tag', '"language":"de"'],
  ['"note":[{"text":"x"}],"description":""', 'empty', '"note":[{"text":"x"}]'],
  [
    '"period":{"start":"2025-06-01","end":"2025-05-01"}',
    'per-1',
    '"period":{"start":"2025-05-01","end":"2025-06-01"}',
  ],
])('fixes %s with the option %s', (members, id, expectedMembers) => {
  const result = applyFixes(planWith(members), 'CarePlan', id, settings);
  expect([result?.fixedCount, result && serializeNode(result.root)]).toEqual([
    1,
    serializeNode(planWith(expectedMembers)),
  ]);
});

const containedGoalWith = (members: string) =>
  `"contained":[{"resourceType":"Goal","id":"g",${members},"description":{"text":"x"},"subject":{"display":"x"}}],"goal":[{"reference":"#g"}]`;

test.each([
  [
    containedGoalWith('"lifecycleStatus":"Active"'),
    'schema-code',
    containedGoalWith('"lifecycleStatus":"active"'),
  ],
  [
    containedGoalWith('"lifecyclestatus":"active"'),
    'schema-unknown=lifecycleStatus',
    containedGoalWith('"lifecycleStatus":"active"'),
  ],
  [
    containedGoalWith('"lifecycleStatus":"active","startDate":"12.03.2024"'),
    'schema-primitive=date=day-first',
    containedGoalWith('"lifecycleStatus":"active","startDate":"2024-03-12"'),
  ],
  [
    containedGoalWith('"lifecycleStatus":"active","target":[{"dueDate":"2024-02-31"}]'),
    'remove',
    containedGoalWith('"lifecycleStatus":"active"'),
  ],
  [
    '"category":[{"coding":[{"system":"SNOMED CT","code":"1"}]}]',
    'system-absolute',
    '"category":[{"coding":[{"system":"http://snomed.info/sct","code":"1"}]}]',
  ],
  [
    '"extension":[{"url":"http://x.example","valueQuantity":{"value":1.50,"system":"http://unitsofmeasure.org","code":"hours"}}]',
    'ucum',
    '"extension":[{"url":"http://x.example","valueQuantity":{"value":1.50,"system":"http://unitsofmeasure.org","code":"h"}}]',
  ],
  [
    '"author":{"reference":"Practitioner/1","type":"Patient"}',
    'reference-type',
    '"author":{"reference":"Practitioner/1","type":"Practitioner"}',
  ],
])('fixes the nested element in %s with the option %s', (members, id, expectedMembers) => {
  const result = applyFixes(planWith(members), 'CarePlan', id, settings);
  expect(result && serializeNode(result.root)).toBe(serializeNode(planWith(expectedMembers)));
});

test('fixes all findings of a rule in a record, and preserves digits', () => {
  const times = '"2024-03-12T09:30","2024-03-13T09:30:15","2024-03-14"';
  const detail = `{"detail":{"status":"unknown","dailyAmount":{"value":1.50},"scheduledTiming":{"event":[${times}]}}}`;
  const root = planWith(`"activity":[${detail}]`);
  const result = applyFixes(root, 'CarePlan', 'date-time-zone=utc', settings);
  expect(result?.fixedCount).toBe(2);
  const text = serializeNode(result?.root ?? root);
  expect(text).toContain('["2024-03-12T09:30:00Z","2024-03-13T09:30:15Z","2024-03-14"]');
  expect(text).toContain('"value":1.50');
  expect(applyFixes(result?.root ?? root, 'CarePlan', 'date-time-zone=utc', settings)).toBeUndefined();
  expect(applyFixes(root, 'CarePlan', 'unknown', settings)).toBeUndefined();
});

test('applies all safe fixes at once, and removes the other errors on request', () => {
  const root = planWith(
    '"created":"2025-02-29","language":"en_GB","encounter":{"reference":"EpisodeOfCare/1"},"note":[{"text":"stays","author":1}]',
  );
  const withSafeFixes = fixPlan(root, everySafeFix);
  expect(serializeNode(withSafeFixes)).toContain('"language":"en-GB"');
  const remainingRules = validate(withSafeFixes, 'CarePlan', settings).map(({ rule }) => rule);
  expect(remainingRules).toEqual(expect.arrayContaining(['calendar-date', 'reference-target']));
  const after = fixPlan(withSafeFixes, removalOfErrors);
  expect(validate(after, 'CarePlan', settings).filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(serializeNode(after)).not.toMatch(/created|encounter/);
  expect(serializeNode(after)).toContain('"text":"stays"');
});

test('removes an unfixable contained resource with its references', () => {
  const goals = '{"resourceType":"LegacyGoal","id":"g"},{"resourceType":"Location","id":"l"}';
  const root = planWith(
    `"contained":[${goals}],"goal":[{"reference":"#g"},{"reference":"Goal/1"}],"activity":[{"detail":{"status":"unknown","location":{"reference":"#l"}}}]`,
  );
  expect(serializeNode(fixPlan(root, removalOfErrors))).toBe(
    serializeNode(
      planWith(
        '"contained":[{"resourceType":"Location","id":"l"}],"goal":[{"reference":"Goal/1"}],"activity":[{"detail":{"status":"unknown","location":{"reference":"#l"}}}]',
      ),
    ),
  );
  // Keeps a contained resource that the subject of the record refers to.
  const rootWithReferencedSubject = read(
    '{"resourceType":"CarePlan","contained":[{"resourceType":"Person1","id":"g"}],"status":"active","intent":"plan","subject":{"reference":"#g"}}',
  );
  expect(applyFixes(rootWithReferencedSubject, 'CarePlan', removalOfErrors, settings)).toBeUndefined();
});

test('never removes an element that the record requires', () => {
  const root = read(
    '{"resourceType":"CarePlan","status":"doing","intent":"plan","subject":{"reference":"Patient/p"}}',
  );
  expect(applyFixes(root, 'CarePlan', removalOfErrors, settings)).toBeUndefined();
});

test('writes the text of a section from the names of its entries', () => {
  const section = (members: string) =>
    `"section":[{"title":"A","entry":[{"display":"X & Y"},{"display":"Z"}]${members}}]`;
  const composition = (members: string) => read(`{"resourceType":"Composition",${section(members)}}`);
  const finding = { rule: 'section-without-text', pointer: '/section/0' };
  const [suggestion] = suggestionsAt(composition(''), 'Composition', finding, settings);
  const div = '<div xmlns=\\"http://www.w3.org/1999/xhtml\\"><ul><li>X &amp; Y</li><li>Z</li></ul></div>';
  expect(suggestion && serializeNode(suggestion.fixedRoot)).toContain(
    `"text":{"status":"generated","div":"${div}"}`,
  );
});

test('sets an overdue plan to completed', () => {
  const root = planWith('"period":{"end":"2020-01-01"}');
  expect(serializeNode(fixPlan(root, 'plan-overdue'))).toContain('"status":"completed"');
});

test('suggests to move a nested contained resource to the record, or to remove it', () => {
  const resource = (id: string, members = '') => `{"resourceType":"Location","id":"${id}"${members}}`;
  const location = '"location":{"reference":"#in"}';
  const activity = `"activity":[{"detail":{"status":"unknown",${location}}}]`;
  const root = planWith(`"contained":[${resource('out', `,"contained":[${resource('in')}]`)}],${activity}`);
  const suggestions = suggestionsAt(root, 'CarePlan', { rule: 'dom-2', pointer: '/contained/0' }, settings);
  const [moveSuggestion] = suggestions.filter(({ id }) => id === 'dom-2=raise');
  expect(moveSuggestion && serializeNode(moveSuggestion.fixedRoot)).toContain(
    `"contained":[${resource('out')},${resource('in')}]`,
  );
  const [removalSuggestion] = suggestions.filter(({ id }) => id === 'dom-2=remove');
  expect(removalSuggestion && serializeNode(removalSuggestion.fixedRoot)).toContain(
    `"contained":[${resource('out')}]`,
  );
});

test('suggests all codes of a small value set, and only similar codes of a large one', () => {
  const countSuggestions = (members: string, pointer: string) =>
    suggestionsAt(planWith(members), 'CarePlan', { rule: 'schema-code', pointer }, settings).length;
  const detail = (members: string) => `"activity":[{"detail":{"status":"unknown",${members}}}]`;
  const repeat = '/activity/0/detail/scheduledTiming/repeat';
  const timing = (members: string) => detail(`"scheduledTiming":{"repeat":{${members}}}`);
  expect(
    countSuggestions(timing('"when":["zzzzzz"],"duration":1,"durationUnit":"h"'), `${repeat}/when/0`),
  ).toBe(0);
  expect(countSuggestions(timing('"duration":1,"durationUnit":"zzzzzz"'), `${repeat}/durationUnit`)).toBe(7);
});

test('suggests a removal that moves a remaining error to another index', () => {
  const root = planWith('"activity":[{},{"detail":{"status":"zzzzzz"}}]');
  const finding = { rule: 'empty', pointer: '/activity/0' };
  expect(suggestionsAt(root, 'CarePlan', finding, settings)).toHaveLength(1);
});

test('never truncates an instant to its day', () => {
  const instants = ['2024-03-12', '2024-03-12T09:30'];
  const extensions = instants.map((instant) => `{"url":"http://x.example","valueInstant":"${instant}"}`);
  const finding = { rule: 'date-time-zone', pointer: '/extension/1/valueInstant' };
  const suggestions = suggestionsAt(
    planWith(`"extension":[${extensions.join()}]`),
    'CarePlan',
    finding,
    settings,
  );
  expect(suggestions.map(({ id }) => id)).toEqual(['date-time-zone=local', 'date-time-zone=utc']);
});

test('suggests nothing if the text changed since the finding', () => {
  const finding = { rule: 'date-time-zone', pointer: '/created' };
  expect(suggestionsAt(planWith('"created":"2024-03-12"'), 'CarePlan', finding, settings)).toEqual([]);
});

test('suggests nothing for an element that is already fixed', () => {
  const fixedMembers =
    '"extension":[{"url":"http://hl7.org/fhir/StructureDefinition/data-absent-reason","valueCode":"unknown"}]';
  const finding = { rule: 'data-absent-reason', pointer: '/extension/0/valueCode' };
  expect(suggestionsAt(planWith(fixedMembers), 'CarePlan', finding, settings)).toEqual([]);
});

test('suggests no change that adds an error', () => {
  const root = read('{"resourceType":"CarePlan","status":"active","intent":"plan","subject":{}}');
  const findings = validate(root, 'CarePlan', settings).map(({ rule, tokens }) => [
    rule,
    formatPointer(tokens),
  ]);
  expect(findings).toEqual([['empty', '/subject']]);
  expect(suggestionsAt(root, 'CarePlan', { rule: 'empty', pointer: '/subject' }, settings)).toEqual([]);
});

test.skipIf(!existsSync(sampleRecordsFolder))(
  'resolves findings of the sample records without new errors (not run without the records)',
  () => {
    const paths = globSync(`${sampleRecordsFolder}/{CarePlan,Composition}/*.json`);
    let fixedCount = 0;
    for (const path of paths) {
      const text = readFileSync(path, 'utf8');
      const type = path.includes('/CarePlan/') ? 'CarePlan' : 'Composition';
      let root: JsonObject;
      try {
        root = read(text);
      } catch {
        continue;
      }
      for (const rule of new Set(validate(root, type, settings).map((finding) => finding.rule))) {
        const result = applyFixes(root, type, rule, settings);
        if (!result) continue;
        fixedCount += result.fixedCount;
        const [before, after] = [validate(root, type, settings), validate(result.root, type, settings)];
        const countErrors = (list: typeof before) =>
          list.filter(({ severity }) => severity === 'error').length;
        expect([path, rule, countErrors(after) <= countErrors(before)]).toEqual([path, rule, true]);
        const countOfRule = (list: typeof before) => list.filter((finding) => finding.rule === rule).length;
        expect([path, rule, countOfRule(after) < countOfRule(before)]).toEqual([path, rule, true]);
      }
    }
    expect(fixedCount).toBeGreaterThan(100);
  },
);

test('suggests an ambiguous date once, and applies it by either id', () => {
  const root = planWith('"created":"05/05/2024"');
  const ids = suggestionsAt(
    root,
    'CarePlan',
    { rule: 'schema-primitive', pointer: '/created' },
    settings,
  ).map(({ id }) => id);
  expect(ids).toEqual(['schema-primitive=date=day-first']);
  for (const order of ['day-first', 'month-first'])
    expect(serializeNode(fixPlan(root, `schema-primitive=date=${order}`))).toContain(
      '"created":"2024-05-05"',
    );
});
