import { expect, test } from 'vitest';
import { wholeItem } from './items.ts';
import { targetOf } from './references.ts';
import { rootOf, type Json } from './testing/judged.ts';

const record = rootOf({ resourceType: 'CarePlan', contained: [{ resourceType: 'Goal', id: 'g' }] });
const otherResource = rootOf({ resourceType: 'Device' });

function typeOf(reference: Json): string | undefined {
  const resolve = (literal: string) => (literal === 'urn:uuid:1' ? otherResource : undefined);
  return targetOf(wholeItem(rootOf(reference), []), record, resolve)?.type;
}

test.each<[what: string, reference: Json, type: string | undefined]>([
  ['a literal that names it', { reference: 'Patient/1', type: 'Group' }, 'Patient'],
  ['the element type, where the literal has no id', { reference: 'Patient/', type: 'Group' }, 'Group'],
  ['the contained resource', { reference: '#g' }, 'Goal'],
  ['the record itself', { reference: '#' }, 'CarePlan'],
  ['the resource beside', { reference: 'urn:uuid:1' }, 'Device'],
  ['nothing, where no resource is at hand', { reference: 'urn:uuid:2' }, undefined],
  ['nothing, where only a display stands', { display: 'A' }, undefined],
])("reads the type of a reference's target from %s", (_description, reference, type) => {
  expect(typeOf(reference)).toBe(type);
});
