/** Tests every claim of /metadata with a request. A claim without a test fails. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { resourceTypes, type ResourceType } from '../../core/fhir/resource.ts';
import { definitionOf, namesOf } from '../http/testing/naive-values.ts';
import type { ServerSettings } from '../settings.ts';
import { startTestServer, type Json } from '../testing/test-server.ts';
import { claimTests, type ClaimTest } from './testing/claim-calls.ts';
import { createClaimContext, type ClaimContext } from './testing/claims-world.ts';
import { toPath } from './testing/records.ts';

interface Claim {
  /** Path of the claim, for example `rest[0].resource[1].interaction[2]`. */
  readonly location: string;
  readonly value: Json;
  readonly call: ClaimTest | undefined;
  /** Resource type of the entry; the first type for claims outside an entry. */
  readonly type: ResourceType;
}

/** Lists the claims of a statement. Splits members that have no test into their members. */
function claimsOf(value: Json, pattern = '', location = '', type = resourceTypes[0]): Claim[] {
  if (type === undefined) return [];
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => claimsOf(item, pattern, `${location}[${index}]`, type));
  }
  const call = claimTests[pattern];
  if (call !== undefined || typeof value !== 'object') return [{ location, value, call, type }];
  const resourceType = pattern === 'rest.resource' ? value.type : type;
  return Object.keys(value).flatMap((name) => {
    const dot = pattern === '' ? '' : '.';
    return claimsOf(value[name], `${pattern}${dot}${name}`, `${location}${dot}${name}`, resourceType);
  });
}

const origin = 'https://page.example';

describe.each<[string, Partial<ServerSettings>]>([
  ['as it starts', {}],
  ['with --require-subject and --allow-origin', { requireSubject: true, allowOrigins: [origin] }],
])('a server %s', (_, settings) => {
  let world: ClaimContext;
  beforeAll(async () => {
    world = await createClaimContext(await startTestServer({ ...settings, failureLimit: 1000 }));
  });
  afterAll(() => world.server.remove());

  test('fulfills each claim of its statement', async () => {
    const claims = claimsOf(world.statement);
    expect(claims.length).toBeGreaterThan(100);
    const wrong: string[] = [];
    for (const { location, value, call, type } of claims) {
      const outcome = call?.(value, world, type) ?? Promise.reject(new Error('there is no call for it'));
      await outcome.catch((fault: unknown) => {
        wrong.push(`${location} ${JSON.stringify(value).slice(0, 100)}: ${String(fault)}`);
      });
    }
    expect(wrong).toEqual([]);
  });

  test.each(resourceTypes)(
    'rejects parameters, includes and operations of %s that its statement does not claim',
    async (type) => {
      const { server } = world;
      const statement = world.getClaims(type);
      const searched: string[] = statement.searchParam.map(({ name }: Json) => name);
      const selectAll = world.allRecordsQuery(type);
      for (const name of namesOf(type).filter((parameter) => !searched.includes(parameter))) {
        const { status } = await server.send('GET', `${toPath(type)}?${selectAll}&${name}=x`);
        expect([name, status]).toEqual([name, 400]);
      }
      for (const name of searched.filter((parameter) => definitionOf(type, parameter).type === 'reference')) {
        for (const include of ['Include', 'RevInclude']) {
          const claim = `${type}:${name}`;
          const claims = resourceTypes.flatMap(
            (otherType) => world.getClaims(otherType)[`search${include}`] ?? [],
          );
          if (claims.some((otherClaim: string) => otherClaim.startsWith(claim))) continue;
          const { status } = await server.send(
            'GET',
            `${toPath(type)}?${selectAll}&_${include.toLowerCase()}=${claim}`,
          );
          expect([include, claim, status]).toEqual([include, claim, 400]);
        }
      }
      const operations: string[] = statement.operation.map(({ name }: Json) => name);
      for (const name of ['validate', 'document', 'everything', 'meta', 'apply']) {
        if (operations.includes(name)) continue;
        const { status } = await server.send('POST', `${toPath(type)}/$${name}`, '{}');
        expect([name, status]).toEqual([name, 404]);
      }
      expect(statement.interaction.map(({ code }: Json) => code)).not.toContain('delete');
      expect((await server.send('DELETE', toPath(type, world.idOf(type)))).status).toBe(405);
    },
  );

  test('rejects interactions with the whole system', async () => {
    expect(world.statement.rest[0].interaction).toBeUndefined();
    const { server } = world;
    expect((await server.send('POST', '/fhir-r4/v1', '{"resourceType":"Bundle"}')).status).toBe(405);
    expect((await server.send('GET', '/fhir-r4/v1/_history')).status).toBe(404);
  });
});
