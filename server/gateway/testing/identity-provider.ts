/**
 * A small OAuth 2 server of the tests with a protected FHIR base below `/fhir`. It verifies client secrets,
 * assertions, redirect addresses, PKCE and single use of codes, like a real server.
 */
import { createHash, createPublicKey, randomBytes, verify } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { startPeer, type Answerer, type Peer, type RecordedRequest } from './peer.ts';

export interface Client {
  readonly secret?: string;
  /** PEM of the key that assertions are signed with. */
  readonly publicKey?: string;
  readonly algorithm?: 'RS384' | 'ES384';
}

export interface IdentityProvider {
  readonly peer: Peer;
  readonly base: string;
  readonly tokenEndpoint: string;
  readonly clients: Map<string, Client>;
  /** Reasons of rejected token requests, oldest first. */
  readonly refusals: string[];
  /** Grant types of the tokens that were given. */
  readonly grants: string[];
  /** Every token and code that was given. */
  readonly issuedTokens: string[];
  /** Lifetime of new tokens in seconds; undefined omits it. */
  lifetime: number | undefined;
  /** True to deny each sign-in. */
  denies: boolean;
  /** Ways of client authentication that the SMART configuration names. */
  methods: readonly string[];
  /** Ends every access token. */
  revoke(): void;
  /** Ends every refresh token. */
  revokeRefresh(): void;
}

interface Code {
  readonly client: string;
  readonly challenge: string;
  readonly redirect: string;
}

export async function startIdentityProvider(resource: Answerer): Promise<IdentityProvider> {
  const tokens = new Map<string, number>();
  const refreshes = new Set<string>();
  const codes = new Map<string, Code>();
  const assertions = new Set<string>();
  const peer = await startPeer((request, response) => {
    const { pathname } = new URL(request.url, 'http://x');
    if (pathname === '/fhir/.well-known/smart-configuration') json(response, 200, configuration());
    else if (pathname === '/oauth/token') tokenEndpoint(request, response);
    else if (pathname === '/oauth/authorize') authorize(request, response);
    else if (pathname === '/fhir/metadata') return resource(request, response);
    else if (isKnown(request.headers.authorization)) return resource(request, response);
    else response.writeHead(401, { 'WWW-Authenticate': 'Bearer error="invalid_token"' }).end();
    return undefined;
  });
  const idp: IdentityProvider = {
    peer,
    base: `${peer.origin}/fhir`,
    tokenEndpoint: `${peer.origin}/oauth/token`,
    clients: new Map(),
    refusals: [],
    grants: [],
    issuedTokens: [],
    lifetime: 3600,
    denies: false,
    methods: ['client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    revoke: () => tokens.clear(),
    revokeRefresh: () => refreshes.clear(),
  };
  return idp;

  function configuration() {
    return {
      issuer: peer.origin,
      token_endpoint: idp.tokenEndpoint,
      authorization_endpoint: `${peer.origin}/oauth/authorize`,
      token_endpoint_auth_methods_supported: idp.methods,
      code_challenge_methods_supported: ['S256'],
      capabilities: ['launch-standalone', 'client-confidential-asymmetric'],
    };
  }

  function isKnown(authorization: string | undefined): boolean {
    const end = tokens.get(/^Bearer (.+)$/.exec(authorization ?? '')?.[1] ?? '') ?? 0;
    return Date.now() < end;
  }

  function tokenEndpoint({ headers, body }: RecordedRequest, response: ServerResponse): void {
    const form = new URLSearchParams(body.toString('utf8'));
    const client = clientOf(headers.authorization, form);
    if (client === undefined) refuse(response, 401, 'invalid_client');
    else if (form.get('grant_type') === 'client_credentials') give(response, 'client_credentials', false);
    else if (form.get('grant_type') === 'refresh_token') {
      const isKnownToken = refreshes.delete(form.get('refresh_token') ?? '');
      if (isKnownToken) give(response, 'refresh_token', true);
      else refuse(response, 400, 'invalid_grant');
    } else if (form.get('grant_type') === 'authorization_code') {
      if (redeems(form, client)) give(response, 'authorization_code', true);
      else refuse(response, 400, 'invalid_grant');
    } else refuse(response, 400, 'unsupported_grant_type');
  }

  function redeems(form: URLSearchParams, client: string): boolean {
    const code = form.get('code') ?? '';
    const pendingCode = codes.get(code);
    codes.delete(code);
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    return (
      pendingCode?.client === client &&
      pendingCode.challenge === challenge &&
      pendingCode.redirect === form.get('redirect_uri')
    );
  }

  /** Id of the client that proved itself. */
  function clientOf(authorization: string | undefined, form: URLSearchParams): string | undefined {
    const assertion = form.get('client_assertion');
    if (assertion !== null) return assertionClient(assertion, form.get('client_assertion_type'));
    const basic = Buffer.from(/^Basic (.+)$/.exec(authorization ?? '')?.[1] ?? '', 'base64').toString('utf8');
    const [basicId = '', basicSecret] = basic
      .split(':')
      .map((part) => decodeURIComponent(part.replaceAll('+', ' ')));
    const id = basic === '' ? (form.get('client_id') ?? '') : basicId;
    const secret = basic === '' ? form.get('client_secret') : basicSecret;
    const method = basic === '' ? 'client_secret_post' : 'client_secret_basic';
    const client = idp.clients.get(id);
    if (!client || client.publicKey !== undefined) return undefined;
    if (client.secret === undefined) return secret === null ? id : undefined;
    return client.secret === secret && idp.methods.includes(method) ? id : undefined;
  }

  function assertionClient(assertion: string, type: string | null): string | undefined {
    const [head = '', claims = '', signature = ''] = assertion.split('.');
    const header = decoded(head);
    const { iss, sub, aud, exp, iat, jti } = decoded(claims);
    const client = idp.clients.get(iss);
    const now = Date.now() / 1000;
    const fresh = !assertions.has(jti) && exp > now && exp - now <= 300 && iat <= now + 1;
    const fits =
      type === 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer' &&
      header.alg === client?.algorithm &&
      header.typ === 'JWT' &&
      iss === sub &&
      aud === idp.tokenEndpoint;
    if (!client?.publicKey || !fresh || !fits) return undefined;
    assertions.add(jti);
    const key = createPublicKey(client.publicKey);
    const options = { key, dsaEncoding: 'ieee-p1363' as const };
    const signed = verify(
      'sha384',
      Buffer.from(`${head}.${claims}`),
      options,
      Buffer.from(signature, 'base64url'),
    );
    return signed ? iss : undefined;
  }

  function authorize({ url }: RecordedRequest, response: ServerResponse): void {
    const query = new URL(url, peer.origin).searchParams;
    const redirect = query.get('redirect_uri') ?? '';
    const client = query.get('client_id') ?? '';
    const challenge = query.get('code_challenge') ?? '';
    const sound =
      query.get('response_type') === 'code' &&
      idp.clients.has(client) &&
      /^http:\/\/127\.0\.0\.1:[0-9]+\/callback$/.test(redirect) &&
      query.get('code_challenge_method') === 'S256' &&
      challenge.length === 43 &&
      query.get('aud') === idp.base;
    if (!sound) {
      response.writeHead(400).end('The request is not sound.');
      return;
    }
    const back = new URL(redirect);
    if (idp.denies) back.searchParams.set('error', 'access_denied');
    else {
      const code = random();
      codes.set(code, { client, challenge, redirect });
      back.searchParams.set('code', code);
    }
    back.searchParams.set('state', query.get('state') ?? '');
    response.writeHead(302, { Location: back.href }).end();
  }

  function give(response: ServerResponse, grant: string, refreshable: boolean): void {
    const token = random();
    tokens.set(token, Date.now() + (idp.lifetime ?? 3600) * 1000);
    idp.grants.push(grant);
    const refresh = refreshable ? { refresh_token: random() } : {};
    if (refresh.refresh_token !== undefined) refreshes.add(refresh.refresh_token);
    const expiry = idp.lifetime === undefined ? {} : { expires_in: idp.lifetime };
    json(response, 200, { access_token: token, token_type: 'Bearer', ...expiry, ...refresh });
  }

  function refuse(response: ServerResponse, status: number, error: string): void {
    idp.refusals.push(error);
    json(response, status, { error, error_description: 'Never shown.' });
  }

  function random(): string {
    const text = randomBytes(24).toString('base64url');
    idp.issuedTokens.push(text);
    return text;
  }
}

function decoded(part: string): any {
  return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
}

function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
  response.end(JSON.stringify(value));
}

/** A resource that hands its requests to another server, with a token of that one. */
export function proxyTo(origin: string, token: string): Answerer {
  return async ({ method, url, headers, body }, response) => {
    const replacedHeaders = ['authorization', 'host', 'connection', 'accept-encoding', 'content-length'];
    const forwardedHeaders = Object.entries(headers).filter(
      (entry): entry is [string, string] =>
        typeof entry[1] === 'string' && !replacedHeaders.includes(entry[0]),
    );
    const answer = await fetch(`${origin}${url.replace(/^\/fhir/, '/fhir-r4/v1')}`, {
      method,
      headers: {
        ...Object.fromEntries(forwardedHeaders),
        'accept-encoding': 'identity',
        Authorization: `Bearer ${token}`,
      },
      ...(body.length > 0 && { body: new Uint8Array(body) }),
    });
    const location = answer.headers.get('location')?.replace(`${origin}/fhir-r4/v1`, '/fhir');
    const responseHeaders = [...answer.headers].filter(([name]) =>
      ['content-type', 'etag', 'last-modified'].includes(name),
    );
    const movedHeaders = location === undefined ? {} : { Location: location };
    response
      .writeHead(answer.status, { ...Object.fromEntries(responseHeaders), ...movedHeaders })
      .end(Buffer.from(await answer.arrayBuffer()));
  };
}
