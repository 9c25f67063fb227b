/**
 * A small OAuth 2 server of the tests, with a FHIR base below `/fhir` that wants its tokens. It checks what a real one
 * checks: client secrets, the signature and claims of assertions, redirect addresses, PKCE, each code once.
 */
import { createHash, createPublicKey, randomBytes, verify } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { startPeer, type Answerer, type Peer, type Seen } from './peer.ts';

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
  /** Why token requests were refused, oldest first. */
  readonly refusals: string[];
  /** Grant types of the tokens that were given. */
  readonly grants: string[];
  /** Every token and code that was given. */
  readonly given: string[];
  /** Seconds that tokens last from now on; undefined says nothing. */
  lifetime: number | undefined;
  /** Whether a sign-in is denied. */
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
  const peer = await startPeer((seen, response) => {
    const { pathname } = new URL(seen.url, 'http://x');
    if (pathname === '/fhir/.well-known/smart-configuration') json(response, 200, configuration());
    else if (pathname === '/oauth/token') tokenEndpoint(seen, response);
    else if (pathname === '/oauth/authorize') authorize(seen, response);
    else if (pathname === '/fhir/metadata') return resource(seen, response);
    else if (isKnown(seen.headers.authorization)) return resource(seen, response);
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
    given: [],
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

  function tokenEndpoint({ headers, body }: Seen, response: ServerResponse): void {
    const form = new URLSearchParams(body.toString('utf8'));
    const client = clientOf(headers.authorization, form);
    if (client === undefined) refuse(response, 401, 'invalid_client');
    else if (form.get('grant_type') === 'client_credentials') give(response, 'client_credentials', false);
    else if (form.get('grant_type') === 'refresh_token') {
      const known = refreshes.delete(form.get('refresh_token') ?? '');
      if (known) give(response, 'refresh_token', true);
      else refuse(response, 400, 'invalid_grant');
    } else if (form.get('grant_type') === 'authorization_code') {
      if (redeems(form, client)) give(response, 'authorization_code', true);
      else refuse(response, 400, 'invalid_grant');
    } else refuse(response, 400, 'unsupported_grant_type');
  }

  function redeems(form: URLSearchParams, client: string): boolean {
    const code = form.get('code') ?? '';
    const held = codes.get(code);
    codes.delete(code);
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    return (
      held?.client === client && held.challenge === challenge && held.redirect === form.get('redirect_uri')
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
    const way = basic === '' ? 'client_secret_post' : 'client_secret_basic';
    const client = idp.clients.get(id);
    if (!client || client.publicKey !== undefined) return undefined;
    if (client.secret === undefined) return secret === null ? id : undefined;
    return client.secret === secret && idp.methods.includes(way) ? id : undefined;
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

  function authorize({ url }: Seen, response: ServerResponse): void {
    const asked = new URL(url, peer.origin).searchParams;
    const redirect = asked.get('redirect_uri') ?? '';
    const client = asked.get('client_id') ?? '';
    const challenge = asked.get('code_challenge') ?? '';
    const sound =
      asked.get('response_type') === 'code' &&
      idp.clients.has(client) &&
      /^http:\/\/127\.0\.0\.1:[0-9]+\/callback$/.test(redirect) &&
      asked.get('code_challenge_method') === 'S256' &&
      challenge.length === 43 &&
      asked.get('aud') === idp.base;
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
    back.searchParams.set('state', asked.get('state') ?? '');
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
    idp.given.push(text);
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
    const replaced = ['authorization', 'host', 'connection', 'accept-encoding', 'content-length'];
    const kept = Object.entries(headers).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string' && !replaced.includes(entry[0]),
    );
    const answer = await fetch(`${origin}${url.replace(/^\/fhir/, '/fhir-r4/v1')}`, {
      method,
      headers: {
        ...Object.fromEntries(kept),
        'accept-encoding': 'identity',
        Authorization: `Bearer ${token}`,
      },
      ...(body.length > 0 && { body: new Uint8Array(body) }),
    });
    const location = answer.headers.get('location')?.replace(`${origin}/fhir-r4/v1`, '/fhir');
    const own = [...answer.headers].filter(([name]) =>
      ['content-type', 'etag', 'last-modified'].includes(name),
    );
    const moved = location === undefined ? {} : { Location: location };
    response
      .writeHead(answer.status, { ...Object.fromEntries(own), ...moved })
      .end(Buffer.from(await answer.arrayBuffer()));
  };
}
