import { checkConnection } from '../../core/app/connection-check.ts';
import { connectionLimits } from '../../core/app/connection-limits.ts';
import {
  type Connection,
  type ConnectionList,
  type ConnectionSettings,
  ConnectionOrder,
  furtherSecrets,
  NewSecret,
  NewTest,
  type ConnectionSummary,
} from '../../core/app/connections.ts';
import { movedSecrets, secretKinds } from '../../core/app/secret-places.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { matchesSchema } from '../../core/json/shape.ts';
import { formatList } from '../../core/text/language.ts';
import { defineMessages, type Message } from '../../core/text/message.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { KeyFileError, readCaFile, readClientKeys } from '../gateway/key-files.ts';
import { defaultId, defaultProxyKey } from '../gateway/proxy.ts';
import { importPrivateKey } from '../gateway/private-key.ts';
import { secretKey } from '../gateway/secrets.ts';
import type { ConnectionRejectionCode } from '../workspace/connections.ts';
import { parseBodyAs, parseJsonBody, getCheckedValue } from './body.ts';
import { mapSecretErrors, type CredentialCleanup } from './credential-cleanup.ts';
import { createEmptyHandler, createJsonHandler } from './reply.ts';
import { type ApiRequest, type Handler } from './request.ts';
import type { TableRoute } from './route-table.ts';
import { findConnection, createUnknownConnectionError } from './server-of.ts';
import { AccessError } from '../gateway/access-error.ts';
import type { Workspace } from '../workspace/workspace.ts';

const messages = defineMessages('connection', {
  nameTaken: 'Another connection already has this name.',
  full: 'There are already {connections} connections. Remove one first.',
  invalidOrder: 'Send one JSON object with order: an array of connection IDs, each of them once.',
  unknownSecret: 'Unknown secret. Use one of: {kinds}.',
  invalidTest: 'Send one JSON object with settings, and optionally secrets.',
  invalidSecret: 'Send one JSON object with secret: a string of at most {characters} characters.',
  secretNotNeeded: 'This connection needs no secret. Choose an authentication method first.',
  invalidToken: 'An access token contains only plain letters and no spaces. Leave out “Bearer”.',
});

interface ConnectionRouteDependencies extends Pick<Workspace, 'connections' | 'proxy' | 'forgetServer'> {
  readonly gateway: Gateway;
  /** Work of this server with the records of connections. */
  readonly works: { forget(id: string): Promise<void> };
  readonly forget: Pick<CredentialCleanup, 'connection'>;
}

/** `/app/connections`: remote servers with write-only secrets and tokens (core/app/connections.ts). */
export function createConnectionRoutes({
  gateway,
  connections,
  works,
  forget,
  proxy,
  forgetServer,
}: ConnectionRouteDependencies): readonly TableRoute[] {
  const { secrets } = gateway;

  const isSecretSet = async (key: string) => (await secrets.get(key)) !== undefined;
  const summarizeConnection = async (connection: Connection): Promise<ConnectionSummary> => ({
    ...connection,
    host: new URL(connection.baseUrl).host,
    secretSet: await isSecretSet(connection.id),
    proxySecretSet: await isSecretSet(secretKey(connection.id, 'proxy')),
    certificateSecretSet: await isSecretSet(secretKey(connection.id, 'certificate')),
    ...(await gateway.access(connection)),
  });
  const find = (id: string) => findConnection(connections, id);

  const list = createJsonHandler(async () => {
    const savedConnections = await connections.list();
    return {
      secrets: secrets.backend,
      proxySecretSet: await isSecretSet(defaultProxyKey(proxy())),
      connections: await Promise.all(savedConnections.map(summarizeConnection)),
    } satisfies ConnectionList;
  });
  const readConnection = createJsonHandler(async (request) => summarizeConnection(await find(request.id)));
  const add = createJsonHandler(async (request) => {
    const settings = await readSettings(parseJsonBody(request, 'Connection'));
    return summarizeConnection(assertStored(await connections.add(settings)));
  }, 201);
  const arrange: Handler = async (request) => {
    const order = parseJsonBody(request, 'Order');
    if (!matchesSchema(ConnectionOrder, order) || !(await connections.arrange(order.order))) {
      throw new FhirError('value', { ...messages.invalidOrder(), expression: 'order' });
    }
    return list(request);
  };
  const change = createJsonHandler(async (request) => {
    const previous = await find(request.id);
    const settings = await readSettings(parseJsonBody(request, 'Connection'));
    const name = settings.name.toLowerCase();
    if (
      (await connections.list()).some(
        (connection) => connection.id !== previous.id && connection.name.toLowerCase() === name,
      )
    ) {
      throw rejections['name-taken']();
    }
    // A secret belongs to one server and one authentication method and never goes to another. It is deleted
    // first: an error in between leaves the previous server without its secret.
    for (const kind of movedSecrets(previous, settings)) {
      gateway.signOut(previous.id);
      await mapSecretErrors(secrets.delete(secretKey(previous.id, kind)));
    }
    if (settings.baseUrl !== previous.baseUrl) await works.forget(previous.id);
    return summarizeConnection(assertStored(await connections.change(previous.id, settings)));
  });
  const remove = createEmptyHandler(async (request) => {
    const { id, baseUrl } = await find(request.id);
    await forget.connection(id);
    await connections.remove(id);
    if ((await connections.list()).every((connection) => connection.baseUrl !== baseUrl))
      await forgetServer(baseUrl);
  });
  const setSecret = createEmptyHandler(async (request) => {
    const connection = await find(request.id);
    const secret = await readSecret(parseJsonBody(request, 'Secret'), connection);
    gateway.signOut(connection.id);
    await mapSecretErrors(secrets.set(connection.id, secret));
  });
  const dropSecret = createEmptyHandler(async (request) => {
    const { id } = await find(request.id);
    gateway.signOut(id);
    await mapSecretErrors(secrets.delete(id));
  });
  const getSecretKey = async (request: ApiRequest): Promise<string> => {
    const kind = furtherSecrets.find((secretKind) => secretKind === request.params.kind);
    const { id } = request;
    if (!kind || (id === defaultId && kind !== 'proxy')) {
      const kinds = formatList(furtherSecrets, 'unit');
      throw new FhirError('not-found', messages.unknownSecret({ kinds }));
    }
    if (id === defaultId) return defaultProxyKey(proxy());
    await find(id);
    return secretKey(id, kind);
  };
  /** Signs out, because open connections still use the previous secret. */
  const endConnections = (key: string) => {
    gateway.signOut(key.startsWith(`${defaultId}:`) ? undefined : key.split(':')[0]);
  };
  const setFurtherSecret = createEmptyHandler(async (request) => {
    const key = await getSecretKey(request);
    const body = parseJsonBody(request, 'Secret');
    if (!matchesSchema(NewSecret, body)) throw createSecretError();
    endConnections(key);
    await mapSecretErrors(secrets.set(key, body.secret));
  });
  const dropFurtherSecret = createEmptyHandler(async (request) => {
    const key = await getSecretKey(request);
    endConnections(key);
    await mapSecretErrors(secrets.delete(key));
  });
  const testSettings = createJsonHandler(async (request) => {
    const testRequest = parseBodyAs(request, 'Connection', NewTest, messages.invalidTest());
    const settings = await readSettings(testRequest.settings);
    const previous = testRequest.id === undefined ? undefined : await find(testRequest.id);
    const newSecrets = testRequest.secrets ?? {};
    const movedKinds = previous ? movedSecrets(previous, settings) : secretKinds;
    const isNew = movedKinds.length > 0 || Object.keys(newSecrets).length > 0;
    const connection = { id: previous?.id ?? unsavedId, ...settings };
    // Stored secrets go to their own server only. A form must not send them elsewhere.
    const secretsByKey = new Map<string, string>();
    for (const kind of secretKinds) {
      const key = secretKey(connection.id, kind);
      const secret = newSecrets[kind] ?? (movedKinds.includes(kind) ? undefined : await secrets.get(key));
      if (secret !== undefined) secretsByKey.set(key, secret);
    }
    const get = (key: string) =>
      key === defaultProxyKey(proxy()) ? secrets.get(key) : Promise.resolve(secretsByKey.get(key));
    return gateway.test(connection, isNew ? { get } : undefined);
  });
  const test = createJsonHandler(async (request) => gateway.test(await find(request.id)));
  const signIn = createJsonHandler(async (request) => gateway.signIn(await find(request.id)));
  const signOut = createEmptyHandler(async (request) => {
    gateway.signOut((await find(request.id)).id);
  });
  const signOutAll = createEmptyHandler(() => {
    gateway.signOut();
  });
  return [
    { method: 'GET', path: '/app/connections', handler: list },
    { method: 'POST', path: '/app/connections', body: true, handler: add },
    { method: 'PUT', path: '/app/connections', body: true, handler: arrange },
    { method: 'POST', path: '/app/connections/sign-out', handler: signOutAll },
    { method: 'POST', path: '/app/connections/test', body: true, handler: testSettings },
    { method: 'PUT', path: '/app/connections/:id/secrets/:kind', body: true, handler: setFurtherSecret },
    { method: 'DELETE', path: '/app/connections/:id/secrets/:kind', handler: dropFurtherSecret },
    { method: 'GET', path: '/app/connections/:id', handler: readConnection },
    { method: 'PUT', path: '/app/connections/:id', body: true, handler: change },
    { method: 'DELETE', path: '/app/connections/:id', handler: remove },
    { method: 'PUT', path: '/app/connections/:id/secret', body: true, handler: setSecret },
    { method: 'DELETE', path: '/app/connections/:id/secret', handler: dropSecret },
    { method: 'POST', path: '/app/connections/:id/test', handler: test },
    { method: 'POST', path: '/app/connections/:id/sign-in', handler: signIn },
    { method: 'POST', path: '/app/connections/:id/sign-out', handler: signOut },
  ];
}

async function readSettings(value: unknown): Promise<ConnectionSettings> {
  const settings = getCheckedValue(checkConnection(value));
  const { caFile, clientCertificate } = settings;
  try {
    if (caFile !== undefined) await readCaFile(caFile);
    if (clientCertificate) await readClientKeys(clientCertificate);
  } catch (error) {
    if (error instanceof KeyFileError) {
      throw new FhirError('value', { ...error.sentence, expression: error.member });
    }
    throw error;
  }
  return settings;
}

const rejections: Readonly<Record<ConnectionRejectionCode, () => FhirError>> = {
  'name-taken': () => new FhirError('exists', { ...messages.nameTaken(), expression: 'name' }),
  full: () => new FhirError('business-rule', messages.full({ connections: connectionLimits.connections })),
  unknown: () => createUnknownConnectionError(),
};

function assertStored(result: Connection | ConnectionRejectionCode): Connection {
  if (typeof result === 'string') throw rejections[result]();
  return result;
}

/** Placeholder of the id until the connection is stored. */
const unsavedId = 'new';

function createSecretError(): FhirError {
  const message = messages.invalidSecret({ characters: connectionLimits.secret });
  return new FhirError('value', { ...message, expression: 'secret' });
}

/**
 * Returns the secret of a request.
 *
 * @throws FhirError `value` if the secret has the wrong shape. The message never quotes it.
 */
async function readSecret(value: unknown, { authentication }: Connection): Promise<string> {
  const createRejection = (message: Message) => new FhirError('value', { ...message, expression: 'secret' });
  if (!matchesSchema(NewSecret, value)) throw createSecretError();
  const { secret } = value;
  const trimmed = secret.trim();
  switch (authentication.kind) {
    case 'none':
      throw createRejection(messages.secretNotNeeded());
    case 'bearer':
      if (/^[\x21-\x7e]+$/.test(trimmed)) return trimmed;
      throw createRejection(messages.invalidToken());
    case 'smart-backend':
      try {
        await importPrivateKey(trimmed, authentication.algorithm);
        return trimmed;
      } catch (error) {
        if (error instanceof AccessError) {
          throw createRejection(error.sentence);
        }
        throw error;
      }
    case 'client-credentials':
    case 'authorization-code':
      return secret;
  }
}
