import { expect, test } from 'vitest';
import { member, serializeNode, type JsonObject } from '../json/node.ts';
import { scan } from '../json/scan.ts';
import {
  asEnteredInError,
  emptyRecordText,
  duplicateOf,
  isNewRecord,
  newRecord,
  createTemporaryId,
} from './new-record.ts';
import { definitionOf, isFhirId, resourceTypes } from './resource.ts';
import { validate } from './validation/validate.ts';

const today = '2026-11-23';

function objectOf(text: string): JsonObject {
  const { root } = scan(text);
  if (root.kind === 'object') return root;
  throw new TypeError('not an object');
}

const errors = (text: string, type: (typeof resourceTypes)[number]) =>
  validate(objectOf(text), type, { today }).filter(({ severity }) => severity === 'error');

test.each(resourceTypes)('%s: is valid with all answers and invalid without them', (type) => {
  const { questions } = definitionOf(type).newRecord;
  const answers = new Map(questions.map(({ pointer }) => [pointer, 'p1']));
  expect(errors(newRecord(type, answers, today), type)).toEqual([]);
  const bare = newRecord(type, new Map(), today);
  expect(bare).not.toContain('""');
  expect(errors(bare, type)).not.toEqual([]);
});

test('treats a bare id as a patient id and leaves other references unchanged', () => {
  const subject = (answer: string) =>
    serializeNode(
      member(objectOf(newRecord('CarePlan', new Map([['/subject/reference', answer]]), today)), 'subject') ??
        scan('null').root,
    );
  expect(subject(' p1 ')).toBe('{"reference":"Patient/p1"}');
  expect(subject('urn:uuid:0c1e')).toBe('{"reference":"urn:uuid:0c1e"}');
  expect(subject('Group/g')).toBe('{"reference":"Group/g"}');
});

test('creates temporary ids that are not FHIR ids', () => {
  const id = createTemporaryId('7');
  expect([isNewRecord(id), isFhirId(id), isNewRecord('new-7')]).toEqual([true, false, false]);
  expect(emptyRecordText('CarePlan')).toContain('"CarePlan"');
});

test('duplicates a record without id, identifier and server metadata, with exact digits', () => {
  const record = objectOf(
    '{"resourceType":"CarePlan","id":"a","_id":{"extension":[]},"meta":{"versionId":"3","lastUpdated":"x","source":"here"},"identifier":[{"value":"1"}],"n":1.00,"big":12345678901234567890.10,"s":"\\u0041"}',
  );
  expect(serializeNode(duplicateOf(record))).toBe(
    '{"resourceType":"CarePlan","meta":{"source":"here"},"n":1.00,"big":12345678901234567890.10,"s":"\\u0041"}',
  );
  expect(serializeNode(duplicateOf(objectOf('{"meta":{"versionId":"3"},"n":1}')))).toBe('{"n":1}');
  expect(serializeNode(record)).toContain('"identifier"');
});

test('marks a record as entered in error once', () => {
  const marked = asEnteredInError('CarePlan', scan('{"status":"active","n":1.00}').root);
  expect(marked && serializeNode(marked)).toBe('{"status":"entered-in-error","n":1.00}');
  expect(marked && asEnteredInError('CarePlan', marked)).toBeUndefined();
});
