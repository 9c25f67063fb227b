import { expect, test } from 'vitest';
import { withoutVersion } from './origin.ts';
import { readSupportingResource } from './supporting-resource.ts';
import { FhirError } from './outcome.ts';

const idOf = (record: object, fullUrl?: string) => {
  try {
    return readSupportingResource('Patient', JSON.stringify({ resourceType: 'Patient', ...record }), fullUrl)
      .id;
  } catch (error) {
    if (error instanceof FhirError) return error.kind;
    throw error;
  }
};

test.each<[record: object, fullUrl: string | undefined, id: string]>([
  [{ id: 'a' }, 'http://x/Patient/b', 'a'],
  [{}, 'http://x/Patient/b', 'b'],
  [{}, 'http://x/Patient/b/_history/2', 'b'],
  [{}, 'urn:uuid:b', 'b'],
  [{}, 'http://x/Group/b', 'required'],
  [{}, 'http://x/Patient/b_c', 'required'],
  [{}, undefined, 'required'],
  [{ id: 'b_c' }, 'http://x/Patient/b', 'value'],
  [{ id: 1 }, 'http://x/Patient/b', 'value'],
])('returns the id of a resource, otherwise of its fullUrl: %j at %s', (record, fullUrl, id) => {
  expect(idOf(record, fullUrl)).toBe(id);
});

test.each<[subject: object, subjects: readonly object[]]>([
  [{ subject: { reference: 'Patient/A' } }, [{ id: 'A', type: 'Patient' }]],
  // A UUID ignores case; an id does not.
  [{ patient: { reference: 'urn:uuid:AB' } }, [{ id: 'ab' }]],
  [{ patient: { reference: 'http://x/Patient/AB' } }, [{ id: 'AB', type: 'Patient' }]],
  [{ beneficiary: [{ reference: 'A' }, { reference: '#p' }, { display: 'x' }] }, [{ id: 'A' }]],
  [{}, []],
])('returns the subjects of %j', (subject, subjects) => {
  const text = JSON.stringify({ resourceType: 'Condition', id: 'c', ...subject });
  expect(readSupportingResource('Condition', text).subjects).toEqual(subjects);
});

test.each([
  [' http://x/Patient/A/_history/2 ', 'http://x/Patient/A'],
  ['URN:UUID:AB', 'urn:uuid:ab'],
])('normalizes %j to %s', (address, plain) => {
  expect(withoutVersion(address)).toBe(plain);
});
