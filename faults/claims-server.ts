import type { Claim } from './claim.ts';

/** Claims about access to the server and about requests. */
export const serverClaims: readonly Claim[] = [
  {
    claim:
      'The server listens on 127.0.0.1. On an address that other machines reach, it accepts only TLS, and does not start without a certificate. It responds only under its own names, with exactly one Host, and to no page of another origin. Upgrade, CONNECT and TRACE are rejected.',
    tests: [
      ['server/listener.test.ts', 'listens on no other loopback address than the configured one'],
      ['server/listener.test.ts', 'if --listen %s has no certificate'],
      ['server/listener.test.ts', 'serves only HTTPS, with the same token, host and origin checks'],
      ['server/http/guards.test.ts', 'accepts only the own host, origin and site without a setting'],
      ['server/http/guards.test.ts', 'rejects any number of Hosts except one with 400: %j'],
      ['server/http/guards.test.ts', 'sends no CORS headers by default or to other origins'],
      ['server/conformance/sockets.test.ts', 'refused with an OperationOutcome'],
    ],
  },
  {
    claim:
      'Without a valid token only five addresses respond (the description of the server, the SMART configuration at two addresses, the token endpoint, and a sign-in with a valid code), besides the files of the page. Tokens created here have 256 random bits, are stored as SHA-256, are looked up for each request, and are read only from the header. The server does not start if its token file is accessible to other accounts or has fewer than 32 characters. Each route requires its scope.',
    tests: [
      [
        'server/http/access-matrix.test.ts',
        'opens exactly the listed addresses and accepts only valid codes at sign-in',
      ],
      ['server/http/access-matrix.test.ts', 'rejects an invalid token with 401 at every address'],
      ['server/http/access-matrix.test.ts', 'allows exactly the letters of $scope'],
      ['server/http/access.test.ts', 'rejects a revoked token with 401 at the next request'],
      [
        'server/workspace/tokens.test.ts',
        'finds a token by its hash across a restart and stores it in no file',
      ],
      ['server/serve.test.ts', 'rejects a token file %s and names the remedy'],
    ],
  },
  {
    claim:
      'No permanent secret is in an address. People sign in with a code that works once, within an hour, and is stored as its SHA-256. Their session ends at sign-out, when another session ends it, and after 12 hours without use. Everything created in a session (codes, sessions, tokens) ends with it, and everything created with a token ends with the token. After a sign-in at a provider, all of it ends 12 hours after the provider responded. A client that starts many sign-ins at a provider loses only its own. The event stream of an ended session or token is closed within five seconds, by every server of a shared store, and sends no later event. Sign-ins, sign-outs and rejected codes are in the audit log. After 20 guesses in a minute from one address, further guesses are 429; a valid token is accepted all the same.',
    tests: [
      [
        'server/workspace/sessions.test.ts',
        'ends everything derived from a session with it, and nothing else',
      ],
      [
        'server/workspace/sessions.test.ts',
        'limits one provider sign-in to 12 hours over all its codes and tokens',
      ],
      ['server/http/sign-in-routes.test.ts', 'exchanges a code for one session and describes the session'],
      ['server/http/sign-in-routes.test.ts', 'grants one session to 20 parallel requests with the same code'],
      ['server/access/sign-in-codes.test.ts', 'accepts a code for an hour and calls it expired for a day'],
      ['server/workspace/sessions.test.ts', 'ends a session 12 hours after its last use'],
      [
        'server/http/sign-in-routes.test.ts',
        'writes under the name of the code’s creator and ends with that token',
      ],
      [
        'server/http/sign-in-routes.test.ts',
        'audits sign-ins, sign-outs and rejected codes without codes or tokens in files',
      ],
      [
        'server/http/change-routes.test.ts',
        'ends only the stream of a signed-out session and sends it no later write',
      ],
      ['server/http/change-routes.test.ts', 'ends an idle stream within five seconds of its token'],
      [
        'server/shared/people.test.ts',
        'ends the event stream of a session that signs out at the other server',
      ],
      [
        'server/shared/openid/pending-sign-ins.test.ts',
        'evicts sign-ins of the network that started the most',
      ],
      ['server/http/throttle.test.ts', 'accepts a valid token and code among 1,000 guesses and no guess'],
    ],
    cases: ['token-on-disk'],
  },
  {
    claim:
      'Every response is JSON, whether success or rejection. Every rejection is an OperationOutcome, also if the request was not valid HTTP. No request ends the server.',
    tests: [
      [
        'server/conformance/fuzz.test.ts',
        'returns JSON and no server error for ${count} random requests of seed ${seed}',
      ],
      ['server/conformance/sockets.test.ts', 'refused with an OperationOutcome'],
      ['server/conformance/sockets.test.ts', 'half a request followed by a close'],
    ],
    cases: ['load-slow-clients', 'hostile-bodies'],
  },
  {
    claim:
      'A request has limits: bytes and JSON values of a body, bytes of headers, levels of nesting, operations of a patch, bytes of a response, and time for headers, for the body and for reading the response. A body must be UTF-8, without duplicate properties and without Content-Encoding. Each limit is tested at its value and above it. A large body is validated in a worker thread. A large response is streamed, and all responses that wait for their clients use 256 MiB at most. Within 512 MB of memory, requests run one after another or are rejected with 503, and the system kills no process.',
    tests: [
      [
        'server/conformance/rows-order.test.ts',
        'stores a body of the limit, and returns 413 too-long for one more byte',
      ],
      [
        'server/conformance/rows-budgets.test.ts',
        'stores 300,000 JSON values, and returns 413 too-long for 300,001',
      ],
      [
        'server/conformance/rows-budgets.test.ts',
        'stops validation at 1,000 findings, reports it and lists the first 100',
      ],
      ['server/conformance/rows-budgets.test.ts', 'returns 413 for a body over the limit %s'],
      ['server/validation/text-pool.test.ts', 'serves other requests while a large body is validated'],
      ['server/http/pending-responses.test.ts', 'disconnects a client that stops reading %s'],
      [
        'server/http/pending-responses.test.ts',
        'rejects large responses beyond 256 MiB with 503 and serves small ones',
      ],
      [
        'server/http/bodies-under-way.test.ts',
        'queues a large body behind another and serves small requests',
      ],
      [
        'server/http/bodies-under-way.test.ts',
        'responds with 503 and Retry-After if 32 requests are waiting',
      ],
      ['server/http/limits.test.ts', 'ignores the time in which the server itself was blocked'],
      [
        'server/conformance/rows-protocol.test.ts',
        'accepts 500 operations, and returns 413 too-long for 501',
      ],
      ['server/http/search-size.long.test.ts', 'shortens pages that exceed the size of a response'],
      ['server/http/limits.test.ts', 'rejects unfinished headers with 408 after at least 4 s'],
      ['server/http/limits.test.ts', 'rejects an unfinished body with 408 after 30 s'],
      ['server/conformance/rows-create.test.ts', 'returns 400 structure for bytes that are not UTF-8'],
      ['server/conformance/rows-create.test.ts', 'returns 400 structure for a duplicate property %s'],
      [
        'server/conformance/rows-protocol.test.ts',
        'stores 64 levels, and returns 400 too-long for 65 and more',
      ],
    ],
    cases: ['hostile-bodies', 'unread-answers', 'small-memory'],
  },
  {
    claim:
      'A patch has the same result as in a model, in 1,000 generated cases. It reaches no prototype and no metadata of the server. It is applied completely or not at all.',
    tests: [
      [
        'server/conformance/patch-model.test.ts',
        'matches the model for ${lanes * patches} patches of seed ${seed}',
      ],
      ['server/conformance/rows-patch.test.ts', 'returns 422 business-rule for %s, which the server sets'],
      ['server/conformance/rows-patch.test.ts', 'rejects the name %s in a value'],
      [
        'server/conformance/rows-patch-result.test.ts',
        'stores nothing and reports the index if one operation fails',
      ],
    ],
  },
  {
    claim:
      'Logs contain method, route, status, time, bytes, token ID and request ID. They contain no text of a client or a provider: an unknown OAuth error becomes one fixed word, no control character reaches a line, and a throttled client adds no lines. Neither a body nor a token is in any file of the workspace.',
    tests: [
      ['server/log-lines.test.ts', 'writes no control character of a sentence or a field: %s'],
      [
        'server/shared/openid/openid-routes.test.ts',
        'logs only a known word of an error in the response of a provider',
      ],
      [
        'server/shared/openid/openid-routes.test.ts',
        'limits logged rejections per address to the sign-in limit',
      ],
      ['server/conformance/canaries.test.ts', 'prints no canary from any part of a request'],
      [
        'server/conformance/canaries.test.ts',
        'stores no canary of a header, body or secret in the workspace or the audit log',
      ],
      ['server/http/request-log.test.ts', 'logs no text that a client sends'],
      ['server/http/activity-routes.test.ts', 'stores no token, body or header in a workspace file'],
      [
        'server/http/reply.test.ts',
        'responds to a server error with 500 and logs the request without the message',
      ],
    ],
  },
  {
    claim:
      'A response is a read: a write by a token without the right to read returns no element of the record that was not sent. If-None-Exist requires the right to search. The audit log records what a conditional create disclosed.',
    tests: [
      [
        'server/conformance/rows-rights.test.ts',
        'returns 403 and stores nothing if a token with %s cannot search',
      ],
      [
        'server/conformance/rows-rights.test.ts',
        'records the search and the matching record in the audit log',
      ],
      [
        'server/conformance/rows-rights.test.ts',
        'returns the sent record with id and meta for POST and PUT with Prefer: %s',
      ],
      [
        'server/conformance/rows-rights.test.ts',
        'returns only resourceType, id and tagged meta for PATCH with Prefer: %s',
      ],
    ],
  },
  {
    claim:
      'Rejected requests without a valid token create one entry for each address, status and minute, and one with their count. Above 50 addresses a minute, the other addresses share one count. Each text is truncated to 100 characters.',
    tests: [
      [
        'server/http/rejection-audit.test.ts',
        'writes entries for the first 50 addresses and one for all others',
      ],
      ['server/http/rejection-audit.test.ts', 'truncates a target and adds the address of another machine'],
    ],
    cases: ['strangers'],
  },
];
