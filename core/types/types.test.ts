/** What is made from each definition: findings, rows of the grid, summaries, suggestions of the editor. */
import { describe, expect, test } from 'vitest';
import { cardOf } from '../fhir/card/card.ts';
import { project } from '../fhir/projection.ts';
import { readRecord } from '../fhir/record.ts';
import { definitionOf, resourceTypes } from '../fhir/resource.ts';
import { searchParameterOf } from '../fhir/search-parameters.ts';
import { suggest } from '../fhir/suggest.ts';
import { summarise, summariseValue } from '../fhir/summary.ts';
import { validate } from '../fhir/validation/validate.ts';
import { scan } from '../json/scan.ts';
import type { Draft } from './testing/sample.ts';
import { sampleOf } from './testing/samples.ts';

const today = '2026-08-01';

test('a number stands for one path in all types; an alias has its original’s', () => {
  const paths = new Map<number, string>();
  for (const type of resourceTypes) {
    for (const [name, number] of Object.entries(definitionOf(type).parameters)) {
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

  test('the sample has no error, and lacks what it lacks where an element is taken away', () => {
    expect(find({}).filter(({ severity }) => severity === 'error')).toEqual([]);
    const { status } = definition.summary;
    expect(find({ [status]: undefined })).toContainEqual(
      expect.objectContaining({ expression: type, diagnostics: `schema-required: ${status}` }),
    );
    expect(find({ [status]: 'no such code' })).toContainEqual(
      expect.objectContaining({ expression: `${type}.${status}`, rule: 'schema-code' }),
    );
  });

  test('each of its own rules finds its planted fault', () => {
    expect(Object.keys(sample.faults).sort()).toEqual(definition.rules.map(({ id }) => id).sort());
    for (const { id, severity } of definition.rules) {
      const [members, expression] = sample.faults[id] ?? [{}, ''];
      expect(find(members)).toContainEqual(expect.objectContaining({ rule: id, severity, expression }));
    }
  });

  test('a record makes its row', () => {
    const { record, row } = sample.summed;
    expect(summarise(root(record))).toMatchObject({ type, ...row });
    expect(summariseValue(record)).toEqual(summarise(root(record)));
  });

  test('_summary=true keeps what R4 marks so, mandatory elements and nothing else', () => {
    const { record, kept } = sample.summed;
    const part = JSON.parse(project(root(record), { summary: 'true' })) as Draft;
    expect(Object.keys(part).sort()).toEqual(['resourceType', 'meta', ...kept].sort());
  });

  test('the inspector tells what the record says, row by row', () => {
    const { facts } = cardOf(root(sample.summed.record), today);
    expect(facts.map(({ label }) => label)).toEqual(definition.facts.map(({ label }) => label));
    const told = (label: string) => facts.find((one) => one.label === label)?.value;
    expect(told('Status')).toEqual({ as: 'status', text: sample.summed.row.status });
    expect(told('Subject')).toMatchObject({ references: [{ reference: 'Patient/sample' }] });
  });

  test('the editor offers the mandatory elements first, and the codes of the status', () => {
    const { status } = definition.summary;
    const at = (text: string) => suggest(text.replace('|', ''), text.indexOf('|'), type);
    const labels = (text: string) => at(text).map(({ label }) => label);
    const offered = at(`{"resourceType": "${type}", |}`);
    const optional = offered.findIndex(({ detail }) => detail.includes(' 0..'));
    const mandatory = offered.filter(({ detail }) => detail.includes(' 1..'));
    expect(offered.slice(0, optional)).toEqual(mandatory);
    expect(mandatory.map(({ label }) => label)).toContain(status);
    expect(Object.keys(sample.record)).toEqual(expect.arrayContaining(mandatory.map(({ label }) => label)));
    expect(labels(`{"resourceType": "${type}", "${status}": "|"}`)).toEqual(sample.statuses);
    expect(labels('{"resourceType": "|"}')).toEqual([type]);
  });
});
