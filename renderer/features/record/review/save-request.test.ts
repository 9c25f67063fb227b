import { expect, test } from 'vitest';
import { openRecord, recordReducer, type Method } from '../record-state.ts';
import { toVersion } from '../../../platform/record-version.ts';
import { requestOf, toRemoteRequest } from './save-request.ts';

const base = toVersion({
  text: '{"resourceType":"CarePlan","id":"a b","meta":{"versionId":"3"},"status":"draft","n":1.00}',
  version: 3,
  etag: 'W/"3"',
});
const createRequest = (text: string, method: Method) => {
  const openedState = recordReducer(openRecord('CarePlan', 'a b'), { type: 'loaded', version: base });
  const editedState = recordReducer(openedState, { type: 'edited', text });
  return requestOf(recordReducer(editedState, { type: 'send', as: method }));
};
const expectedHeader = {
  path: '/fhir-r4/v1/CarePlan/a%20b',
  headers: [
    ['Content-Type', 'application/json'],
    ['If-Match', 'W/"3"'],
  ],
};

test('sends the text of the editor with PUT and If-Match', () => {
  const text = base.text.replace('draft', 'active');
  expect(createRequest(text, 'put')).toEqual({ method: 'PUT', ...expectedHeader, body: text });
});

test('sends replace operations with PATCH and If-Match', () => {
  const text = base.text.replace('1.00', '2.50');
  expect(createRequest(text, 'patch')).toEqual({
    method: 'PATCH',
    ...expectedHeader,
    body: '[{"op":"replace","path":"/n","value":2.50}]',
  });
});

test("sends PUT if replace operations can't express the edit", () => {
  const text = base.text.replace('"n": 1.00', '"n": 1.00,\n  "title": "New"');
  expect(createRequest(text, 'patch')).toEqual({ method: 'PUT', ...expectedHeader, body: text });
});

test('sends the ETag unchanged, otherwise the version of the record', () => {
  const headers = (etag?: string, text = base.text) => {
    const version = toVersion({ text, ...(etag !== undefined && { etag }) });
    const state = recordReducer(openRecord('CarePlan', 'a'), { type: 'loaded', version });
    return requestOf(state).headers;
  };
  expect(headers('W/"6f1c-44"')).toContainEqual(['If-Match', 'W/"6f1c-44"']);
  expect(headers('"strong"')).toContainEqual(['If-Match', '"strong"']);
  expect(headers(undefined, '{"meta":{"versionId":"7"}}')).toContainEqual(['If-Match', 'W/"7"']);
  expect(headers(undefined, '{"id":"a"}')).toEqual([['Content-Type', 'application/json']]);
});

test('shows the address and media type of another server', () => {
  const text = base.text.replace('1.00', '2.50');
  const remote = {
    baseUrl: 'https://fhir.example.org/fhir',
    patchType: 'application/json-patch+json',
  } as const;
  expect(toRemoteRequest(remote, createRequest(text, 'patch'))).toMatchObject({
    path: 'https://fhir.example.org/fhir/CarePlan/a%20b',
    headers: [
      ['Content-Type', 'application/json-patch+json'],
      ['If-Match', 'W/"3"'],
    ],
  });
  expect(toRemoteRequest(remote, createRequest(text, 'put')).headers[0]).toEqual([
    'Content-Type',
    'application/json',
  ]);
});
