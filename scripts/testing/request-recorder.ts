/** Sends requests to a server and records the names in its responses. Called by `previous-requests.ts`. */

/** Names that clients read in the responses of an address. */
export interface ResponseNames {
  readonly status: number;
  /** Lower-case names of the response headers, with a space between two. */
  readonly headers: string;
  /** Paths of the members, such as `entry[].resource.id`, also with the values that are codes: `kind=write`. */
  readonly members: string;
}

export interface Server {
  readonly origin: string;
  readonly token: string;
}

export interface RequestOptions {
  readonly path?: readonly (string | number)[];
  readonly query?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly token?: string;
  /** Keeps the responses of the same address apart. */
  readonly label?: string;
  /** Records the status only. */
  readonly isBrief?: true;
}

/** Parsed JSON. */
export type Json = any;

/** Members whose values are codes of the API. */
const codeMembers =
  /(?:^|\.)(?:kind|result|outcome|step|severity|rule|category|action|operation|code|set|exercise|mode|relation|colour|check|set|by|type|state|access|secrets|level|resourceType)$/;

/** States that depend on how far background work is. */
const passing = new Set(['idle', 'running', 'waiting', 'reading', 'stopped', 'done']);

/** Headers that the connection sets, not the application. */
const transportHeaders = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'date']);

/** Joins names in order, each without spaces. */
const join = (names: Iterable<string>) =>
  [...names]
    .map((name) => name.replaceAll(' ', '_'))
    .sort()
    .join(' ');

/** Adds the paths of all members below a value. */
function addMembers(value: Json, path: string, names: Set<string>): void {
  if (Array.isArray(value)) {
    for (const item of value) addMembers(item, `${path}[]`, names);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      const memberPath = path === '' ? name : `${path}.${name}`;
      names.add(memberPath);
      addMembers(member, memberPath, names);
    }
  } else if (typeof value === 'string' && codeMembers.test(path) && !passing.has(value)) {
    if (/^[\w./#-]{1,40}$/.test(value)) names.add(`${path}=${value}`);
  }
}

/** Returns the names in a body: of JSON, of each line of NDJSON, of the first line of CSV, of metrics. */
function namesOf(type: string, text: string): Set<string> {
  const names = new Set<string>();
  if (type.includes('ndjson')) {
    for (const line of text.split('\n').filter(Boolean)) addMembers(JSON.parse(line), '', names);
  } else if (type.includes('json') && text !== '') addMembers(JSON.parse(text), '', names);
  else if (type.includes('csv'))
    for (const name of (text.split('\n')[0] ?? '').trim().split(',')) names.add(name);
  else for (const [, name = ''] of text.matchAll(/^# TYPE (chartkeeper_\w+)/gm)) names.add(name);
  return names;
}

/** Returns the names in an OpenAPI document: its operations. */
function operationsOf(document: Json): string[] {
  return Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(
      ([method, { operationId }]) => `${method} ${path} ${operationId ?? ''}`,
    ),
  );
}

/**
 * Returns a member that a wait reads.
 *
 * @throws Error if it is absent. A wait for a renamed member would not end.
 */
export function required(value: Json): Json {
  if (value === undefined) throw new Error('A response lacks a member of the previous release.');
  return value;
}

/** Sends requests, and collects the names in the responses by address. */
export class Recorder {
  readonly responses = new Map<string, ResponseNames>();
  private readonly server: Server;

  constructor(server: Server) {
    this.server = server;
  }

  /** Sends a request to an address such as `GET /app/drafts/{id}`, and returns the body. */
  async send(
    address: string,
    { path = [], query = '', label = '', isBrief, ...options }: RequestOptions = {},
  ): Promise<Json> {
    const [method = '', template = ''] = address.split(' ');
    const values = path.map(String);
    const filledPath = template.replace(/\{\w+\}|\*/g, () => values.shift() ?? '');
    const response = await this.request(method, `${filledPath}${query}`, options);
    const text = await response.text();
    const type = response.headers.get('content-type') ?? '';
    const parsed: Json =
      type.includes('json') && !type.includes('ndjson') && text !== '' ? JSON.parse(text) : text;
    const members = template === '/openapi.json' ? operationsOf(parsed) : namesOf(type, text);
    const headers = [...response.headers.keys()].filter((name) => !transportHeaders.has(name));
    const name = label === '' ? address : `${address} ${label}`;
    if (this.responses.has(name)) throw new Error(`${name} was sent before.`);
    this.responses.set(name, {
      status: response.status,
      headers: isBrief ? '' : join(headers),
      members: isBrief ? '' : join(members),
    });
    return parsed;
  }

  /** Repeats a GET until its response is as expected. Records nothing. */
  async until(path: string, isExpected: (body: Json) => boolean): Promise<void> {
    while (!isExpected(await (await this.request('GET', path, {})).json()));
  }

  /** Reads the first events of the change stream while a record is written. */
  async readStream(address: string, write: () => Promise<unknown>): Promise<void> {
    const leave = new AbortController();
    const headers = { Authorization: `Bearer ${this.server.token}` };
    const response = await fetch(this.server.origin + (address.split(' ')[1] ?? ''), {
      headers,
      signal: leave.signal,
    });
    await write();
    let text = '';
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      if (text.includes('"changes":[{')) break;
    }
    leave.abort();
    const names = new Set<string>();
    for (const [, data = ''] of text.matchAll(/^data: (.*)$/gm)) addMembers(JSON.parse(data), '', names);
    // Findings follow when the record is checked, at once or later.
    const members = join([...names].filter((name) => name !== 'findings'));
    this.responses.set(address, { status: response.status, headers: 'content-type', members });
  }

  private request(method: string, path: string, { body, headers, token }: RequestOptions): Promise<Response> {
    const authorization = token ?? this.server.token;
    return fetch(this.server.origin + path, {
      method,
      headers: {
        ...(authorization !== '' && { Authorization: `Bearer ${authorization}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && {
        body:
          typeof body === 'string' || body instanceof Uint8Array ? (body as string) : JSON.stringify(body),
      }),
      redirect: 'manual',
    });
  }
}
