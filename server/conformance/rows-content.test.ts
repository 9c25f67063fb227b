/** Rows 8 to 13 of docs/api-rows.md: findings in a body, and their effect at each level. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { messageSystem } from '../../core/fhir/outcome.ts';
import type { ServerSettings } from '../settings.ts';
import { startTestServer, type Json, type TestServer } from '../testing/test-server.ts';
import { expectRejection } from './testing/outcome.ts';
import { toPath, sample, store, text, types, type Type } from './testing/records.ts';

const levels = ['off', 'standard', 'strict'] as const;
const servers = {} as Record<ServerSettings['validation'], TestServer>;
beforeAll(async () => {
  for (const level of levels) servers[level] = await startTestServer({ validation: level });
});
afterAll(async () => {
  for (const level of levels) await servers[level].remove();
});

type Case = readonly [what: string, type: Type, members: Json, expression: string];

const detail = { status: 'not-started' };
const activity = (members: Json) => ({ activity: [{ detail: { ...detail, ...members } }] });
const section = (...list: Json[]) => ({ section: list });
const div = (inner: string) => ({
  status: 'additional',
  div: `<div xmlns="http://www.w3.org/1999/xhtml">${inner}</div>`,
});

function detailOf(path: string): string {
  return `CarePlan.activity[0].detail.${path}`;
}
const codePath = 'CarePlan.category[0].coding[0].code';

const wrongValues: readonly Case[] = [
  ['a number for a code', 'CarePlan', { status: 5 }, 'CarePlan.status'],
  ['an object for a string', 'CarePlan', { title: { a: 1 } }, 'CarePlan.title'],
  ['a list for a string', 'Composition', { title: ['a'] }, 'Composition.title'],
  ['an object for a list', 'CarePlan', { note: { text: 'a' } }, 'CarePlan.note'],
  ['a list for an object', 'CarePlan', { subject: [{ reference: 'Patient/1' }] }, 'CarePlan.subject'],
  ['a string for an object', 'Composition', { subject: 'Patient/1' }, 'Composition.subject'],
  ['a string for a boolean', 'CarePlan', activity({ doNotPerform: 'true' }), detailOf('doNotPerform')],
  ['a string for a decimal', 'CarePlan', activity({ quantity: { value: '1' } }), detailOf('quantity.value')],
  ['a string in a list of objects', 'Composition', section('a'), 'Composition.section[0]'],
  ['the 30th of February', 'CarePlan', { period: { start: '2026-02-30' } }, 'CarePlan.period.start'],
  ['the 29th of February 2025', 'CarePlan', { created: '2025-02-29' }, 'CarePlan.created'],
  ['a thirteenth month', 'CarePlan', { created: '2026-13-01' }, 'CarePlan.created'],
  ['a time without seconds', 'CarePlan', { created: '2026-01-02T10:00Z' }, 'CarePlan.created'],
  ['a time without a zone', 'Composition', { date: '2026-01-02T10:00:00' }, 'Composition.date'],
  ['a 25th hour', 'Composition', { date: '2026-01-02T25:00:00Z' }, 'Composition.date'],
  ['a date in words', 'Composition', { date: 'yesterday' }, 'Composition.date'],
  ['a uri with a space', 'CarePlan', { implicitRules: 'http://a b' }, 'CarePlan.implicitRules'],
  ['a code with two spaces', 'CarePlan', { category: [{ coding: [{ code: 'a  b' }] }] }, codePath],
  ['a language that is none', 'CarePlan', { language: 'not a tag' }, 'CarePlan.language'],
  ['a language with an underscore', 'Composition', { language: 'en_US' }, 'Composition.language'],
  ['a control character', 'CarePlan', { title: 'a\u0000b' }, 'CarePlan.title'],
  ['an escape character', 'Composition', { title: 'a\u001bb' }, 'Composition.title'],
];

const wrongCodes: readonly Case[] = [
  ['status', 'CarePlan', { status: 'final' }, 'CarePlan.status'],
  ['status of another case', 'CarePlan', { status: 'Active' }, 'CarePlan.status'],
  ['intent', 'CarePlan', { intent: 'wish' }, 'CarePlan.intent'],
  ['kind', 'CarePlan', activity({ kind: 'Encounter' }), detailOf('kind')],
  ['detail status', 'CarePlan', activity({ status: 'active' }), detailOf('status')],
  ['narrative status', 'CarePlan', { text: { ...div('a'), status: 'made' } }, 'CarePlan.text.status'],
  ['Composition status', 'Composition', { status: 'active' }, 'Composition.status'],
  ['confidentiality', 'Composition', { confidentiality: 'X' }, 'Composition.confidentiality'],
  ['attester', 'Composition', { attester: [{ mode: 'x' }] }, 'Composition.attester[0].mode'],
  [
    'relation',
    'Composition',
    { relatesTo: [{ code: 'x', targetReference: { display: 'a' } }] },
    'Composition.relatesTo[0].code',
  ],
  [
    'section mode',
    'Composition',
    section({ title: 'a', text: div('a'), mode: 'x' }),
    'Composition.section[0].mode',
  ],
];

const quantity = { value: 1, code: 'mg' };
const patient = { resourceType: 'Patient', id: 'p' };
const uses = { subject: { reference: '#p' } };

const brokenInvariants: readonly (readonly [key: string, type: Type, members: Json, expression?: string])[] =
  [
    ['cpl-3', 'CarePlan', { activity: [{ detail, reference: { display: 'a' } }] }, 'CarePlan.activity[0]'],
    ['cmp-1', 'Composition', section({ title: 'a' }), 'Composition.section[0]'],
    ['cmp-1', 'Composition', section({ section: [{ title: 'a' }] }), 'Composition.section[0].section[0]'],
    [
      'cmp-2',
      'Composition',
      section({ entry: [{ display: 'a' }], emptyReason: { text: 'b' } }),
      'Composition.section[0]',
    ],
    ['per-1', 'CarePlan', { period: { start: '2026-02-01', end: '2026-01-01' } }, 'CarePlan.period'],
    [
      'ext-1',
      'CarePlan',
      { extension: [{ url: 'a', valueCode: 'b', extension: [{ url: 'c', valueCode: 'd' }] }] },
      'CarePlan.extension[0]',
    ],
    ['qty-3', 'CarePlan', activity({ quantity }), detailOf('quantity')],
    ['ref-1', 'CarePlan', { subject: { reference: '#nobody' } }],
    ['att-1', 'CarePlan', { extension: [{ url: 'a', valueAttachment: { data: 'aGVp' } }] }],
    ['dom-2', 'CarePlan', { ...uses, contained: [{ ...patient, contained: [{ ...patient, id: 'q' }] }] }],
    ['dom-3', 'Composition', { contained: [patient] }],
    ['dom-4', 'CarePlan', { ...uses, contained: [{ ...patient, meta: { versionId: '1' } }] }],
    ['dom-5', 'Composition', { ...uses, contained: [{ ...patient, meta: { security: [{ code: 'R' }] } }] }],
    ['txt-1', 'CarePlan', { text: div('<script>alert(1)</script>') }],
    ['txt-1', 'Composition', { text: div('<p onclick="a()">a</p>') }],
    ['txt-2', 'CarePlan', { text: div('  ') }],
  ];

const missingElements: readonly Case[] = [
  ['status', 'CarePlan', { status: undefined }, 'CarePlan'],
  ['intent', 'CarePlan', { intent: undefined }, 'CarePlan'],
  ['subject', 'CarePlan', { subject: undefined }, 'CarePlan'],
  [
    'activity.detail.status',
    'CarePlan',
    { activity: [{ detail: { description: 'a' } }] },
    detailOf('').slice(0, -1),
  ],
  ['status', 'Composition', { status: undefined }, 'Composition'],
  ['type', 'Composition', { type: undefined }, 'Composition'],
  ['date', 'Composition', { date: undefined }, 'Composition'],
  ['author', 'Composition', { author: undefined }, 'Composition'],
  ['title', 'Composition', { title: undefined }, 'Composition'],
  ['attester.mode', 'Composition', { attester: [{ time: '2026-01-01' }] }, 'Composition.attester[0]'],
  [
    'relatesTo.code',
    'Composition',
    { relatesTo: [{ targetReference: { display: 'a' } }] },
    'Composition.relatesTo[0]',
  ],
  ['relatesTo.target[x]', 'Composition', { relatesTo: [{ code: 'appends' }] }, 'Composition.relatesTo[0]'],
];

const unknownElements: readonly Case[] = [
  ['at the top', 'CarePlan', { colour: 'red' }, 'CarePlan'],
  ['at the top', 'Composition', { colour: { red: 1 } }, 'Composition'],
  ['deep', 'CarePlan', activity({ colour: 'red' }), 'CarePlan'],
];

const create = (level: ServerSettings['validation'], type: Type, members: Json, prefer?: string) =>
  servers[level].send(
    'POST',
    toPath(type),
    text(type, members),
    prefer === undefined ? {} : { Prefer: prefer },
  );

describe.each(['standard', 'strict'] as const)('level %s', (level) => {
  // Row 8 of docs/api-rows.md.
  test.each(wrongValues)(
    'returns 400 value at the element for %s in a %s',
    async (_, type, members, expression) => {
      expectRejection(await create(level, type, members), { status: 400, code: 'value', expression });
    },
  );

  // Row 9 of docs/api-rows.md.
  test.each(wrongCodes)(
    'returns 400 code-invalid for %s of a %s outside its binding',
    async (_, type, members, expression) => {
      expectRejection(await create(level, type, members), { status: 400, code: 'code-invalid', expression });
    },
  );

  // Row 10 of docs/api-rows.md.
  test.each(brokenInvariants)(
    'returns 400 invariant with its key for a broken %s of a %s',
    async (key, type, members, expression) => {
      expectRejection(await create(level, type, members), {
        status: 400,
        code: 'invariant',
        diagnostics: key,
        ...(expression !== undefined && { expression }),
      });
    },
  );

  // Row 10 of docs/api-rows.md.
  test('returns 400 for two choices of one element', async () => {
    const activityWithBoth = activity({ scheduledString: 'a', scheduledPeriod: { start: '2026-01-01' } });
    expect((await create(level, 'CarePlan', activityWithBoth)).status).toBe(400);
  });

  // Rows 8 and 9 of docs/api-rows.md.
  test('reports each problem in a separate issue', async () => {
    const { json } = await create(level, 'CarePlan', { status: 'done', intent: 'wish', created: 'x' });
    const issues = json.issue.map((issue: Json) => `${issue.code} ${issue.expression}`);
    expect(issues.sort()).toEqual([
      'code-invalid CarePlan.intent',
      'code-invalid CarePlan.status',
      'value CarePlan.created',
    ]);
  });
});

// Row 99 of docs/api-rows.md.
test.each(['smith', 'patient/1', 'Patinet/1', 'Patient/', 'Person2/1', 'null', 'N/A', 'Patient/a b'])(
  'stores a reference to %s at each level, with a warning of $validate',
  async (reference) => {
    const members = { author: { reference } };
    for (const level of levels) expect((await create(level, 'CarePlan', members)).status).toBe(201);
    const { json } = await servers.strict.send(
      'POST',
      `${toPath('CarePlan')}/$validate`,
      text('CarePlan', members),
    );
    expect(json.issue).toEqual([
      expect.objectContaining({
        severity: 'warning',
        code: 'value',
        diagnostics: 'reference-literal',
        expression: ['CarePlan.author.reference'],
      }),
    ]);
  },
);

test('stores a time with more than nine digits of fraction at each level', async () => {
  const created = '2026-01-01T10:00:00.1234567890123456789Z';
  for (const level of levels) {
    const { status, json } = await create(level, 'CarePlan', { created });
    expect([status, json.created]).toEqual([201, created]);
  }
});

test('stores a contained picture that only the narrative shows at each level', async () => {
  const picture = { resourceType: 'Binary', id: 'b', contentType: 'image/png', data: 'iVBORw0KGgo=' };
  const members = { contained: [picture], text: div('<img src="#b" alt="x"/>') };
  for (const level of levels) expect((await create(level, 'CarePlan', members)).status).toBe(201);
});

// Row 11 of docs/api-rows.md.
test.each(missingElements)(
  'returns 400 required at the parent for a missing %s of a %s at strict',
  async (_, type, members, expression) => {
    expectRejection(await create('strict', type, members), { status: 400, code: 'required', expression });
  },
);

// Rows 11 and 13 of docs/api-rows.md.
test.each(missingElements)(
  'stores a record without %s of a %s unmarked by default',
  async (_, type, members) => {
    const { json } = await store(servers.standard, type, members);
    const expected = sample(type, { ...members, id: json.id, meta: json.meta });
    expect(json).toEqual(JSON.parse(JSON.stringify(expected)));
    expect(Object.keys(json.meta)).toEqual(['versionId', 'lastUpdated']);
  },
);

// Row 12 of docs/api-rows.md.
test.each(unknownElements)(
  'returns 400 structure for an unknown element %s of a %s at strict',
  async (_, type, members) => {
    expectRejection(await create('strict', type, members), { status: 400, code: 'structure' });
  },
);

// Rows 12 and 13 of docs/api-rows.md.
test.each(unknownElements)(
  'stores an unknown element %s of a %s unmarked by default',
  async (_, type, members) => {
    const { json } = await store(servers.standard, type, members);
    expect(json).toEqual(sample(type, { ...members, id: json.id, meta: json.meta }));
    expect(Object.keys(json.meta)).toEqual(['versionId', 'lastUpdated']);
  },
);

// Row 13 of docs/api-rows.md.
test.each(missingElements)(
  'returns a warning with return=OperationOutcome for a missing %s of a %s',
  async (_, type, members, expression) => {
    const { status, headers, json } = await create('standard', type, members, 'return=OperationOutcome');
    expect([status, json.resourceType]).toEqual([201, 'OperationOutcome']);
    expect(headers.get('preference-applied')).toBe('return=OperationOutcome');
    expect(json.issue.map(({ severity }: Json) => severity)).not.toContain('error');
    expect(json.issue).toContainEqual(
      expect.objectContaining({ severity: 'warning', code: 'required', expression: [expression] }),
    );
  },
);

// Row 4 of docs/api-rows.md.
test.each(levels.filter((level) => level !== 'off'))(
  'returns rule and message values for a rejected code at level %s',
  async (level) => {
    const { status, json } = await create(level, 'CarePlan', { status: 'walking' });
    expect(status).toBe(400);
    const { details, diagnostics } = json.issue[0];
    expect(diagnostics).toMatch(/^schema-code: one of draft, /);
    expect(details.text).toContain('(draft, active,');
    expect(details.coding).toEqual([
      {
        extension: [
          { id: 'name', url: expect.any(String), valueString: expect.stringMatching(/^\(draft, /) },
        ],
        system: messageSystem,
        code: 'schema-code',
      },
    ]);
  },
);

// Row 13 of docs/api-rows.md.
test.each(types)('stores a valid %s at each level', async (type) => {
  for (const level of levels) await store(servers[level], type, { language: 'nb-NO' });
});

// Row 13 of docs/api-rows.md.
test.each([...wrongCodes, ...wrongValues.filter(([description]) => !description.includes('character'))])(
  'stores %s in a %s at level off',
  async (_, type, members) => {
    expect((await create('off', type, members)).status).toBe(201);
  },
);

// Row 13 of docs/api-rows.md.
test.each([
  ['a property twice', '{"resourceType":"CarePlan","title":"a","title":"b"}'],
  ['another type', '{"resourceType":"Patient"}'],
  ['half', '{"resourceType":"CarePlan"'],
])('rejects malformed JSON at level off: %s', async (_, body) => {
  expect((await servers.off.send('POST', toPath('CarePlan'), body)).status).toBe(400);
});
