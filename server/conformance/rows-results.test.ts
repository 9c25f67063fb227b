/** Rows 66, 83 and 84 of docs/api-rows.md: included records, parts of records, and unsupported features. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type Json, type TestServer } from '../testing/test-server.ts';
import { createClientToken, sendAs } from '../testing/tokens.ts';
import { expectRejection } from './testing/outcome.ts';
import { toPath, sample, store, types } from './testing/records.ts';
import { createRawClient, type RawClient } from './testing/ask.ts';
import { messageCodeOf } from '../testing/message-code.ts';

let server: TestServer;
let rawClient: RawClient;
beforeAll(async () => {
  server = await startTestServer();
  rawClient = createRawClient(server);
});
afterAll(async () => {
  rawClient.close();
  await server.remove();
});

const root = '/fhir-r4/v1';
const get = (path: string, headers?: Record<string, string>) => server.send('GET', path, undefined, headers);
const lenient = { Prefer: 'handling=lenient' };
const modes = (json: Json) => json.entry.map((entry: Json) => [entry.search.mode, entry.resource.id]);

// Row 66 of docs/api-rows.md.
describe('_include and _revinclude', () => {
  const createBasedOn = (...references: string[]) => ({
    basedOn: references.map((reference) => ({ reference })),
  });
  let plan: string;
  let otherPlan: string;
  let child: string;
  beforeAll(async () => {
    plan = (await store(server, 'CarePlan', { title: 'parent' })).id;
    otherPlan = (await store(server, 'CarePlan', { title: 'other' })).id;
    child = (
      await store(server, 'CarePlan', {
        ...createBasedOn(
          `CarePlan/${plan}`,
          `http://elsewhere.example/CarePlan/${otherPlan}`,
          'CarePlan/not-here',
        ),
        partOf: [{ reference: `${server.origin}${root}/CarePlan/${otherPlan}` }],
      })
    ).id;
  });

  test('returns an included record after its match, and does not count it in total', async () => {
    const { json } = await get(`${root}/CarePlan?_id=${child}&_include=CarePlan:based-on`);
    expect(json.total).toBe(1);
    expect(modes(json)).toEqual([
      ['match', child],
      ['include', plan],
    ]);
    expect(json.entry[1].fullUrl).toBe(`${server.origin}${root}/CarePlan/${plan}`);
    expect(json.link[0].url).toContain('_include=CarePlan%3Abased-on');
  });

  test('combines several includes, with absolute references to this server', async () => {
    const query = `_id=${child}&_include=CarePlan:based-on&_include=CarePlan:part-of:CarePlan`;
    const { json } = await get(`${root}/CarePlan?${query}`);
    expect(
      modes(json)
        .slice(1)
        .map(([, id]: string[]) => id),
    ).toEqual([plan, otherPlan]);
  });

  test('returns a reverse include after its match, and no match twice', async () => {
    const reverse = await get(`${root}/CarePlan?_id=${plan}&_revinclude=CarePlan:based-on`);
    expect([reverse.json.total, modes(reverse.json)]).toEqual([
      1,
      [
        ['match', plan],
        ['include', child],
      ],
    ]);
    const bothMatches = await get(`${root}/CarePlan?_id=${plan},${child}&_include=CarePlan:based-on`);
    expect(modes(bothMatches.json).map(([mode]: string[]) => mode)).toEqual(['match', 'match']);
  });

  test('includes related documents, reduced to the requested elements', async () => {
    const replacedDocument = await store(server, 'Composition', {});
    const replacingDocument = await store(server, 'Composition', {
      relatesTo: [{ code: 'replaces', targetReference: { reference: `Composition/${replacedDocument.id}` } }],
    });
    const query = `_id=${replacingDocument.id}&_include=Composition:related-ref&_elements=status`;
    const { json } = await get(`${root}/Composition?${query}`);
    expect(modes(json)[1]).toEqual(['include', replacedDocument.id]);
    expect(json.entry[1].resource.meta.tag).toContainEqual(expect.objectContaining({ code: 'SUBSETTED' }));
  });

  test('truncates includes to 1,000 and reports it in an outcome', { timeout: 60_000 }, async () => {
    const { id } = await store(server, 'CarePlan', {});
    const body = JSON.stringify(sample('CarePlan', { replaces: [{ reference: `CarePlan/${id}` }] }));
    for (let index = 0; index < 1001; index += 50) {
      const requests = Array.from({ length: 50 }, () => server.send('POST', `${root}/CarePlan`, body));
      await Promise.all(requests);
    }
    const { json } = await get(`${root}/CarePlan?_id=${id}&_revinclude=CarePlan:replaces`);
    expect(json.entry.filter((entry: Json) => entry.search.mode === 'include')).toHaveLength(1000);
    expect(json.entry.at(-1)).toMatchObject({
      search: { mode: 'outcome' },
      resource: { issue: [{ severity: 'warning', code: 'incomplete' }] },
    });
  });

  test.each([
    '_include=CarePlan:subject',
    '_include=*',
    '_include:iterate=CarePlan:based-on',
    '_revinclude=Provenance:target',
    '_include=CarePlan:based-on:Patient',
  ])('returns 400 not-supported for %s, and ignores it with handling=lenient', async (query) => {
    const [name = ''] = query.split('=');
    const issue = expectRejection(await get(`${root}/CarePlan?${query}`), {
      status: 400,
      code: 'not-supported',
      location: `http.${name}`,
    });
    expect(issue.details.text).toContain(query);
    const answer = await get(`${root}/CarePlan?_id=${plan}&${query}`, lenient);
    expect([answer.status, modes(answer.json)]).toEqual([200, [['match', plan]]]);
    expect(answer.json.link[0].url).not.toContain('include');
  });

  test.each(['_has:Provenance:target:agent=x', 'subject:Patient.name=x', 'subject.name=x'])(
    'rejects the parameter %s, and ignores it with handling=lenient',
    async (query) => {
      const [name = ''] = query.split('=');
      const issue = expectRejection(await get(`${root}/CarePlan?${query}`), {
        status: 400,
        code: 'not-supported',
        location: `http.${name}`,
      });
      expect(issue.details.text).toContain(name);
      const answer = await get(`${root}/CarePlan?_id=${plan}&${query}`, lenient);
      expect([answer.status, answer.json.total]).toEqual([200, 1]);
    },
  );

  test('lists includes and definitions in /metadata', async () => {
    const { json } = await get(`${root}/metadata`);
    const [plans, documents] = json.rest[0].resource;
    expect([plans.searchInclude, plans.searchRevInclude]).toEqual([
      ['CarePlan:based-on', 'CarePlan:part-of', 'CarePlan:replaces'],
      ['CarePlan:based-on', 'CarePlan:part-of', 'CarePlan:replaces'],
    ]);
    expect(documents.searchInclude).toEqual(['Composition:related-ref']);
    const definitionOf = (name: string) =>
      plans.searchParam.find((parameter: Json) => parameter.name === name).definition;
    expect(['_id', 'patient', 'care-team'].map(definitionOf)).toEqual(
      ['Resource-id', 'clinical-patient', 'CarePlan-care-team'].map(
        (id) => `http://hl7.org/fhir/SearchParameter/${id}`,
      ),
    );
  });
});

// Row 83 of docs/api-rows.md.
describe.each(types)('parts of a %s', (type) => {
  const digits = '"extension":[{"url":"http://x.example/n","valueDecimal":1.00}]';
  const body = () => JSON.stringify(sample(type, { language: 'nb' })).replace(/\}$/, `,${digits}}`);
  const isSubsetted = (json: Json) => (json.meta.tag ?? []).some((tag: Json) => tag.code === 'SUBSETTED');

  test('reduces reads and responses of writes, and preserves ETag and digits', async () => {
    const query = '?_elements=extension';
    const created = await server.send('POST', toPath(type) + query, body());
    const path = toPath(type, String(created.json.id));
    const patch = '[{"op":"replace","path":"/language","value":"nn"}]';
    const answers = [
      created,
      await get(path + query),
      await get(`${path}/_history/1${query}`),
      await server.send('PUT', path + query, body()),
      await server.send('PATCH', path + query, patch, { 'Content-Type': 'application/json-patch+json' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 200, 200, 200]);
    for (const { json, text, headers } of answers) {
      expect([isSubsetted(json), 'language' in json, text.includes(digits)]).toEqual([true, false, true]);
      expect(headers.get('etag')).toBe(`W/"${json.meta.versionId}"`);
    }
    const wholeRecord = await get(path);
    expect([isSubsetted(wholeRecord.json), wholeRecord.json.language]).toEqual([false, 'nn']);
    expect((await get(`${path}?_summary=data`, { 'If-None-Match': 'W/"2"' })).status).toBe(304);
    expectRejection(await server.send('PUT', path, answers[1]?.text), { status: 422, code: 'business-rule' });
  });

  test('formats responses with _pretty, and does not reduce an outcome', async () => {
    const { path, text } = await store(server, type, { language: 'nb' });
    const pretty = await get(`${path}?_pretty=true`);
    expect(pretty.text).toMatch(/^\{\n {2}"resourceType"/);
    expect(JSON.parse(pretty.text)).toEqual(JSON.parse(text));
    const prefer = { Prefer: 'return=OperationOutcome' };
    const outcome = await server.send('POST', `${toPath(type)}?_summary=true&_pretty=true`, body(), prefer);
    expect([outcome.json.resourceType, outcome.text.startsWith('{\n')]).toEqual(['OperationOutcome', true]);
    const minimal = await server.send('POST', `${toPath(type)}?_pretty=true`, body(), {
      Prefer: 'return=minimal',
    });
    expect([minimal.status, minimal.text]).toEqual([201, '']);
  });

  test('returns no element to a token that must not read, despite _elements', async () => {
    const { path } = await store(server, type, { language: 'nb' });
    const { token } = await createClientToken(server, [`system/${type}.u`]);
    const patch = '[{"op":"replace","path":"/language","value":"nn"}]';
    const answer = await sendAs(server, `Bearer ${token}`, 'PATCH', `${path}?_elements=subject`, patch);
    expect([answer.status, Object.keys(answer.json)]).toEqual([200, ['resourceType', 'id', 'meta']]);
  });

  test.each([
    ['_summary=count', 'value'],
    ['_summary=', 'value'],
    ['_pretty=yes', 'value'],
    ['_elements=a.b', 'value'],
    ['_summary=true&_elements=status', 'value'],
    ['_sort=date', 'not-supported'],
  ])('rejects %s with 400 %s on a read, and stores nothing on a write', async (query, code) => {
    const { path } = await store(server, type, { language: 'nb' });
    expectRejection(await get(`${path}?${query}`), { status: 400, code });
    expectRejection(await server.send('PUT', `${path}?${query}`, body()), { status: 400, code });
    expect((await get(path)).json.meta.versionId).toBe('1');
  });
});

// Row 84 of docs/api-rows.md.
describe('unsupported features of FHIR', () => {
  test.each([
    ['status:above=active', ':above'],
    ['identifier:of-type=a|b|c', ':of-type'],
    ['category:in=http://x.example/vs', ':in'],
  ])('names the unsupported modifier of %s', async (query, name) => {
    const issue = expectRejection(await get(`${root}/CarePlan?${query}`), {
      status: 400,
      code: 'not-supported',
    });
    expect(issue.details.text).toContain(`The modifier ${name} is not supported`);
    expect((await get(`${root}/CarePlan?${query}`, lenient)).status).toBe(400);
  });

  test.each([
    '/CarePlan/x/$everything',
    '/CarePlan/$everything',
    '/$everything',
    '/Composition/x/$everything/',
  ])('returns 404 with the name of the operation of %s', async (path) => {
    for (const method of ['GET', 'POST']) {
      const issue = expectRejection(await server.send(method, root + path), {
        status: 404,
        code: 'not-supported',
      });
      expect(messageCodeOf(issue)).toBe('request.unknownOperation');
      expect(issue.details.text).toMatch(/\$everything .*\$validate/);
    }
  });
});

describe('rejections with a remedy', () => {
  // Row 72 of docs/api-rows.md.
  test.each([
    ['DELETE', '/CarePlan/x', 'method.deletion'],
    ['POST', '', 'method.batch'],
  ])('explains 405 for %s %s', async (method, path, code) => {
    const { status, json } = await server.send(method, root + path);
    expect([status, messageCodeOf(json.issue[0])]).toEqual([405, code]);
  });

  // Row 81 of docs/api-rows.md.
  test('names another release of FHIR in a body and in Accept', async () => {
    const json3 = 'application/fhir+json; fhirVersion=3.0';
    const response = await server.send('POST', `${root}/CarePlan`, '{}', { 'Content-Type': json3 });
    const bodyIssue = expectRejection(response, {
      status: 415,
      code: 'not-supported',
      location: 'http.Content-Type',
    });
    expect(bodyIssue.details.text).toBe('This server supports FHIR 4.0, but the body says 3.0.');
    const acceptResponse = await get(`${root}/CarePlan`, {
      Accept: 'application/fhir+json; fhirVersion=5.0',
    });
    const acceptIssue = expectRejection(acceptResponse, {
      status: 406,
      code: 'not-supported',
      location: 'http.Accept',
    });
    expect(acceptIssue.details.text).toBe(
      'This server supports FHIR 4.0, but the Accept header asks for 5.0.',
    );
  });

  // Row 9 of docs/api-rows.md.
  test('lists up to ten allowed codes in the message', async () => {
    const body = JSON.stringify(sample('CarePlan', { intent: 'proposed' }));
    const issue = expectRejection(await server.send('POST', `${root}/CarePlan`, body), {
      status: 400,
      code: 'code-invalid',
      expression: 'CarePlan.intent',
    });
    expect(issue.details.text).toContain('allowed codes (proposal, plan, order, option).');
  });

  // Row 15 of docs/api-rows.md.
  test('returns 400 for two If-None-Exist headers and stores nothing', async () => {
    const before = (await get(`${root}/CarePlan?_summary=count`)).json.total;
    const answer = await rawClient.send({
      method: 'POST',
      path: `${root}/CarePlan`,
      headers: { 'Content-Type': 'application/json', 'If-None-Exist': ['identifier=a', 'identifier=b'] },
      body: JSON.stringify(sample('CarePlan', {})),
    });
    expect([answer.status, JSON.parse(answer.text).issue[0].location]).toEqual([400, ['http.If-None-Exist']]);
    expect((await get(`${root}/CarePlan?_summary=count`)).json.total).toBe(before);
  });
});
