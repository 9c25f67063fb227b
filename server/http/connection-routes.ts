import type { Request } from 'express';
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
import { is } from '../../core/json/shape.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { KeyFileError, readCaFile, readClientKeys } from '../gateway/key-files.ts';
import { defaultId, defaultProxyKey } from '../gateway/proxy.ts';
import { importPrivateKey } from '../gateway/private-key.ts';
import { secretKey } from '../gateway/secrets.ts';
import type { RemoteJudge } from '../remote/remote-judge.ts';
import type { ConnectionRefusal } from '../workspace/connections.ts';
import { bodyOf, jsonBody, valueOf } from './body.ts';
import { kept, type Forgetting } from './forgetting.ts';
import { done, json } from './reply.ts';
import { idOf, type Answer } from './request.ts';
import type { TableRoute } from './route-table.ts';
import { findConnection } from './server-of.ts';
import { AccessFault } from '../gateway/access-fault.ts';
import type { Workspace } from '../workspace/workspace.ts';

interface ConnectionRouteParts extends Pick<Workspace, 'connections' | 'proxy' | 'forgetServer'> {
  readonly gateway: Gateway;
  readonly remote: Pick<RemoteJudge, 'forget'>;
  readonly forget: Pick<Forgetting, 'connection'>;
}

/** `/app/connections`: remote servers, their secrets (written, never read) and their tokens (core/app/connections.ts). */
export function connectionRoutes({
  gateway,
  connections,
  remote,
  forget,
  proxy,
  forgetServer,
}: ConnectionRouteParts): readonly TableRoute[] {
  const { secrets } = gateway;

  const isKept = async (key: string) => (await secrets.get(key)) !== undefined;
  const summaryOf = async (connection: Connection): Promise<ConnectionSummary> => ({
    ...connection,
    host: new URL(connection.baseUrl).host,
    secretSet: await isKept(connection.id),
    proxySecretSet: await isKept(secretKey(connection.id, 'proxy')),
    certificateSecretSet: await isKept(secretKey(connection.id, 'certificate')),
    ...(await gateway.access(connection)),
  });
  const find = (id: string) => findConnection(connections, id);

  const list = json(async () => {
    const all = await connections.list();
    return {
      secrets: secrets.backend,
      proxySecretSet: await isKept(defaultProxyKey(proxy())),
      connections: await Promise.all(all.map(summaryOf)),
    } satisfies ConnectionList;
  });
  const one = json(async (request) => summaryOf(await find(idOf(request))));
  const add = json(async (request) => {
    const settings = await settingsOf(jsonBody(request, 'Connection'));
    return summaryOf(storedOf(await connections.add(settings)));
  }, 201);
  const arrange: Answer = async (request, response) => {
    const sent = jsonBody(request, 'Order');
    if (!is(ConnectionOrder, sent) || !(await connections.arrange(sent.order))) {
      const rule = 'Send one JSON object with order, an array of ids of connections, each once.';
      throw new FhirError('value', { text: rule, expression: 'order' });
    }
    await list(request, response);
  };
  const change = json(async (request) => {
    const former = await find(idOf(request));
    const settings = await settingsOf(jsonBody(request, 'Connection'));
    const name = settings.name.toLowerCase();
    if ((await connections.list()).some((one) => one.id !== former.id && one.name.toLowerCase() === name)) {
      throw refusals['name-taken']();
    }
    // A secret was given for one server and one way to use it; it never goes to another. It is dropped first: a fault
    // in between leaves the former server without its secret.
    for (const kind of movedSecrets(former, settings)) {
      gateway.signOut(former.id);
      await kept(secrets.delete(secretKey(former.id, kind)));
    }
    if (settings.baseUrl !== former.baseUrl) await remote.forget(former.id);
    return summaryOf(storedOf(await connections.change(former.id, settings)));
  });
  const remove = done(async (request) => {
    const { id, baseUrl } = await find(idOf(request));
    await forget.connection(id);
    await connections.remove(id);
    if ((await connections.list()).every((one) => one.baseUrl !== baseUrl)) await forgetServer(baseUrl);
  });
  const setSecret = done(async (request) => {
    const connection = await find(idOf(request));
    const secret = await secretOf(jsonBody(request, 'Secret'), connection);
    gateway.signOut(connection.id);
    await kept(secrets.set(connection.id, secret));
  });
  const dropSecret = done(async (request) => {
    const { id } = await find(idOf(request));
    gateway.signOut(id);
    await kept(secrets.delete(id));
  });
  const furtherKey = async (request: Request): Promise<string> => {
    const kind = furtherSecrets.find((one) => one === request.params.kind);
    const id = idOf(request);
    if (!kind || (id === defaultId && kind !== 'proxy')) {
      throw new FhirError('not-found', { text: `There is no such secret: ${furtherSecrets.join(', ')}.` });
    }
    if (id === defaultId) return defaultProxyKey(proxy());
    await find(id);
    return secretKey(id, kind);
  };
  /** Ways that stand go on with what they were made of: they are made anew. */
  const renew = (key: string) => {
    gateway.signOut(key.startsWith(`${defaultId}:`) ? undefined : key.split(':')[0]);
  };
  const setFurther = done(async (request) => {
    const key = await furtherKey(request);
    const sent = jsonBody(request, 'Secret');
    if (!is(NewSecret, sent)) throw refusedSecret();
    renew(key);
    await kept(secrets.set(key, sent.secret));
  });
  const dropFurther = done(async (request) => {
    const key = await furtherKey(request);
    renew(key);
    await kept(secrets.delete(key));
  });
  const tryOut = json(async (request) => {
    const sent = bodyOf(request, 'Connection', NewTest, {
      text: 'Send one JSON object with settings, and secrets where there are any.',
    });
    const settings = await settingsOf(sent.settings);
    const former = sent.id === undefined ? undefined : await find(sent.id);
    const given = sent.secrets ?? {};
    const moved = former ? movedSecrets(former, settings) : secretKinds;
    const isNew = moved.length > 0 || Object.keys(given).length > 0;
    const connection = { id: former?.id ?? unnamed, ...settings };
    // What is kept goes where it went alone: a form must not send it elsewhere.
    const own = new Map<string, string>();
    for (const kind of secretKinds) {
      const key = secretKey(connection.id, kind);
      const secret = given[kind] ?? (moved.includes(kind) ? undefined : await secrets.get(key));
      if (secret !== undefined) own.set(key, secret);
    }
    const get = (key: string) =>
      key === defaultProxyKey(proxy()) ? secrets.get(key) : Promise.resolve(own.get(key));
    return gateway.test(connection, isNew ? { get } : undefined);
  });
  const test = json(async (request) => gateway.test(await find(idOf(request))));
  const signIn = json(async (request) => gateway.signIn(await find(idOf(request))));
  const signOut = done(async (request) => {
    gateway.signOut((await find(idOf(request))).id);
  });
  const signOutAll = done(() => {
    gateway.signOut();
  });
  return [
    { method: 'GET', path: '/app/connections', answer: list },
    { method: 'POST', path: '/app/connections', body: true, answer: add },
    { method: 'PUT', path: '/app/connections', body: true, answer: arrange },
    { method: 'POST', path: '/app/connections/sign-out', answer: signOutAll },
    { method: 'POST', path: '/app/connections/test', body: true, answer: tryOut },
    { method: 'PUT', path: '/app/connections/:id/secrets/:kind', body: true, answer: setFurther },
    { method: 'DELETE', path: '/app/connections/:id/secrets/:kind', answer: dropFurther },
    { method: 'GET', path: '/app/connections/:id', answer: one },
    { method: 'PUT', path: '/app/connections/:id', body: true, answer: change },
    { method: 'DELETE', path: '/app/connections/:id', answer: remove },
    { method: 'PUT', path: '/app/connections/:id/secret', body: true, answer: setSecret },
    { method: 'DELETE', path: '/app/connections/:id/secret', answer: dropSecret },
    { method: 'POST', path: '/app/connections/:id/test', answer: test },
    { method: 'POST', path: '/app/connections/:id/sign-in', answer: signIn },
    { method: 'POST', path: '/app/connections/:id/sign-out', answer: signOut },
  ];
}

async function settingsOf(value: unknown): Promise<ConnectionSettings> {
  const settings = valueOf(checkConnection(value));
  const { caFile, clientCertificate } = settings;
  try {
    if (caFile !== undefined) await readCaFile(caFile);
    if (clientCertificate) await readClientKeys(clientCertificate);
  } catch (error) {
    if (error instanceof KeyFileError) {
      throw new FhirError('value', { text: error.message, expression: error.member });
    }
    throw error;
  }
  return settings;
}

const refusals: Readonly<Record<ConnectionRefusal, () => FhirError>> = {
  'name-taken': () =>
    new FhirError('exists', { text: 'Another connection has this name.', expression: 'name' }),
  full: () =>
    new FhirError('business-rule', {
      text: `There are ${connectionLimits.connections} connections already.`,
    }),
  unknown: () => new FhirError('not-found', { text: 'No connection has this id.' }),
};

function storedOf(result: Connection | ConnectionRefusal): Connection {
  if (typeof result === 'string') throw refusals[result]();
  return result;
}

/** In the place of the id that a connection has once it is stored. */
const unnamed = 'new';

function refusedSecret(): FhirError {
  const text = `Send one JSON object with secret, text of at most ${connectionLimits.secret} characters.`;
  return new FhirError('value', { text, expression: 'secret' });
}

/** @throws FhirError `value` where the secret cannot be one of its kind; it is never quoted. */
async function secretOf(value: unknown, { authentication }: Connection): Promise<string> {
  const refuse = (text: string) => new FhirError('value', { text, expression: 'secret' });
  if (!is(NewSecret, value)) throw refusedSecret();
  const { secret } = value;
  const plain = secret.trim();
  switch (authentication.kind) {
    case 'none':
      throw refuse('This connection takes no secret; choose an authentication first.');
    case 'bearer':
      if (/^[\x21-\x7e]+$/.test(plain)) return plain;
      throw refuse('An access token holds no spaces and plain letters only; enter it without Bearer.');
    case 'smart-backend':
      try {
        await importPrivateKey(plain, authentication.algorithm);
        return plain;
      } catch (error) {
        if (error instanceof AccessFault) throw refuse(error.message);
        throw error;
      }
    case 'client-credentials':
    case 'authorization-code':
      return secret;
  }
}
