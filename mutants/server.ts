import type { Mutant } from './mutant.ts';

const guards = 'server/http/guards.ts';
const access = 'server/http/access.ts';
const refusals = 'server/http/refusals.test.ts';
const accessTest = 'server/http/access.test.ts';

/** Who reaches the server, and what a request may bring. */
export const serverMutants: readonly Mutant[] = [
  {
    mechanism: 'socket: other machines need a certificate',
    file: 'server/listener.ts',
    text: 'certificate === undefined && !isLoopback(address)',
    instead: 'address === ""',
    test: {
      file: 'server/listener.test.ts',
      title: 'an address that other machines reach is not listened on without a certificate',
    },
  },
  {
    mechanism: 'socket: on 127.0.0.1 unless told otherwise',
    file: 'server/listener.ts',
    text: 'server.listen(port, address, ',
    instead: "server.listen(port, '0.0.0.0', ",
    test: {
      file: 'server/listener.test.ts',
      title: 'without --listen other addresses of the machine are not listened on',
    },
  },
  {
    mechanism: 'Host: another name is refused',
    file: guards,
    text: '!named.every((name) => isAllowed(name, port, allowed))',
    instead: 'named.length === 0',
    test: { file: refusals, title: 'only this host and origin pass' },
  },
  {
    mechanism: 'Host: exactly one',
    file: guards,
    text: ' || further.length > 0',
    test: {
      file: 'server/http/guards.test.ts',
      title: 'anything but exactly one Host is 400: %j',
    },
  },
  {
    mechanism: 'Authorization: exactly one',
    file: 'server/http/socket-faults.ts',
    text: 'joinDuplicateHeaders: true,',
    test: { file: 'server/http/guards.test.ts', title: 'two Authorization headers are 401: %s' },
  },
  {
    mechanism: 'Origin: a foreign one is refused',
    file: guards,
    text: '(others.length > 0 && others.some((origin) => !ownOrigins().includes(origin)))',
    instead: 'ownOrigins().length === 0',
    test: { file: refusals, title: 'only this host and origin pass' },
  },
  {
    mechanism: 'Sec-Fetch-Site: cross-site is refused',
    file: guards,
    text: "(sites.includes('cross-site') && !invited) ||",
    test: { file: refusals, title: 'only this host and origin pass' },
  },
  {
    mechanism: 'CORS: for origins that are named, alone',
    file: 'server/http/cors.ts',
    text: 'origin === undefined || !allowOrigins.includes(origin)',
    instead: 'origin === undefined',
    test: { file: 'server/http/guards.test.ts', title: 'it is off by default, and for any other origin' },
  },
  {
    mechanism: 'token: 256 random bits',
    file: 'server/access/secret.ts',
    text: 'randomBytes(32)',
    instead: 'randomBytes(16)',
    test: {
      file: 'server/access/secret.test.ts',
      title: 'item 2: a token is 256 random bits as base64url, new each time',
    },
  },
  {
    mechanism: 'token: an unknown one is refused',
    file: 'server/start.ts',
    text: 'sha256 === ownerHash ? owner',
    instead: 'sha256 !== ownerHash ? owner',
    test: { file: accessTest, title: 'row 68: a bad token is 401 unknown with invalid_token' },
  },
  {
    mechanism: 'token: stands before the API',
    file: 'server/http/route-table.ts',
    text: "if (access !== 'open') authenticate(request, response);",
    test: { file: accessTest, title: 'row 67: no token, or another scheme, is 401 login with a challenge' },
  },
  {
    mechanism: 'token: revoked at once',
    file: 'server/workspace/tokens.ts',
    text: 'if (row?.revoked !== null) return undefined;',
    instead: 'if (row === undefined) return undefined;',
    test: { file: accessTest, title: 'row 68: a revoked token is 401 unknown on the next request' },
  },
  {
    mechanism: 'token: expires',
    file: 'server/workspace/tokens.ts',
    text: "if (row.expires !== null && row.expires <= clock()) return 'expired';",
    test: { file: 'server/workspace/tokens.test.ts', title: 'a token expires to the millisecond' },
  },
  {
    mechanism: 'token: its SHA-256 alone is stored',
    file: 'server/workspace/tokens.ts',
    text: 'insert.run(id, hashToken(token), name,',
    instead: 'insert.run(id, token, name,',
    test: {
      file: 'server/workspace/tokens.test.ts',
      title: 'a minted token is found by its hash, also after a new start; the token itself is in no file',
    },
  },
  {
    mechanism: 'scope: checked on every route',
    file: access,
    text: 'if (!allows(scopes, type, access)) throw insufficient(neededScope(type, access));',
    test: {
      file: accessTest,
      title: 'row 70: a valid token without the right is 403 forbidden with insufficient_scope',
    },
  },
  {
    mechanism: "scope: the app's own addresses need everything",
    file: access,
    text: 'if (!allowsEverything(scopes)) throw insufficient(everything);',
    test: {
      file: accessTest,
      title: 'row 70: the addresses under /app need everything, another wide scope is 403',
    },
  },
  {
    mechanism: 'method: what the table does not have is 405',
    file: 'server/http/route-table.ts',
    text: "if (request.method !== 'OPTIONS') {",
    instead: "if (request.method === 'TRACE') {",
    test: { file: refusals, title: '%s %s is %i' },
  },
  {
    mechanism: 'throttle: failed sign-ins are counted',
    file: access,
    text: 'if (authorization !== undefined) throttle.failed(request);',
    test: {
      file: 'server/http/throttle.test.ts',
      title:
        'row 77: after 20 failed authentications a minute a further one is 429 throttled with Retry-After',
    },
  },
  {
    mechanism: 'body: 5 MB, also without a Content-Length',
    file: 'server/http/body.ts',
    text: 'if (length <= limit) return;',
    instead: 'if (length > 0) return;',
    test: {
      file: 'server/http/limits.test.ts',
      title: 'a body: the limit is a setting, and holds with and without a Content-Length',
    },
  },
  {
    mechanism: 'body: no Content-Encoding',
    file: 'server/http/body.ts',
    text: "coding !== undefined && coding.toLowerCase() !== 'identity'",
    instead: "coding === ''",
    test: {
      file: 'server/http/limits.test.ts',
      title: 'a body with a Content-Encoding is 415, whatever is in it',
    },
  },
  {
    mechanism: 'body: UTF-8 alone',
    file: 'server/http/request.ts',
    text: 'fatal: true',
    instead: 'fatal: false',
    test: { file: refusals, title: 'bytes that are not UTF-8' },
  },
  {
    mechanism: 'sockets: headers within 5 s',
    file: 'server/http/socket-faults.ts',
    text: 'server.headersTimeout = headersLimit;',
    test: { file: 'server/http/limits.test.ts', title: 'headers that do not end are 408, not before 4 s' },
  },
  {
    mechanism: 'sockets: a body within 30 s',
    file: 'server/http/socket-faults.ts',
    text: 'if (slow || waited >= requestLimit) refuse();',
    instead: 'if (slow) refuse();',
    test: { file: 'server/http/limits.test.ts', title: 'a body that does not end is 408 after 30 s' },
  },
  {
    mechanism: 'sockets: a first byte within 5 s',
    file: 'server/http/socket-faults.ts',
    text: "server.on('connection', limitSilence);",
    test: {
      file: 'server/http/limits.test.ts',
      title: 'a connection on which nothing comes is gone after 5 s',
    },
  },
  {
    mechanism: 'sockets: a body at 1,000 bytes a second',
    file: 'server/http/socket-faults.ts',
    text: 'if (slow || waited >= requestLimit) refuse();',
    instead: 'if (waited >= requestLimit) refuse();',
    test: {
      file: 'server/http/limits.test.ts',
      title: 'a body that comes more slowly than 1,000 bytes a second is 408 after 8 s',
    },
  },
  {
    mechanism: 'headers: 16 kB',
    file: 'server/http/socket-faults.ts',
    text: 'maxHeaderSize: headerBytes,',
    instead: 'maxHeaderSize: 4 * headerBytes,',
    test: {
      file: 'server/http/limits.test.ts',
      title: 'its line and headers: a little below the limit passes, a little above is 431',
    },
  },
  {
    mechanism: 'page: Content Security Policy',
    file: 'server/http/page.ts',
    text: 'response.setHeaders(headers);',
    test: { file: 'server/http/page.test.ts', title: '%s may run and load nothing but the page’s own' },
  },
  {
    mechanism: 'answers: not cached, framed or sniffed',
    file: 'server/http/head.ts',
    text: '{ ...missing, ...given }',
    instead: '{ ...given }',
    test: {
      file: 'server/http/page.test.ts',
      title: '%s is not cached, framed, sniffed or read by another site',
    },
  },
  {
    mechanism: 'log: the route in place of the address',
    file: 'server/http/request-log.ts',
    text: 'routeTemplate(request, match),',
    instead: 'request.originalUrl,',
    test: {
      file: 'server/http/request-log.test.ts',
      title: 'item 6: nothing that a client sends stands in the log',
    },
  },
  {
    mechanism: 'log: no message of a fault',
    file: 'server/log-lines.ts',
    text: '[`${thrown.name} ${memberOf(',
    instead: '[`${thrown.message} ${memberOf(',
    test: {
      file: 'server/http/reply.test.ts',
      title: 'row 78: a fault of the server is 500 exception, and its log has the request and no message',
    },
  },
  {
    mechanism: 'activity: tokens are redacted',
    file: 'server/workspace/redact.ts',
    text: 'return mayHoldToken(text) && tokenForms.some((form) => form.test(text));',
    instead: 'return false;',
    test: {
      file: 'server/http/activity-routes.test.ts',
      title: 'no canary of a token, a body or a header is in any file of the workspace',
    },
  },
];
