import { expect, test } from 'vitest';
import { openRecord, recordReducer, type Method } from '../record-state.ts';
import { toVersion } from '../../../platform/record-version.ts';
import { requestOf, sentTo } from './save-request.ts';

const base = toVersion({
  text: '{"resourceType":"CarePlan","id":"a b","meta":{"versionId":"3"},"status":"draft","n":1.00}',
  version: 3,
  etag: 'W/"3"',
});
const edited = (text: string, method: Method) => {
  const open = recordReducer(openRecord('CarePlan', 'a b'), { type: 'loaded', version: base });
  const typed = recordReducer(open, { type: 'edited', text });
  return requestOf(recordReducer(typed, { type: 'send', as: method }));
};
const head = {
  path: '/fhir-r4/v1/CarePlan/a%20b',
  headers: [
    ['Content-Type', 'application/json'],
    ['If-Match', 'W/"3"'],
  ],
};

test('PUT sends the text as it stands in the editor, on its version', () => {
  const text = base.text.replace('draft', 'active');
  expect(edited(text, 'put')).toEqual({ method: 'PUT', ...head, body: text });
});

test('PATCH sends the replace operations, on the same version', () => {
  const text = base.text.replace('1.00', '2.50');
  expect(edited(text, 'patch')).toEqual({
    method: 'PATCH',
    ...head,
    body: '[{"op":"replace","path":"/n","value":2.50}]',
  });
});

test('where replace operations cannot say the edit, it is PUT after all', () => {
  const text = base.text.replace('"n": 1.00', '"n": 1.00,\n  "title": "New"');
  expect(edited(text, 'patch')).toEqual({ method: 'PUT', ...head, body: text });
});

test('the ETag goes back as it came; without one the record names its version, if it can', () => {
  const headers = (etag?: string, text = base.text) => {
    const version = toVersion({ text, ...(etag !== undefined && { etag }) });
    const open = recordReducer(openRecord('CarePlan', 'a'), { type: 'loaded', version });
    return requestOf(open).headers;
  };
  expect(headers('W/"6f1c-44"')).toContainEqual(['If-Match', 'W/"6f1c-44"']);
  expect(headers('"strong"')).toContainEqual(['If-Match', '"strong"']);
  expect(headers(undefined, '{"meta":{"versionId":"7"}}')).toContainEqual(['If-Match', 'W/"7"']);
  expect(headers(undefined, '{"id":"a"}')).toEqual([['Content-Type', 'application/json']]);
});

test('a request to another server is shown with its address and its media type', () => {
  const text = base.text.replace('1.00', '2.50');
  const remote = {
    baseUrl: 'https://fhir.example.org/fhir',
    patchType: 'application/json-patch+json',
  } as const;
  expect(sentTo(remote, edited(text, 'patch'))).toMatchObject({
    path: 'https://fhir.example.org/fhir/CarePlan/a%20b',
    headers: [
      ['Content-Type', 'application/json-patch+json'],
      ['If-Match', 'W/"3"'],
    ],
  });
  expect(sentTo(remote, edited(text, 'put')).headers[0]).toEqual(['Content-Type', 'application/json']);
});
