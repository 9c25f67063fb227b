/**
 * Tests of everything that is derived from each definition: findings, grid rows, summaries, suggestions of
 * the editor.
 */
import { describe, expect, test } from 'vitest';
import { cardOf } from '../fhir/card/card.ts';
import { project } from '../fhir/projection.ts';
import { readRecord } from '../fhir/record.ts';
import { definitionOf, resourceTypes } from '../fhir/resource.ts';
import { searchParameterOf } from '../fhir/search-parameters.ts';
import { suggest } from '../fhir/suggest.ts';
import { summarize, summarizeValue } from '../fhir/summary.ts';
import { validate } from '../fhir/validation/validate.ts';
import { scan } from '../json/scan.ts';
import type { Draft } from './testing/sample.ts';
import { sampleOf } from './testing/samples.ts';

const today = '2026-08-01';

test('uses a number for one path in all types, shared only by aliases', () => {
  const paths = new Map<number, string>();
  for (const type of resourceTypes) {
    for (const [name, number] of Object.entries(definitionOf(type).parameterNumbers)) {
      const path = JSON.stringify([type, searchParameterOf(type, name)?.path]);
      expect([number, paths.get(number) ?? path]).toEqual([number, path]);
      paths.set(number, path);
    }
  }
});

describe.each(resourceTypes)('%s', (type) => {
  const sample = sampleOf(type);
  const definition = definitionOf(type);
  const root = (record: Draft) => scan(JSON.stringify(record)).root;
  const find = (members: Draft) =>
    validate(readRecord(JSON.stringify({ ...sample.record, ...members }), type), type, { today });

  test('finds no error in the sample, and the missing element after a removal', () => {
    expect(find({}).filter(({ severity }) => severity === 'error')).toEqual([]);
    const { status } = definition.summary;
    expect(find({ [status]: undefined })).toContainEqual(
      expect.objectContaining({ expression: type, diagnostics: `schema-required: ${status}` }),
    );
    expect(find({ [status]: 'no such code' })).toContainEqual(
      expect.objectContaining({ expression: `${type}.${status}`, rule: 'schema-code' }),
    );
  });

  test('finds the violation of each rule of the type', () => {
    expect(Object.keys(sample.faults).sort()).toEqual(definition.rules.map(({ id }) => id).sort());
    for (const { id, severity } of definition.rules) {
      const [members, expression] = sample.faults[id] ?? [{}, ''];
      expect(find(members)).toContainEqual(expect.objectContaining({ rule: id, severity, expression }));
    }
  });

  test('derives the grid row of a record', () => {
    const { record, row } = sample.summed;
    expect(summarize(root(record))).toMatchObject({ type, ...row });
    expect(summarizeValue(record)).toEqual(summarize(root(record)));
  });

  test('keeps marked and required elements for _summary=true only', () => {
    const { record, summaryElements } = sample.summed;
    const part = JSON.parse(project(root(record), { summary: 'true' })) as Draft;
    expect(Object.keys(part).sort()).toEqual(['resourceType', 'meta', ...summaryElements].sort());
  });

  test('lists the details of a record in order of the definition', () => {
    const { facts } = cardOf(root(sample.summed.record), today);
    expect(facts.map(({ id }) => id)).toEqual(definition.facts.map(({ id }) => id));
    const findValue = (id: string) => facts.find((detail) => detail.id === id)?.value;
    expect(findValue('status')).toEqual({ kind: 'status', text: sample.summed.row.status });
    expect(findValue('subject')).toMatchObject({ references: [{ reference: 'Patient/sample' }] });
  });

  test('suggests required elements first, and the codes of the status', () => {
    const { status } = definition.summary;
    const suggestAt = (text: string) => suggest(text.replace('|', ''), text.indexOf('|'), type);
    const labels = (text: string) => suggestAt(text).map(({ label }) => label);
    const suggestions = suggestAt(`{"resourceType": "${type}", |}`);
    const optional = suggestions.findIndex(({ detail }) => detail.includes(' 0..'));
    const mandatory = suggestions.filter(({ detail }) => detail.includes(' 1..'));
    expect(suggestions.slice(0, optional)).toEqual(mandatory);
    expect(mandatory.map(({ label }) => label)).toContain(status);
    expect(Object.keys(sample.record)).toEqual(expect.arrayContaining(mandatory.map(({ label }) => label)));
    expect(labels(`{"resourceType": "${type}", "${status}": "|"}`)).toEqual(sample.statuses);
    expect(labels('{"resourceType": "|"}')).toEqual([type]);
  });
});
