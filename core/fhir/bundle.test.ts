import { expect, test } from 'vitest';
import { bundleEnd, documentSet, type Bundle, type DocumentSet } from './bundle.ts';

function read({ head, entries }: Bundle): unknown {
  const texts = [...entries].map(({ before, resource, behind }) => {
    const text = typeof resource === 'string' ? resource : new TextDecoder().decode(resource);
    return `${before}${text}${behind}`;
  });
  return JSON.parse(`${head}${texts.join(',')}${bundleEnd}`);
}

const fullUrl = 'http://here/Composition/a';
const document: DocumentSet = {
  ...{ uuid: 'f81d4fae-7dec-41d0-a765-00a0c91e6bf6', timestamp: '2026-11-26T08:00:00Z', absent: [] },
  parts: [{ fullUrl, bytes: new TextEncoder().encode('{"resourceType":"Composition","title":"Ä"}') }],
};

test('a document says which it is, when it was made, and holds its parts', () => {
  expect(read(documentSet(document))).toEqual({
    ...{ resourceType: 'Bundle', type: 'document', timestamp: '2026-11-26T08:00:00Z' },
    identifier: { system: 'urn:ietf:rfc:3986', value: 'urn:uuid:f81d4fae-7dec-41d0-a765-00a0c91e6bf6' },
    entry: [{ fullUrl, resource: { resourceType: 'Composition', title: 'Ä' } }],
  });
});

test('what a document refers to and does not hold is said at its end', () => {
  const absent = [{ path: 'Composition.subject', reference: 'Patient/1', why: 'is not here.' }];
  const text = 'Patient/1 is not here.';
  expect(read(documentSet({ ...document, absent }))).toMatchObject({
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
