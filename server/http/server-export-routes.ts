import { AllowedServers, NewServerExport } from '../../core/app/server-exports.ts';
import { defineMessages } from '../../core/text/message.ts';
import type { ServerExports } from '../bulk-data/server-exports.ts';
import { toAuthorship } from '../store/actor.ts';
import type { ConnectionStore } from '../workspace/connections.ts';
import { parseBodyAs } from './body.ts';
import { createEmptyHandler, createJsonHandler } from './reply.ts';
import type { TableRoute } from './route-table.ts';
import { findConnection } from './server-of.ts';

const messages = defineMessages('serverExport', {
  invalid:
    'An export accepts group (a FHIR ID), since (an instant), types (FHIR resource types), keepIds (true or false) and level (off, standard or strict).',
  invalidServers: 'Send the servers that are allowed: {example}.',
});

interface ServerExportDependencies {
  readonly serverExports: ServerExports;
  readonly connections: Pick<ConnectionStore, 'find'>;
}

/** `/app/server-exports`: exports of other servers, imported here (core/app/server-exports.ts). */
export function createServerExportRoutes({
  serverExports,
  connections,
}: ServerExportDependencies): readonly TableRoute[] {
  const start = createJsonHandler(async (request) => {
    const connection = await findConnection(connections, request.id);
    const newExport = parseBodyAs(request, 'ServerExport', NewServerExport, messages.invalid());
    return serverExports.start(connection, newExport, toAuthorship(request.actor));
  }, 202);
  const allow = createJsonHandler((request) => {
    const example = '{"servers": [{"origin": "https://files.example.org", "sendsToken": false}]}';
    const problem = messages.invalidServers({ example });
    return serverExports.allow(request.id, parseBodyAs(request, 'Servers', AllowedServers, problem));
  }, 202);
  const resume = createJsonHandler((request) => serverExports.resume(request.id), 202);
  return [
    { method: 'POST', path: '/app/connections/:id/server-exports', body: true, handler: start },
    { method: 'GET', path: '/app/server-exports', handler: createJsonHandler(() => serverExports.list()) },
    { method: 'POST', path: '/app/server-exports/:id/servers', body: true, handler: allow },
    { method: 'POST', path: '/app/server-exports/:id/resume', handler: resume },
    {
      method: 'POST',
      path: '/app/server-exports/:id/stop',
      handler: createJsonHandler((request) => serverExports.stop(request.id)),
    },
    {
      method: 'DELETE',
      path: '/app/server-exports/:id',
      handler: createEmptyHandler((request) => serverExports.remove(request.id)),
    },
  ];
}
