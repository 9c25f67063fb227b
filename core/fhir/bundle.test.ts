import { expect, test } from 'vitest';
import {
  bundleEnd,
  documentHead,
  documentSet,
  historySet,
  searchSet,
  type Bundle,
  type DocumentSet,
  type HistorySet,
} from './bundle.ts';
import { FhirError } from './outcome.ts';
import { defineMessages } from '../text/message.ts';

function read({ head, entries }: Bundle): unknown {
  const texts = [...entries].map(({ prefix, resource, suffix }) => {
    const text = typeof resource === 'string' ? resource : new TextDecoder().decode(resource);
    return `${prefix}${text}${suffix}`;
  });
  return JSON.parse(`${head}${texts.join(',')}${bundleEnd}`);
}

const fullUrl = 'http://here/Composition/a';
const document: DocumentSet = {
  head: documentHead({ uuid: 'f81d4fae-7dec-41d0-a765-00a0c91e6bf6', timestamp: '2026-11-26T08:00:00Z' }),
  missing: [],
  parts: [{ fullUrl, bytes: new TextEncoder().encode('{"resourceType":"Composition","title":"Ä"}') }],
};

test('builds a document Bundle with identifier, timestamp and entries', () => {
  expect(read(documentSet(document))).toEqual({
    resourceType: 'Bundle',
    type: 'document',
    timestamp: '2026-11-26T08:00:00Z',
    identifier: { system: 'urn:ietf:rfc:3986', value: 'urn:uuid:f81d4fae-7dec-41d0-a765-00a0c91e6bf6' },
    entry: [{ fullUrl, resource: { resourceType: 'Composition', title: 'Ä' } }],
  });
});

const {
  damaged: damagedMessage,
  missing: missingMessage,
  notAll: incompleteMessage,
} = defineMessages('test', {
  damaged: 'Damaged.',
  missing: '{reference} is not here.',
  notAll: 'Not all.',
});

test('lists missing references of a document in an outcome at the end', () => {
  const missingResources = [
    { path: 'Composition.subject', message: missingMessage({ reference: 'Patient/1' }) },
  ];
  const text = 'Patient/1 is not here.';
  expect(read(documentSet({ ...document, missing: missingResources }))).toMatchObject({
    entry: [
      { fullUrl },
      {
        resource: {
          resourceType: 'OperationOutcome',
          issue: [{ code: 'not-found', details: { text }, expression: ['Composition.subject'] }],
        },
      },
    ],
  });
});

const typeUrl = 'http://here/CarePlan';
const links = [{ relation: 'self', url: 'http://here/CarePlan?x' }] as const;
const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
const fault = new FhirError('value', damagedMessage());
const outcome = { resourceType: 'OperationOutcome', issue: [{ details: { text: 'Damaged.' } }] };

test('returns stored bytes and the search mode of each entry', () => {
  const record = { resourceType: 'CarePlan', title: 'Ä' };
  const bundle = searchSet({
    total: 5,
    links,
    typeUrl,
    matches: [{ id: 'a', bytes: bytesOf(record) }, { fault }],
    included: { records: [{ id: 'b', bytes: bytesOf({}) }], cut: incompleteMessage() },
  });
  expect(read(bundle)).toMatchObject({
    resourceType: 'Bundle',
    type: 'searchset',
    total: 5,
    link: links,
    entry: [
      { fullUrl: `${typeUrl}/a`, resource: record, search: { mode: 'match' } },
      { resource: outcome, search: { mode: 'outcome' } },
      { fullUrl: `${typeUrl}/b`, search: { mode: 'include' } },
      {
        resource: { issue: [{ severity: 'warning', code: 'incomplete', details: { text: 'Not all.' } }] },
        search: { mode: 'outcome' },
      },
    ],
  });
  expect([...bundle.entries][1]?.prefix).not.toContain('fullUrl');
});

test('omits an unknown total and returns a total of 0', () => {
  const empty = { matches: [], links, typeUrl };
  expect(read(searchSet({ ...empty, total: undefined }))).toEqual({
    resourceType: 'Bundle',
    type: 'searchset',
    link: links,
    entry: [],
  });
  expect(read(searchSet({ ...empty, total: 0, included: { records: [] } }))).toMatchObject({
    total: 0,
    entry: [],
  });
});

type Version = HistorySet['versions'] extends Iterable<infer Item> ? Item : never;

test.each<[past: Partial<Version>, method: string, url: string, status: string]>([
  [{ operation: 'create', version: 1 }, 'POST', 'CarePlan', '201 Created'],
  [{ operation: 'import', version: 1 }, 'PUT', 'CarePlan/a', '201 Created'],
  [{ operation: 'import', version: 2 }, 'PUT', 'CarePlan/a', '200 OK'],
  [{ operation: 'update', version: 2 }, 'PUT', 'CarePlan/a', '200 OK'],
  [{ operation: 'patch', version: 3 }, 'PATCH', 'CarePlan/a', '200 OK'],
])('lists %j in a history as %s %s with the status %s', (past, method, url, status) => {
  const lastUpdated = '2026-01-01T00:00:00.000Z';
  const version = {
    id: 'a',
    text: '{"id":"a"}',
    lastUpdated,
    version: 1,
    operation: 'create',
    ...past,
  } as const;
  expect(read(historySet({ total: 1, type: 'CarePlan', links, typeUrl, versions: [version] }))).toEqual({
    resourceType: 'Bundle',
    type: 'history',
    total: 1,
    link: links,
    entry: [
      {
        fullUrl: `${typeUrl}/a`,
        resource: { id: 'a' },
        request: { method, url },
        response: { status, etag: `W/"${version.version}"`, lastModified: lastUpdated },
      },
    ],
  });
});

test('replaces an unreadable version by an outcome without fullUrl', () => {
  const unreadable = { id: 'a', version: 2, lastUpdated: '2026-01-01', operation: 'update', fault } as const;
  const { entry } = read(
    historySet({ total: 1, type: 'CarePlan', links, typeUrl, versions: [unreadable] }),
  ) as {
    entry: object[];
  };
  expect(entry).toMatchObject([{ resource: outcome, response: { etag: 'W/"2"' } }]);
  expect(entry[0]).not.toHaveProperty('fullUrl');
});
