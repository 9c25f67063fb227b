import { existsSync, globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../json/node.ts';
import { formatPointer } from '../../json/pointer.ts';
import { print } from '../../json/print.ts';
import { scan } from '../../json/scan.ts';
import type { ResourceType } from '../resource.ts';
import { rules } from '../validation/rules.ts';
import { validate } from '../validation/validate.ts';
import { fixes, fixesAt, fixOf, mendAll } from './fixes.ts';

const today = '2026-11-24';
const settings = { today, zoneOf: () => '+01:00' };
const data = resolve(import.meta.dirname, '../../../../shared/data');

function read(text: string): JsonObject {
  const { root } = scan(text);
  if (root.kind !== 'object') throw new TypeError('This is no record.');
  return root;
}

describe('the table', () => {
  test('has each rule once: with what it does, or why it does nothing', () => {
    expect(fixes.map(({ rule }) => rule)).toEqual([...new Set(fixes.map(({ rule }) => rule))]);
    expect(rules.map(({ id }) => id).filter((id) => !fixOf(id))).toEqual([]);
    for (const { none } of fixes) expect(none).toMatch(/^[A-Z].{20,}\.$/);
  });
});

test.each<[string, ResourceType, string, string, readonly string[]]>([
  ['a code', 'CarePlan', '{"status":"in-progress"}', '/status', ['Set to active']],
  ['a code by its spelling', 'CarePlan', '{"status":"On Hold"}', '/status', ['Set to on-hold']],
  ['a code by its meaning', 'Composition', '{"confidentiality":"normal"}', '/confidentiality', ['Set to N']],
])('%s that is near comes first', (_, type, members, pointer, first) => {
  const root = read(`{"resourceType":"${type}",${members.slice(1)}`);
  const words = fixesAt(root, type, { rule: 'schema-code', pointer }, settings).map((one) => one.words);
  expect(words.slice(0, 1)).toEqual(first);
});

const plan = (members: string) => {
  const own =
    '"resourceType":"CarePlan","status":"active","intent":"plan","subject":{"reference":"Patient/p"}';
  return read(`{${[own, members].filter((one) => one !== '').join(',')}}`);
};

const extended = (members: string) => `"extension":[{"url":"http://x.example",${members}}]`;
const inner = '"extension":[{"url":"http://y.example","valueString":"b"}]';

test.each([
  ['"created":"2024-03-12T09:30"', 'date-time-zone=utc', '"created":"2024-03-12T09:30:00Z"'],
  ['"created":"2024-03-12T09:30"', 'date-time-zone=local', '"created":"2024-03-12T09:30:00+01:00"'],
  ['"created":"2024-03-12T09:30"', 'date-time-zone=day', '"created":"2024-03-12"'],
  ['"created":"12.03.2024"', 'schema-primitive=date=day-first', '"created":"2024-03-12"'],
  ['"created":"03/25/2024"', 'schema-primitive=date=month-first', '"created":"2024-03-25"'],
  ['"created":" 2024-03-12 "', 'schema-primitive=trim', '"created":"2024-03-12"'],
  [extended('"valueInteger":" 12 "'), 'schema-type=number', extended('"valueInteger":12')],
  [
    '"extension":[{"url":"http://hl7.org/fhir/StructureDefinition/data-absent-reason","valueString":"unknown"}]',
    'data-absent-reason',
    '"extension":[{"url":"http://hl7.org/fhir/StructureDefinition/data-absent-reason","valueCode":"unknown"}]',
  ],
  [extended(`"valueString":"a",${inner}`), 'ext-1=value', extended('"valueString":"a"')],
  [extended(`"valueString":"a",${inner}`), 'ext-1=extension', extended(inner)],
  ...[
    ['ward@clinic.example', 'email'],
    ['https://clinic.example', 'url'],
    ['+49 (30) 12-34', 'phone'],
  ].map(([value, system]): [string, string, string] => [
    extended(`"valueContactPoint":{"value":"${value}"}`),
    `cpt-2=${system}`,
    extended(`"valueContactPoint":{"value":"${value}","system":"${system}"}`),
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
])('%s is mended by %s', (members, id, after) => {
  const mended = mendAll(plan(members), 'CarePlan', id, settings);
  expect([mended?.mended, mended && print(mended.root)]).toEqual([1, print(plan(after)).replace(',}', '}')]);
});

const goalIn = (members: string) =>
  `"contained":[{"resourceType":"Goal","id":"g",${members},"description":{"text":"x"},"subject":{"display":"x"}}],"goal":[{"reference":"#g"}]`;

test.each([
  [goalIn('"lifecycleStatus":"Active"'), 'schema-code', goalIn('"lifecycleStatus":"active"')],
  [
    goalIn('"lifecyclestatus":"active"'),
    'schema-unknown=lifecycleStatus',
    goalIn('"lifecycleStatus":"active"'),
  ],
  [
    goalIn('"lifecycleStatus":"active","startDate":"12.03.2024"'),
    'schema-primitive=date=day-first',
    goalIn('"lifecycleStatus":"active","startDate":"2024-03-12"'),
  ],
  [
    goalIn('"lifecycleStatus":"active","target":[{"dueDate":"2024-02-31"}]'),
    'remove',
    goalIn('"lifecycleStatus":"active"'),
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
])('%s is mended by %s where it stands', (members, id, after) => {
  const mended = mendAll(plan(members), 'CarePlan', id, settings);
  expect(mended && print(mended.root)).toBe(print(plan(after)));
});

test('all findings of a rule in a record are mended, and digits stay as they are written', () => {
  const times = '"2024-03-12T09:30","2024-03-13T09:30:15","2024-03-14"';
  const detail = `{"detail":{"status":"unknown","dailyAmount":{"value":1.50},"scheduledTiming":{"event":[${times}]}}}`;
  const root = plan(`"activity":[${detail}]`);
  const mended = mendAll(root, 'CarePlan', 'date-time-zone=utc', settings);
  expect(mended?.mended).toBe(2);
  const text = print(mended?.root ?? root);
  expect(text).toContain('["2024-03-12T09:30:00Z","2024-03-13T09:30:15Z","2024-03-14"]');
  expect(text).toContain('"value":1.50');
  expect(mendAll(mended?.root ?? root, 'CarePlan', 'date-time-zone=utc', settings)).toBeUndefined();
  expect(mendAll(root, 'CarePlan', 'unknown', settings)).toBeUndefined();
});

test('whatever has a safe fix is mended at once; what has none is left, and can be removed with what is empty then', () => {
  const root = plan(
    '"created":"2025-02-29","language":"en_GB","encounter":{"reference":"EpisodeOfCare/1"},"note":[{"text":"stays","author":1}]',
  );
  const every = mendAll(root, 'CarePlan', 'every', settings);
  expect(print(every?.root ?? root)).toContain('"language":"en-GB"');
  const left = validate(every?.root ?? root, 'CarePlan', settings).map(({ rule }) => rule);
  expect(left).toEqual(expect.arrayContaining(['calendar-date', 'reference-target']));
  const after = mendAll(every?.root ?? root, 'CarePlan', 'remove', settings)?.root ?? root;
  expect(validate(after, 'CarePlan', settings).filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(print(after)).not.toMatch(/created|encounter/);
  expect(print(after)).toContain('"text":"stays"');
});

test('a contained resource that cannot be mended is removed with what refers to it', () => {
  const goals = '{"resourceType":"LegacyGoal","id":"g"},{"resourceType":"Location","id":"l"}';
  const root = plan(
    `"contained":[${goals}],"goal":[{"reference":"#g"},{"reference":"Goal/1"}],"activity":[{"detail":{"status":"unknown","location":{"reference":"#l"}}}]`,
  );
  const after = mendAll(root, 'CarePlan', 'remove', settings);
  expect(print(after?.root ?? root)).toBe(
    print(
      plan(
        '"contained":[{"resourceType":"Location","id":"l"}],"goal":[{"reference":"Goal/1"}],"activity":[{"detail":{"status":"unknown","location":{"reference":"#l"}}}]',
      ),
    ),
  );
  // What is about nobody else is not left without whom it is about.
  const subject = read(
    '{"resourceType":"CarePlan","contained":[{"resourceType":"Person1","id":"g"}],"status":"active","intent":"plan","subject":{"reference":"#g"}}',
  );
  expect(mendAll(subject, 'CarePlan', 'remove', settings)).toBeUndefined();
});

test('what the record cannot do without is not removed', () => {
  const root = read(
    '{"resourceType":"CarePlan","status":"doing","intent":"plan","subject":{"reference":"Patient/p"}}',
  );
  expect(mendAll(root, 'CarePlan', 'remove', settings)).toBeUndefined();
});

test('a section without a text gets one of the names of its entries', () => {
  const section = (more: string) =>
    `"section":[{"title":"A","entry":[{"display":"X & Y"},{"display":"Z"}]${more}}]`;
  const note = (more: string) => read(`{"resourceType":"Composition",${section(more)}}`);
  const at = { rule: 'section-without-text', pointer: '/section/0' };
  const [offered] = fixesAt(note(''), 'Composition', at, settings);
  const div = '<div xmlns=\\"http://www.w3.org/1999/xhtml\\"><ul><li>X &amp; Y</li><li>Z</li></ul></div>';
  expect(offered && print(offered.root)).toContain(`"text":{"status":"generated","div":"${div}"}`);
});

test('a plan that is overdue is set to completed', () => {
  const root = plan('"period":{"end":"2020-01-01"}');
  const mended = mendAll(root, 'CarePlan', 'plan-overdue', settings);
  expect(print(mended?.root ?? root)).toContain('"status":"completed"');
});

test('a resource inside a contained one is raised into the record, or removed', () => {
  const resource = (id: string, more = '') => `{"resourceType":"Location","id":"${id}"${more}}`;
  const part = '"location":{"reference":"#in"}';
  const activity = `"activity":[{"detail":{"status":"unknown",${part}}}]`;
  const root = plan(`"contained":[${resource('out', `,"contained":[${resource('in')}]`)}],${activity}`);
  const offered = fixesAt(root, 'CarePlan', { rule: 'dom-2', pointer: '/contained/0' }, settings);
  const [raise] = offered.filter(({ id }) => id === 'dom-2=raise');
  expect(raise && print(raise.root)).toContain(`"contained":[${resource('out')},${resource('in')}]`);
  const [remove] = offered.filter(({ id }) => id === 'dom-2=remove');
  expect(remove && print(remove.root)).toContain(`"contained":[${resource('out')}]`);
});

test('of many codes none is offered where none is near; few are offered all', () => {
  const offered = (members: string, pointer: string) =>
    fixesAt(plan(members), 'CarePlan', { rule: 'schema-code', pointer }, settings).length;
  const detail = (more: string) => `"activity":[{"detail":{"status":"unknown",${more}}}]`;
  const repeat = '/activity/0/detail/scheduledTiming/repeat';
  const timing = (more: string) => detail(`"scheduledTiming":{"repeat":{${more}}}`);
  expect(offered(timing('"when":["zzzzzz"],"duration":1,"durationUnit":"h"'), `${repeat}/when/0`)).toBe(0);
  expect(offered(timing('"duration":1,"durationUnit":"zzzzzz"'), `${repeat}/durationUnit`)).toBe(7);
});

test('a fault that only moves up in its list is no new one', () => {
  const root = plan('"activity":[{},{"detail":{"status":"zzzzzz"}}]');
  const at = { rule: 'empty', pointer: '/activity/0' };
  expect(fixesAt(root, 'CarePlan', at, settings)).toHaveLength(1);
});

test('an instant is not cut to its day, not even beside one that was', () => {
  const instants = ['2024-03-12', '2024-03-12T09:30'];
  const each = instants.map((one) => `{"url":"http://x.example","valueInstant":"${one}"}`);
  const at = { rule: 'date-time-zone', pointer: '/extension/1/valueInstant' };
  const offered = fixesAt(plan(`"extension":[${each.join()}]`), 'CarePlan', at, settings);
  expect(offered.map(({ id }) => id)).toEqual(['date-time-zone=local', 'date-time-zone=utc']);
});

test('where a time was found without a zone and another text stands by now nothing is offered', () => {
  const at = { rule: 'date-time-zone', pointer: '/created' };
  expect(fixesAt(plan('"created":"2024-03-12"'), 'CarePlan', at, settings)).toEqual([]);
});

test('a change that would leave all as it is is not offered', () => {
  const mended =
    '"extension":[{"url":"http://hl7.org/fhir/StructureDefinition/data-absent-reason","valueCode":"unknown"}]';
  const reason = { rule: 'data-absent-reason', pointer: '/extension/0/valueCode' };
  expect(fixesAt(plan(mended), 'CarePlan', reason, settings)).toEqual([]);
});

test('what would bring a new error is not offered', () => {
  const root = read('{"resourceType":"CarePlan","status":"active","intent":"plan","subject":{}}');
  const pointers = validate(root, 'CarePlan', settings).map(({ rule, tokens }) => [
    rule,
    formatPointer(tokens),
  ]);
  expect(pointers).toEqual([['empty', '/subject']]);
  expect(fixesAt(root, 'CarePlan', { rule: 'empty', pointer: '/subject' }, settings)).toEqual([]);
});

test.skipIf(!existsSync(data))(
  'in the real records no fix brings an error, and each mends what it says',
  () => {
    const paths = globSync(`${data}/{CarePlan,Composition}/*.json`);
    let mended = 0;
    for (const path of paths) {
      const text = readFileSync(path, 'utf8');
      const type = path.includes('/CarePlan/') ? 'CarePlan' : 'Composition';
      let root: JsonObject;
      try {
        root = read(text);
      } catch {
        continue;
      }
      for (const rule of new Set(validate(root, type, settings).map((one) => one.rule))) {
        const all = mendAll(root, type, rule, settings);
        if (!all) continue;
        mended += all.mended;
        const [before, after] = [validate(root, type, settings), validate(all.root, type, settings)];
        const errors = (list: typeof before) => list.filter(({ severity }) => severity === 'error').length;
        expect([path, rule, errors(after) <= errors(before)]).toEqual([path, rule, true]);
        const ofRule = (list: typeof before) => list.filter((one) => one.rule === rule).length;
        expect([path, rule, ofRule(after) < ofRule(before)]).toEqual([path, rule, true]);
      }
    }
    expect(mended).toBeGreaterThan(100);
  },
);

test('a date that reads the same both ways is offered once, and mended by either way', () => {
  const root = plan('"created":"05/05/2024"');
  const ids = fixesAt(root, 'CarePlan', { rule: 'schema-primitive', pointer: '/created' }, settings).map(
    ({ id }) => id,
  );
  expect(ids).toEqual(['schema-primitive=date=day-first']);
  for (const way of ['day-first', 'month-first'])
    expect(
      print(mendAll(root, 'CarePlan', `schema-primitive=date=${way}`, settings)?.root ?? root),
    ).toContain('"created":"2024-05-05"');
});
