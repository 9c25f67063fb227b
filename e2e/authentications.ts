/**
 * The kinds of authentication at a remote server, each with the second Chartkeeper of a test as that server.
 */
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
import { startPeer, type Answerer, type RecordedRequest } from '../server/gateway/testing/peer.ts';
import { startProxy } from '../server/gateway/testing/proxy.ts';
import type { ConnectionFields, Connections } from './remote-page.ts';
import type { TestServer } from './server.ts';

/** A remote server with one kind of authentication. */
export interface SignInMethod {
  readonly connection: Omit<ConnectionFields, 'name'>;
  /** Step between filling the dialog and saving it. */
  readonly signIn?: (connections: Connections) => Promise<void>;
  /** Ends the access tokens, if this kind has any. */
  readonly endTokens?: () => void;
  /** Checks the requests of the authentication. */
  readonly check?: () => void;
  readonly close: () => Promise<void>;
}

export interface Authentication {
  readonly name: string;
  readonly open: (hospital: TestServer, resource: Answerer) => Promise<SignInMethod>;
}

const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
const privateKey = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const publicKey = pair.publicKey.export({ type: 'spki', format: 'pem' }).toString();

/** Creates a kind that uses an identity provider with one client. */
function byProvider(
  clientId: string,
  client: Client,
  createEntrance: (idp: IdentityProvider) => Omit<SignInMethod, 'close' | 'endTokens'>,
): Authentication['open'] {
  return async (_hospital, resource) => {
    const idp = await startIdentityProvider(resource);
    idp.clients.set(clientId, client);
    return { ...createEntrance(idp), endTokens: () => idp.revoke(), close: () => idp.peer.close() };
  };
}

/** Signs in through the window that the dialog opens. */
async function signIn({ page, dialog }: Connections): Promise<void> {
  const newPage = page.context().waitForEvent('page');
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
  const window = await newPage;
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
      const peer = await startPeer((request, response) =>
        request.headers.authorization === `Bearer ${token}`
          ? resource(request, response)
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
        fields: { 'Client ID': 'ward', 'Client secret': 'ward-secret' },
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
        fields: { 'Client ID': 'robot', 'Private key (PEM or JWK)': privateKey },
      },
      check: () => expect(new Set(idp.grants)).toEqual(new Set(['client_credentials'])),
    })),
  },
  {
    name: 'an authorization code with PKCE',
    open: byProvider('desktop', {}, (idp) => ({
      connection: {
        baseUrl: idp.base,
        authentication: 'Browser sign-in (authorization code with PKCE)',
        fields: { 'Client ID': 'desktop' },
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
          choices: { Proxy: 'Custom proxy', 'Client certificate': 'PKCS#12' },
          fields: {
            'Proxy address': proxy.url,
            'Proxy user': 'ward',
            'Proxy password': 'ward-password',
            'PKCS#12 file': keyFile('client.p12'),
            Passphrase: passphrase,
            'CA file': keyFile('loopback.cert.pem'),
          },
        },
        check: () => expect(proxy.openedTunnels).not.toEqual([]),
        close: async () => {
          await peer.close();
          await proxy.close();
        },
      };
    },
  },
];

/** The second Chartkeeper as the remote server's resource. Its next write can lose its response. */
export class Hospital {
  readonly server: TestServer;
  loseNextWrite = false;
  private readonly forward: Answerer;

  constructor(server: TestServer) {
    this.server = server;
    this.forward = proxyTo(server.origin, server.token);
  }

  readonly answer = async (request: RecordedRequest, response: ServerResponse): Promise<void> => {
    if (!this.loseNextWrite || request.method === 'GET') return this.forward(request, response);
    this.loseNextWrite = false;
    // The server performs the write, but the client gets no response.
    await fetch(this.server.origin + request.url.replace(/^\/fhir/, '/fhir-r4/v1'), {
      method: request.method,
      headers: {
        Authorization: `Bearer ${this.server.token}`,
        'Content-Type': request.headers['content-type'] ?? '',
        'If-Match': request.headers['if-match'] ?? '',
      },
      body: new Uint8Array(request.body),
    });
    response.destroy();
  };
}
