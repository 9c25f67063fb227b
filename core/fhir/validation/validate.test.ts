import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../json/node.ts';
import { scan } from '../../json/scan.ts';
import { sampleOf } from '../../types/testing/samples.ts';
import { readRecord } from '../record.ts';
import { resourceTypes, type ResourceType } from '../resource.ts';
import { rules } from './rules.ts';
import { carePlan, composition, type Draft } from './testing/base-records.ts';
import { compositionFaults } from './testing/planted-document-faults.ts';
import { carePlanFaults } from './testing/planted-faults.ts';
import { validate } from './validate.ts';

const today = '2026-08-01';
const bases = { CarePlan: carePlan, Composition: composition };
const plantedErrors = [
  ...carePlanFaults.map((fault) => ['CarePlan', ...fault] as const),
  ...compositionFaults.map((fault) => ['Composition', ...fault] as const),
];

function find(record: Draft, type: ResourceType) {
  return validate(readRecord(JSON.stringify(record), type), type, { today });
}

function findIn(text: string, type: ResourceType = 'CarePlan') {
  return validate(readRecord(text, type), type, { today });
}

test.each(['CarePlan', 'Composition'] as const)('finds nothing in a valid %s', (type) => {
  expect(find(bases[type](), type)).toEqual([]);
});

test.each(plantedErrors)('%s: %s at %s', (type, rule, expression, plant) => {
  const record = bases[type]();
  plant(record);
  const findings = find(record, type);
  const { severity } = rules.find(({ id }) => id === rule) ?? {};
  expect(findings.filter((finding) => finding.severity === 'error' || finding.rule === rule)).toMatchObject([
    { rule, expression, severity },
  ]);
});

test('has a test for each rule', () => {
  const testedElsewhere = ['depth', 'narrative-stale', 'stopped'];
  const sampleRules = resourceTypes.flatMap((type) => Object.keys(sampleOf(type).faults));
  const coveredRules = new Set([
    ...plantedErrors.map(([, rule]) => rule),
    ...testedElsewhere,
    ...sampleRules,
  ]);
  expect(rules.filter(({ id }) => !coveredRules.has(id))).toEqual([]);
  expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
});

test('accepts an extension instead of a required primitive', () => {
  const _intent = { extension: [{ url: 'http://x', valueCode: 'unknown' }] };
  const plan = { ...carePlan(), intent: undefined, _intent };
  expect(find(plan, 'CarePlan')).toEqual([]);
});

test('reports two missing elements of one parent as two findings', () => {
  const plan = { ...carePlan(), intent: undefined, subject: undefined };
  expect(find(plan, 'CarePlan')).toMatchObject([
    { expression: 'CarePlan', diagnostics: 'schema-required: intent' },
    { expression: 'CarePlan', diagnostics: 'schema-required: subject' },
  ]);
});

test('reports nothing else about an empty element', () => {
  const findDetail = (detail: object) => find({ ...carePlan(), activity: [{ detail }] }, 'CarePlan');
  const listRules = (detail: object) =>
    findDetail(detail).map(({ rule, expression }) => `${rule} ${expression}`);
  expect(listRules({})).toEqual(['empty CarePlan.activity[0].detail']);
  expect(listRules({ description: 'x' })).toEqual(['schema-required CarePlan.activity[0].detail']);
  // An empty element costs one finding. Otherwise the limit would cut the list earlier.
  const plan = { ...carePlan(), activity: Array.from({ length: 9 }, () => ({ detail: {} })) };
  const findings = validate(readRecord(JSON.stringify(plan), 'CarePlan'), 'CarePlan', {
    today,
    maxFindings: 9,
  });
  expect(findings.map(({ rule }) => rule)).toEqual(Array(9).fill('empty'));
});

test('reports a missing choice once, with the common name of the choices', () => {
  expect(find({ ...composition(), relatesTo: [{ code: 'signs' }] }, 'Composition')).toMatchObject([
    { rule: 'schema-required', diagnostics: 'schema-required: target[x]' },
  ]);
});

test.each([
  [{ intent: 'x' }, 'CarePlan.intent', /: one of proposal, plan, order, option$/],
  [
    { activity: [{ detail: { status: 'scheduled', scheduledTiming: { repeat: { when: ['x'] } } } }] },
    'CarePlan.activity[0].detail.scheduledTiming.repeat.when[0]',
    /: one of 26 codes$/,
  ],
])('lists few allowed codes and counts many: %j', (change, elementPath, pattern) => {
  const match = find({ ...carePlan(), ...change }, 'CarePlan').find(
    ({ expression }) => expression === elementPath,
  );
  expect(match?.diagnostics).toMatch(pattern);
});

test('orders findings by the document, not by the rules', () => {
  const plan = { ...carePlan(), created: '2026-02-30', status: 'x', foo: 1, note: [{ text: 1 }] };
  expect(find(plan, 'CarePlan').map(({ expression }) => expression)).toEqual([
    'CarePlan.status',
    'CarePlan.created',
    'CarePlan.note[0].text',
    'CarePlan.foo',
  ]);
});

test.each(['1.0', '1e1', '0.5'])('rejects an integer written as %s', (count) => {
  const text = JSON.stringify(carePlan()).replace('"count":2', `"count":${count}`);
  expect(findIn(text)[0]?.expression).toBe('CarePlan.activity[1].detail.scheduledTiming.repeat.count');
});

test.each(['1.00', '1E400', '12345678901234567890.5'])('accepts a decimal written as %s', (value) => {
  const text = JSON.stringify(carePlan()).replace('"value":1,', `"value":${value},`);
  expect(text).toContain(value);
  expect(findIn(text)).toEqual([]);
});

test('never repeats a value of the record', () => {
  const secret = 'zq9secret';
  const text = JSON.stringify(carePlan()).replaceAll(
    /"(?:active|plan|Patient\/1|2026-01-31|de-CH|g)"/g,
    `"${secret} <${secret}"`,
  );
  const messages = findIn(text).map(({ text: sentence, diagnostics }) => sentence + diagnostics);
  expect(messages.length).toBeGreaterThan(3);
  expect(messages.join()).not.toContain(secret);
});

test('reports excessive nesting as one finding, without a stack overflow', () => {
  const text = `{"resourceType":"CarePlan","x":${'[{"a":'.repeat(2_000)}1${'}]'.repeat(2_000)}}`;
  const deep = scan(text, 10_000).root as JsonObject;
  expect(validate(deep, 'CarePlan', { today }).map(({ rule }) => rule)).toContain('depth');
});

test.each([
  ['faulty items', { activity: Array.from({ length: 140_000 }, () => ({ x: 1 })) }],
  ['empty items', { note: Array.from({ length: 200_000 }, () => ({})) }],
  ['base64', { extension: [{ url: 'http://u', valueBase64Binary: `${' '.repeat(4_000_000)}?` }] }],
  ['code', { extension: [{ url: 'http://u', valueCode: 'a '.repeat(2_000_000) }] }],
])('validates a hostile mass of %s in linear time', (_name, change) => {
  const record = readRecord(JSON.stringify({ ...carePlan(), ...change }), 'CarePlan');
  // Measures processor time, which other processes do not affect.
  const start = process.cpuUsage();
  expect(validate(record, 'CarePlan', { today }).length).toBeGreaterThan(0);
  expect(process.cpuUsage(start).user / 1_000_000).toBeLessThan(10);
});

test('never throws on arbitrary JSON objects', () => {
  const names = fc.constantFrom(
    ...Object.keys(carePlan()),
    ...Object.keys(composition()),
    'detail',
    'repeat',
    'div',
  );
  const tree = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.jsonValue(),
      fc.constantFrom('2026-02-30', '#x', '<div>', 'CarePlan', null, [], {}),
      fc.array(tie('value'), { maxLength: 3 }),
      tie('object'),
    ),
    object: fc.dictionary(fc.oneof(names, fc.string()), tie('value'), { maxKeys: 8 }),
  }));
  fc.assert(
    fc.property(tree.object, fc.constantFrom(...resourceTypes), (value, type) => {
      const { root } = scan(JSON.stringify(value));
      const findings = validate(root as JsonObject, type, { today });
      const keys = findings.map(({ rule, expression, diagnostics }) => rule + expression + diagnostics);
      expect(new Set(keys).size).toBe(keys.length);
    }),
    { numRuns: 1_000 },
  );
});

test.each([
  ['waitlist', []],
  ['booked', ['r4-invariant /contained/0']],
])('applies an invariant of R4 to a contained appointment without times: %s', (status, expected) => {
  const appointment = { resourceType: 'Appointment', id: 'a', status };
  const participant = [{ actor: { display: 'A' }, status: 'accepted' }];
  const plan = {
    ...carePlan(),
    goal: undefined,
    contained: [{ ...appointment, participant }],
    activity: [{ reference: { reference: '#a' } }],
  };
  const findings = find(plan, 'CarePlan').map(({ rule, tokens }) => `${rule} /${tokens.join('/')}`);
  expect(findings).toEqual(expected);
});

test("applies only R4's own rules to a contained plan", () => {
  const inner = { resourceType: 'CarePlan', id: 'a', status: 'completed', intent: 'plan' };
  const listRules = (change: Draft) => {
    const contained = [{ ...inner, subject: { reference: 'Patient/1' }, ...change }];
    const plan = { ...carePlan(), goal: undefined, contained, basedOn: [{ reference: '#a' }] };
    return find(plan, 'CarePlan').map(({ rule }) => rule);
  };
  expect(find({ ...inner, subject: { reference: 'Patient/1' } }, 'CarePlan').map(({ rule }) => rule)).toEqual(
    ['completed-without-end'],
  );
  expect(listRules({})).toEqual([]);
  expect(
    listRules({ activity: [{ detail: { status: 'scheduled' }, reference: { reference: 'Task/1' } }] }),
  ).toEqual(['cpl-3']);
});

test('reports no broken invariant on a missing element', () => {
  const definition = { resourceType: 'StructureDefinition', id: 'a', snapshot: { element: [{ path: 'A' }] } };
  const plan = {
    ...carePlan(),
    goal: undefined,
    contained: [definition],
    supportingInfo: [{ reference: '#a' }],
  };
  expect(find(plan, 'CarePlan').map(({ diagnostics }) => diagnostics)).toContain('schema-required: url');
});

test('reports a contained resource of unknown type once, and validates its common elements', () => {
  const unknown = { resourceType: 'LegacyGoal', id: 'x', language: 'e', foo: 1, meta: { odd: 1 } };
  const plan = { ...carePlan(), contained: [unknown], goal: [{ reference: '#x' }] };
  const findings = find(plan, 'CarePlan').filter(({ expression }) => expression.includes('contained'));
  expect(findings.map(({ rule, expression }) => [rule, expression])).toEqual([
    ['contained-type', 'CarePlan.contained[0].resourceType'],
    ['language-tag', 'CarePlan.contained[0].language'],
    ['schema-unknown', 'CarePlan.contained[0].meta.odd'],
  ]);
});

test.each(['CarePlan', 'Composition'] as const)(
  'rejects another resourceType and a sibling of the id in a %s',
  (type) => {
    const otherType = type === 'CarePlan' ? 'Composition' : 'CarePlan';
    const rulesOf = (change: object) => find({ ...bases[type](), ...change }, type).map(({ rule }) => rule);
    expect(rulesOf({ resourceType: otherType })).toContain('resource-type');
    expect(rulesOf({ id: 'a', _id: { extension: [{ url: 'http://x', valueCode: 'y' }] } })).toContain(
      'schema-unknown',
    );
  },
);

test('orders findings by the document if it has many members', () => {
  const oddMembers = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`odd${index}`, index]));
  const plan = { ...oddMembers, ...carePlan(), note: [], oddLast: { a: 1 } };
  const keys = Object.keys(plan).filter((key) => /^odd|^note$/.test(key));
  expect(find(plan, 'CarePlan').map(({ tokens }) => tokens[0])).toEqual(keys);
});

const litres = { value: 3, unit: 'litres', system: 'http://unitsofmeasure.org', code: 'L' };

test.each<[what: string, high: object, rule: readonly string[]]>([
  ['of one unit are compared', {}, ['rng-2']],
  ['of two codes are not', { code: 'mL' }, []],
  ['of two systems are not', { system: 'http://example.org/units' }, []],
  ['that are called otherwise are not', { unit: 'l' }, []],
])('compares limits of a range only if they match: %s', (_description, high, rule) => {
  const valueRange = { low: litres, high: { ...litres, value: 1, ...high } };
  const plan = { ...carePlan(), extension: [{ url: 'http://example.org/range', valueRange }] };
  const findings = find(plan, 'CarePlan').filter(({ category }) => category === 'plausibility');
  expect(findings.map((finding) => finding.rule)).toEqual(rule);
});

test.each([
  ['a picture', '<img src="#b" alt="x"/>', []],
  ['a link', '<a href="#b">x</a>', []],
  ['a link to another', '<a href="#c">x</a>', ['dom-3']],
  ['a text that looks so', '&lt;a href="#b"&gt;', ['dom-3']],
])(
  'counts a contained resource as referenced if %s of the narrative names it',
  (_description, markup, rules) => {
    const picture = { resourceType: 'Binary', id: 'b', contentType: 'image/png', data: 'iVBORw0KGgo=' };
    const div = `<div xmlns="http://www.w3.org/1999/xhtml">x${markup}</div>`;
    const plan = {
      ...carePlan(),
      goal: undefined,
      contained: [picture],
      text: { status: 'generated', div },
    };
    expect(find(plan, 'CarePlan').map(({ rule }) => rule)).toEqual(rules);
  },
);
