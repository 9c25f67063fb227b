/** The ways in which a remote server is entered, each with the second Chartkeeper of a test behind it. */
import { generateKeyPairSync } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { expect } from '@playwright/test';
import {
  proxyTo,
  startIdentityProvider,
  type Client,
  type IdentityProvider,
} from '../server/gateway/testing/identity-provider.ts';
import { demanding, keyFile, passphrase } from '../server/gateway/testing/identities.ts';
import { startPeer, type Answerer, type Seen } from '../server/gateway/testing/peer.ts';
import { startProxy } from '../server/gateway/testing/proxy.ts';
import type { ConnectionFields, Connections } from './remote-page.ts';
import type { TestServer } from './server.ts';

/** A remote server, entered in one way. */
export interface Entrance {
  readonly connection: Omit<ConnectionFields, 'name'>;
  /** What stands between the dialog's fields and its saving. */
  readonly signIn?: (connections: Connections) => Promise<void>;
  /** Ends the access tokens that were given, where there are such. */
  readonly endTokens?: () => void;
  /** What the way in must have left behind it. */
  readonly check?: () => void;
  readonly close: () => Promise<void>;
}

export interface Authentication {
  readonly name: string;
  readonly open: (hospital: TestServer, resource: Answerer) => Promise<Entrance>;
}

const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
const privateKey = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const publicKey = pair.publicKey.export({ type: 'spki', format: 'pem' }).toString();

/** A way through an identity provider that knows one client. */
function byProvider(
  clientId: string,
  client: Client,
  rest: (idp: IdentityProvider) => Omit<Entrance, 'close' | 'endTokens'>,
): Authentication['open'] {
  return async (_hospital, resource) => {
    const idp = await startIdentityProvider(resource);
    idp.clients.set(clientId, client);
    return { ...rest(idp), endTokens: () => idp.revoke(), close: () => idp.peer.close() };
  };
}

/** Signs in by the window that the dialog opens. */
async function signIn({ page, dialog }: Connections): Promise<void> {
  const opened = page.context().waitForEvent('page');
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
  const window = await opened;
  await expect(window.getByRole('heading')).toBeVisible();
  await window.close();
  await expect(dialog.getByText('Signed in.', { exact: true })).toBeVisible();
}

export const authentications: readonly Authentication[] = [
  {
    name: 'no authentication',
    open: async (_hospital, resource) => {
      const peer = await startPeer(resource);
      return { connection: { baseUrl: `${peer.origin}/fhir` }, close: () => peer.close() };
    },
  },
  {
    name: 'a Bearer token',
    open: async ({ token }, resource) => {
      const peer = await startPeer((seen, response) =>
        seen.headers.authorization === `Bearer ${token}`
          ? resource(seen, response)
          : void response.writeHead(401).end(),
      );
      return {
        connection: {
          baseUrl: `${peer.origin}/fhir`,
          authentication: 'Bearer token',
          fields: { 'Access token': token },
        },
        close: () => peer.close(),
      };
    },
  },
  {
    name: 'client credentials with a secret',
    open: byProvider('ward', { secret: 'ward-secret' }, (idp) => ({
      connection: {
        baseUrl: idp.base,
        authentication: 'OAuth 2 client credentials',
        fields: { 'Client id': 'ward', 'Client secret': 'ward-secret' },
      },
      check: () => expect(new Set(idp.grants)).toEqual(new Set(['client_credentials'])),
    })),
  },
  {
    name: 'a private key (private_key_jwt)',
    open: byProvider('robot', { publicKey, algorithm: 'RS384' }, (idp) => ({
      connection: {
        baseUrl: idp.base,
        authentication: 'SMART Backend Services (private key)',
        fields: { 'Client id': 'robot', 'Private key (PEM or JWK)': privateKey },
      },
      check: () => expect(new Set(idp.grants)).toEqual(new Set(['client_credentials'])),
    })),
  },
  {
    name: 'an authorization code with PKCE',
    open: byProvider('desktop', {}, (idp) => ({
      connection: {
        baseUrl: idp.base,
        authentication: 'Sign-in in the browser (authorization code with PKCE)',
        fields: { 'Client id': 'desktop' },
      },
      signIn,
      check: () => expect(new Set(idp.grants)).toEqual(new Set(['authorization_code', 'refresh_token'])),
    })),
  },
  {
    name: 'a client certificate, through a proxy with a password',
    open: async (_hospital, resource) => {
      const peer = await startPeer(resource, demanding());
      const proxy = await startProxy('ward', 'ward-password');
      return {
        connection: {
          baseUrl: `${peer.origin}/fhir`,
          choices: { Proxy: 'This one', 'Client certificate': 'PKCS#12' },
          fields: {
            ...{ 'Proxy address': proxy.url, 'Proxy user': 'ward', 'Proxy password': 'ward-password' },
            ...{ 'PKCS#12 file': keyFile('client.p12'), 'Pass phrase': passphrase },
            'CA file': keyFile('loopback.cert.pem'),
          },
        },
        check: () => expect(proxy.opened).not.toEqual([]),
        close: async () => {
          await peer.close();
          await proxy.close();
        },
      };
    },
  },
];

/** The second Chartkeeper as the remote server's resource, whose next write can be made to lose its answer. */
export class Hospital {
  readonly server: TestServer;
  loseNextWrite = false;
  private readonly forward: Answerer;

  constructor(server: TestServer) {
    this.server = server;
    this.forward = proxyTo(server.origin, server.token);
  }

  readonly answer = async (seen: Seen, response: ServerResponse): Promise<void> => {
    if (!this.loseNextWrite || seen.method === 'GET') return this.forward(seen, response);
    this.loseNextWrite = false;
    // The server does what it was asked for; who asked is not told.
    await fetch(this.server.origin + seen.url.replace(/^\/fhir/, '/fhir-r4/v1'), {
      method: seen.method,
      headers: {
        Authorization: `Bearer ${this.server.token}`,
        'Content-Type': seen.headers['content-type'] ?? '',
        'If-Match': seen.headers['if-match'] ?? '',
      },
      body: new Uint8Array(seen.body),
    });
    response.destroy();
  };
}
