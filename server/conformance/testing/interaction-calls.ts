import { expect } from 'vitest';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { sampleOf } from '../../../core/types/testing/samples.ts';
import type { Json } from '../../testing/test-server.ts';
import type { ClaimContext } from './claims-world.ts';
import { toPath, replace } from './records.ts';

type Interaction = (world: ClaimContext, type: ResourceType) => Promise<void>;

/** Tests of interactions (FHIR R4 valueset-type-restful-interaction.html). */
export const interactions: Readonly<Partial<Record<string, Interaction>>> = {
  read: async ({ server, idOf }, type) => {
    const { status, json } = await server.send('GET', toPath(type, idOf(type)));
    expect([status, json.resourceType, json.id]).toEqual([200, type, idOf(type)]);
  },
  vread: async ({ server, idOf }, type) => {
    const { status, json } = await server.send('GET', `${toPath(type, idOf(type))}/_history/1`);
    expect([status, json.id, json.meta.versionId]).toEqual([200, idOf(type), '1']);
  },
  create: async ({ server, create }, type) => {
    const { status, json, headers } = await create(type);
    const location = `${server.origin}${toPath(type, json.id)}/_history/1`;
    expect([status, headers.get('location')]).toEqual([201, location]);
  },
  update: async ({ server, create }, type) => {
    const { id } = (await create(type)).json;
    const body = JSON.stringify({ ...sampleOf(type).record, id, language: 'nb' });
    const { status, json } = await server.send('PUT', toPath(type, id), body);
    expect([status, json.language, json.meta.versionId]).toEqual([200, 'nb', '2']);
  },
  patch: async ({ server, create }, type) => {
    const { id } = (await create(type)).json;
    const { status, json } = await server.send('PATCH', toPath(type, id), replace('/language', 'nn'));
    expect([status, json.language, json.meta.versionId]).toEqual([200, 'nn', '2']);
  },
  'history-instance': async ({ server, create }, type) => {
    const { id } = (await create(type)).json;
    await server.send('PATCH', toPath(type, id), replace('/language', 'nn'));
    const { status, json } = await server.send('GET', `${toPath(type, id)}/_history`);
    expect([status, json.type, versions(json)]).toEqual([200, 'history', ['2', '1']]);
  },
  'history-type': async ({ server, create }, type) => {
    const { id } = (await create(type)).json;
    const { status, json } = await server.send('GET', `${toPath(type)}/_history?_count=1`);
    expect([status, json.type, json.entry[0].resource.id]).toEqual([200, 'history', id]);
  },
  'search-type': async ({ server, idOf }, type) => {
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const query = `_id=${idOf(type)}`;
    const answers = [
      await server.send('GET', `${toPath(type)}?${query}`),
      await server.send('POST', `${toPath(type)}/_search`, query, form),
    ];
    for (const { status, json } of answers) {
      expect([status, json.type, json.total, json.entry[0].resource.id]).toEqual([
        200,
        'searchset',
        1,
        idOf(type),
      ]);
    }
  },
};

const versions = ({ entry }: Json) => entry.map(({ resource }: Json) => resource.meta.versionId);
