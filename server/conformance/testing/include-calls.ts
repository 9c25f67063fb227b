import { expect } from 'vitest';
import { isResourceType, type ResourceType } from '../../../core/fhir/resource.ts';
import { sampleOf } from '../../../core/types/testing/samples.ts';
import { definitionOf, valuesOf } from '../../http/testing/naive-values.ts';
import type { Answer, Json } from '../../testing/test-server.ts';
import type { ClaimContext } from './claims-world.ts';
import { toPath } from './records.ts';

/** Tests `_include` (FHIR R4 search.html#include): a referenced record is returned and not counted. */
export async function include(claim: string, world: ClaimContext, type: ResourceType): Promise<void> {
  const { from, source, target } = await storePair(claim, world);
  expect(from).toBe(type);
  expectIncluded(
    await world.server.send('GET', `${toPath(from)}?_id=${source}&_include=${claim}`),
    source,
    target,
  );
}

/** Tests `_revinclude`: a referring record is returned and not counted. */
export async function revInclude(claim: string, world: ClaimContext, type: ResourceType): Promise<void> {
  const { source, target } = await storePair(claim, world, type);
  expectIncluded(
    await world.server.send('GET', `${toPath(type)}?_id=${target}&_revinclude=${claim}`),
    target,
    source,
  );
}

function expectIncluded({ status, json }: Answer, match: string, included: string): void {
  expect(status).toBe(200);
  const entries = json.entry.map(({ resource, search }: Json) => [search.mode, resource.id]);
  expect([json.total, entries]).toEqual([
    1,
    expect.arrayContaining([
      ['match', match],
      ['include', included],
    ]),
  ]);
  expect(entries).toHaveLength(2);
}

/** Stores a record and another that refers to it by the parameter of the claim. */
async function storePair(claim: string, { create }: ClaimContext, to?: ResourceType) {
  const [from = '', name = '', target = to ?? from] = claim.split(':');
  if (!isResourceType(from) || !isResourceType(target)) throw new Error(`there is no call for ${claim}`);
  const { id: targetId } = (await create(target)).json;
  const definition = definitionOf(from, name);
  for (const record of sampleOf(from).searched) {
    const { reference } = valuesOf(record, definition)[0]?.value ?? {};
    if (typeof reference !== 'string') continue;
    const text = JSON.stringify(record).replaceAll(JSON.stringify(reference), `"${target}/${targetId}"`);
    const { status, json } = await create(from, JSON.parse(text));
    expect(status).toBe(201);
    return { from, source: String(json.id), target: String(targetId) };
  }
  throw new Error(`no sample refers by ${claim}`);
}

const operations: Readonly<
  Partial<Record<string, (world: ClaimContext, type: ResourceType) => Promise<void>>>
> = {
  validate: async ({ server }, type) => {
    const { status, json } = await server.send(
      'POST',
      `${toPath(type)}/$validate`,
      JSON.stringify({ resourceType: type }),
    );
    expect([status, json.resourceType]).toEqual([200, 'OperationOutcome']);
    expect(json.issue.some(({ severity }: Json) => severity === 'error')).toBe(true);
  },
  document: async ({ server, create }, type) => {
    const { id } = (await create(type)).json;
    for (const method of ['GET', 'POST']) {
      const { status, json } = await server.send(method, `${toPath(type, id)}/$document`);
      expect([method, status, json.type, json.entry[0].resource.id]).toEqual([method, 200, 'document', id]);
    }
  },
};

/** Tests an operation and its definition (FHIR R4 operations.html). */
export async function operation(
  { name, definition }: Json,
  world: ClaimContext,
  type: ResourceType,
): Promise<void> {
  const call = operations[name];
  if (!call) throw new Error(`there is no call for $${name}`);
  expect(definition).toMatch(
    new RegExp(`^http://hl7.org/fhir/OperationDefinition/(Resource|${type})-${name}$`),
  );
  await call(world, type);
}
