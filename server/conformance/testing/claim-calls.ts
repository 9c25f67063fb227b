import { expect } from 'vitest';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { sampleOf } from '../../../core/types/testing/samples.ts';
import { searchCasesOf, type SearchCase } from '../../http/testing/naive-questions.ts';
import { definitionOf } from '../../http/testing/naive-values.ts';
import type { Json } from '../../testing/test-server.ts';
import { createClientToken, sendAs } from '../../testing/tokens.ts';
import type { ClaimContext } from './claims-world.ts';
import { include, operation, revInclude } from './include-calls.ts';
import { interactions } from './interaction-calls.ts';
import { toPath, replace, unknownId } from './records.ts';

/**
 * Tests a claim: one value of the CapabilityStatement. Rejects if it is false. `type` is the resource type of the
 * `rest.resource` entry that makes the claim, or any type.
 */
export type ClaimTest = (value: Json, world: ClaimContext, type: ResourceType) => Promise<void>;

const origin = 'https://page.example';

/** Tests of claims by their path in the CapabilityStatement. */
export const claimTests: Readonly<Partial<Record<string, ClaimTest>>> = {
  resourceType: equals('CapabilityStatement'),
  status: equals('active'),
  kind: equals('instance'),
  date: equals(expect.stringMatching(/^\d{4}-\d\d-\d\dT/)),
  'software.name': equals(expect.stringMatching(/./)),
  'software.version': equals(expect.stringMatching(/./)),
  'implementation.description': equals(expect.stringMatching(/./)),
  'implementation.url': async (url, { statement }) => {
    expect(await (await fetch(`${url}/metadata`)).json()).toEqual(statement);
  },
  fhirVersion: async (version, { server }, type) => {
    const readWithVersion = async (fhirVersion: string) => {
      const Accept = `application/fhir+json; fhirVersion=${fhirVersion}`;
      return (await server.send('GET', `${toPath(type)}?_id=x`, undefined, { Accept })).status;
    };
    expect([
      await readWithVersion(version),
      await readWithVersion(version.slice(0, 3)),
      await readWithVersion('3.0'),
    ]).toEqual([200, 200, 406]);
  },
  format: async (format, { server }, type) => {
    const answers = [
      await server.send('GET', `${toPath(type)}?_id=x&_format=${encodeURIComponent(format)}`),
      ...(format.includes('/')
        ? [await server.send('GET', `${toPath(type)}?_id=x`, undefined, { Accept: format })]
        : []),
    ];
    for (const { status, json } of answers) expect([status, json.resourceType]).toEqual([200, 'Bundle']);
    expect((await server.send('GET', `${toPath(type)}?_id=x&_format=xml`)).status).toBe(406);
  },
  patchFormat: async (format, { server, create }, type) => {
    const { id } = (await create(type)).json;
    const patch = (contentType: string) =>
      server.send('PATCH', toPath(type, id), replace('/language', 'nb'), { 'Content-Type': contentType });
    expect((await patch(format)).json.language).toBe('nb');
    const otherFormat = await patch('application/merge-patch+json');
    expect([otherFormat.status, otherFormat.headers.get('accept-patch')]).toEqual([
      415,
      expect.stringContaining(format),
    ]);
  },
  'rest.mode': equals('server'),
  // The documentation says that decimals keep their digits and that patches may only replace values.
  'rest.documentation': async (_, { server, create }, type) => {
    const { json } = await create(type);
    const extension = [{ url: 'http://x.example', valueDecimal: 0 }];
    const body = JSON.stringify({ ...json, extension }).replace('"valueDecimal":0', '"valueDecimal":1.00');
    expect((await server.send('PUT', toPath(type, json.id), body)).text).toContain('"valueDecimal":1.00');
    const addPatch = '[{"op":"add","path":"/language","value":"nb"}]';
    expect((await server.send('PATCH', toPath(type, json.id), addPatch)).status).toBe(422);
  },
  'rest.security.cors': async (value, { server }, type) => {
    const answer = await server.send('GET', toPath(type, unknownId), undefined, { Origin: origin });
    expect(answer.headers.get('access-control-allow-origin')).toBe(value ? origin : null);
  },
  'rest.security.service': async (value, { server }, type) => {
    expect(value.coding[0].code).toBe('SMART-on-FHIR');
    expect((await sendAs(server, undefined, 'GET', '/.well-known/smart-configuration')).status).toBe(200);
    const rejected = await sendAs(server, undefined, 'GET', toPath(type, unknownId));
    expect([rejected.status, rejected.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringMatching(/^Bearer/),
    ]);
  },
  'rest.security.extension': async ({ extension }, { server }, type) => {
    const [{ url, valueUri }] = extension;
    expect(url).toBe('token');
    const client = await createClientToken(server, ['system/*.*']);
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: client.id,
      client_secret: client.token,
    });
    const { access_token: token } = (await (await fetch(valueUri, { method: 'POST', body })).json()) as Json;
    expect((await sendAs(server, `Bearer ${token}`, 'GET', toPath(type, unknownId))).status).toBe(404);
  },
  'rest.resource.extension': async ({ url, extension }, { server }, type) => {
    expect(url).toMatch(/capabilitystatement-search-parameter-combination$/);
    expect((await server.send('GET', `${toPath(type)}?status=x`)).status).toBe(400);
    for (const { valueString } of extension) {
      expect((await server.send('GET', `${toPath(type)}?status=x&${valueString}=x`)).status).toBe(200);
    }
  },
  'rest.resource.type': async (type, { server, getClaims }) => {
    const { status } = await server.send('GET', `${toPath(type)}?_count=1`);
    const requiresCombination = getClaims(type).extension !== undefined;
    expect(status).toBe(requiresCombination ? 400 : 200);
  },
  'rest.resource.interaction': async ({ code }, context, type) => {
    const testInteraction = interactions[code];
    if (!testInteraction) throw new Error(`there is no test for ${code}`);
    await testInteraction(context, type);
  },
  'rest.resource.versioning': async (value, { server, create }, type) => {
    expect(value).toBe('versioned-update');
    const { json } = await create(type);
    const update = async (language: string, version: string) =>
      server.send('PUT', toPath(type, json.id), JSON.stringify({ ...json, language }), {
        'If-Match': `W/"${version}"`,
      });
    expect((await update('nb', '1')).json.meta.versionId).toBe('2');
    expect((await update('nn', '1')).status).toBe(412);
  },
  'rest.resource.readHistory': async (value, { server, create }, type) => {
    const { json } = await create(type);
    await server.send('PATCH', toPath(type, json.id), replace('/language', 'nb'));
    expect((await server.send('GET', `${toPath(type, json.id)}/_history/1`)).status).toBe(value ? 200 : 404);
  },
  'rest.resource.updateCreate': async (value, { server }, type) => {
    const body = JSON.stringify({ ...sampleOf(type).record, id: unknownId });
    expect((await server.send('PUT', toPath(type, unknownId), body)).status).toBe(value ? 201 : 404);
  },
  'rest.resource.conditionalCreate': async (value, { create }, type) => {
    expect(value).toBe(true);
    const record = { ...sampleOf(type).record, identifier: createIdentifier(type, `only-${Math.random()}`) };
    const condition = { 'If-None-Exist': `identifier=${[record.identifier].flat()[0].value}` };
    const statuses = [await create(type, record, condition), await create(type, record, condition)];
    expect(statuses.map(({ status }) => status)).toEqual([201, 200]);
    await create(type, record);
    expect((await create(type, record, condition)).status).toBe(412);
  },
  'rest.resource.conditionalRead': async (value, { server, idOf }, type) => {
    expect(value).toBe('full-support');
    const path = toPath(type, idOf(type));
    const { headers } = await server.send('GET', path);
    const readIfChanged = (name: string, header: string) =>
      server.send('GET', path, undefined, { [name]: headers.get(header) ?? '' });
    expect((await readIfChanged('If-None-Match', 'etag')).status).toBe(304);
    expect((await readIfChanged('If-Modified-Since', 'last-modified')).status).toBe(304);
    expect((await server.send('GET', path, undefined, { 'If-None-Match': 'W/"99"' })).status).toBe(200);
  },
  'rest.resource.conditionalUpdate': async (value, { server }, type) => {
    expect(value).toBe(false);
    const body = JSON.stringify(sampleOf(type).record);
    expect((await server.send('PUT', `${toPath(type)}?identifier=x`, body)).status).toBe(405);
  },
  'rest.resource.conditionalDelete': async (value, { server }, type) => {
    expect(value).toBe('not-supported');
    expect((await server.send('DELETE', `${toPath(type)}?identifier=x`)).status).toBe(405);
  },
  'rest.resource.referencePolicy': async (value, { server, create }, type) => {
    const subjectsByPolicy: Readonly<Record<string, readonly [Json, string]>> = {
      literal: [{ reference: 'Patient/policy' }, 'subject=Patient/policy'],
      logical: [
        { identifier: { system: 'http://policy.example', value: 'p' } },
        'subject:identifier=http://policy.example|p',
      ],
    };
    const [subject, query] = subjectsByPolicy[value] ?? [];
    if (query === undefined) throw new Error(`there is no test for ${value}`);
    const { json } = await create(type, { ...sampleOf(type).record, subject });
    expect(json.subject).toEqual(subject);
    const bundle = await server.send('GET', `${toPath(type)}?${query}`);
    expect(bundle.json.entry.map(({ resource }: Json) => resource.id)).toContain(json.id);
  },
  'rest.resource.searchParam': searchParam,
  'rest.resource.searchInclude': include,
  'rest.resource.searchRevInclude': revInclude,
  'rest.resource.operation': operation,
};

function equals(expected: unknown): ClaimTest {
  return (value) => {
    expect(value).toEqual(expected);
    return Promise.resolve();
  };
}

function createIdentifier(type: ResourceType, value: string): Json {
  const sampleIdentifier = sampleOf(type).searched.find(
    ({ identifier }) => identifier !== undefined,
  )?.identifier;
  return Array.isArray(sampleIdentifier) ? [{ value }] : { value };
}

/** Values that no record has, by type of the parameter. */
const unmatchedValues: Readonly<Record<string, string>> = { date: '1815-01-01', uri: 'urn:x-nowhere' };

/** Tests that a parameter finds the records with a value, and no record with an unknown value. */
async function searchParam(
  { name, type: parameterType, definition }: Json,
  context: ClaimContext,
  type: ResourceType,
) {
  const r4Definition = definitionOf(type, name);
  expect(parameterType).toBe(r4Definition.type);
  if (definition !== undefined) expect(definition).toBe(r4Definition.url);
  const { server, allRecordsQuery } = context;
  const records = context.stores.get(type)?.records ?? [];
  const valuesById = new Map(records.map(({ id }) => [id, context.stores.get(type)?.values(id, name) ?? []]));
  const searchContext = { base: `${server.origin}/fhir-r4/v1`, system: sampleOf(type).systems[name] };
  const matchingIds = ({ matches }: SearchCase) =>
    records.flatMap(({ id }) => (matches(valuesById.get(id) ?? []) ? [id] : []));
  const searchCases = searchCasesOf(r4Definition, [...valuesById.values()].flat(), searchContext);
  const searchCase = searchCases.find(
    (candidate) => candidate.name === name && matchingIds(candidate).length > 0,
  );
  if (!searchCase) throw new Error(`no record has a value for ${name}`);
  const findIds = async (value: string) => {
    const query = `${allRecordsQuery(type)}&${name}=${encodeURIComponent(value)}`;
    const { status, json } = await server.send('GET', `${toPath(type)}?${query}`);
    expect(status).toBe(200);
    return json.entry.map(({ resource }: Json) => resource.id) as string[];
  };
  expect(await findIds(searchCase.value)).toEqual(expect.arrayContaining(matchingIds(searchCase)));
  expect(await findIds(unmatchedValues[parameterType] ?? 'nowhere-at-all')).toEqual([]);
}
