import { expect } from 'vitest';
import { resourceTypes, type ResourceType } from '../../../core/fhir/resource.ts';
import { namingSubject } from '../../../core/fhir/search.ts';
import { sampleOf } from '../../../core/types/testing/samples.ts';
import { NaiveStore } from '../../http/testing/naive-store.ts';
import type { Answer, Json, TestServer } from '../../testing/test-server.ts';
import { sendAs } from '../../testing/tokens.ts';

/** A server with the records of all samples, and its CapabilityStatement. */
export interface ClaimContext {
  readonly server: TestServer;
  readonly statement: Json;
  readonly stores: ReadonlyMap<ResourceType, NaiveStore>;
  /** Returns the statement's entry of a type. */
  readonly getClaims: (type: ResourceType) => Json;
  /** Returns a criterion that finds all records of a type; it names all subjects if the server requires a subject. */
  readonly allRecordsQuery: (type: ResourceType) => string;
  /** Returns the ID of a stored record. */
  readonly idOf: (type: ResourceType) => string;
  /** Creates a record; returns the response. */
  readonly create: (type: ResourceType, record?: Json, headers?: Record<string, string>) => Promise<Answer>;
}

export async function createClaimContext(server: TestServer): Promise<ClaimContext> {
  const { json: statement } = await sendAs(server, undefined, 'GET', '/fhir-r4/v1/metadata');
  const lines = resourceTypes.flatMap((type) =>
    sampleOf(type).searched.map((record) => JSON.stringify(record)),
  );
  const report = await server.send('POST', '/app/import?level=off', lines.join('\n'), {
    'Content-Type': 'application/x-ndjson',
  });
  expect(report.text).toContain('"refused":0');
  const stores = new Map<ResourceType, NaiveStore>();
  for (const type of resourceTypes) {
    const store = new NaiveStore(type);
    const { text } = await server.send('GET', `/app/export?type=${type}`);
    for (const line of text.trim().split('\n')) store.put(JSON.parse(line));
    stores.set(type, store);
  }
  const resourceClaims = (type: ResourceType) =>
    statement.rest[0].resource.find((resource: Json) => resource.type === type);
  const idsOf = (type: ResourceType): string[] => (stores.get(type)?.records ?? []).map(({ id }) => id);
  return {
    server,
    statement,
    stores,
    getClaims: resourceClaims,
    allRecordsQuery: (type) =>
      resourceClaims(type).extension ? `${namingSubject[2] ?? ''}=${idsOf(type).join(',')}` : '_count=1000',
    idOf: (type) => idsOf(type)[0] ?? '',
    create: (type, record = sampleOf(type).record, headers = {}) =>
      server.send('POST', `/fhir-r4/v1/${type}`, JSON.stringify(record), headers),
  };
}
