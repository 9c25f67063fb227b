import type { Claim } from './claim.ts';

/** Who reaches the server, and what a request may do. */
export const serverClaims: readonly Claim[] = [
  {
    claim:
      'The server listens on 127.0.0.1; on an address that other machines reach it speaks TLS alone, and ends without a certificate. It answers under its own names alone, with exactly one Host, and to no page of another origin. Upgrade, CONNECT and TRACE are refused.',
    tests: [
      ['server/listener.test.ts', 'without --listen other addresses of the machine are not listened on'],
      ['server/listener.test.ts', 'where --listen %s has no certificate'],
      ['server/listener.test.ts', 'HTTPS alone is spoken, behind the same guards'],
      ['server/http/refusals.test.ts', 'only this host and origin pass'],
      ['server/http/guards.test.ts', 'anything but exactly one Host is 400: %j'],
      ['server/http/guards.test.ts', 'it is off by default, and for any other origin'],
      ['server/conformance/sockets.test.ts', 'refused with an OperationOutcome'],
    ],
  },
  {
    claim:
      "Without a valid token five addresses answer (the description of the server, the SMART configuration at two, the token endpoint, a sign-in with a good code), and the page's own files. Tokens that are made here are 256 random bits, stored as SHA-256, looked up for each request, and taken from the header alone; a token file that is open to others, or holds fewer than 32 characters, ends the start. Each route asks for its scope.",
    tests: [
      [
        'server/http/access-matrix.test.ts',
        'exactly the open addresses answer without a token, and sign-in only a good code',
      ],
      ['server/http/access-matrix.test.ts', 'a token that is not valid is 401 at every address'],
      ['server/http/access-matrix.test.ts', '$scope allows its letters for its type, and the rest is 403'],
      ['server/http/access.test.ts', 'row 68: a revoked token is 401 unknown on the next request'],
      [
        'server/workspace/tokens.test.ts',
        'a minted token is found by its hash, also after a new start; the token itself is in no file',
      ],
      ['server/serve.test.ts', 'a token file %s is refused with what mends it'],
    ],
  },
  {
    claim:
      'No lasting secret is in an address. People sign in by a code that works once, within an hour, kept as its SHA-256; their session ends at sign-out, when another session ends it, and after 12 hours without use. What it made (codes, sessions, tokens) ends with it, and what a token made with the token; of a sign-in at a provider all ends 12 hours after the provider was asked. Who begins many sign-ins at a provider loses their own, and nobody else’s. The event stream of what has ended is closed within five seconds, by every server of a shared store, and tells nothing that comes behind the end. Sign-ins, sign-outs and refused codes stand in the audit trail. Guesses are 429 after 20 in a minute from one address, and a right token passes meanwhile.',
    tests: [
      [
        'server/workspace/sessions.test.ts',
        'ends with a session all that was made of it, step by step, and nothing else',
      ],
      [
        'server/workspace/sessions.test.ts',
        'gives nobody more than 12 hours of one sign-in at a provider, by whatever codes and tokens',
      ],
      ['server/http/sign-in-routes.test.ts', 'a code is exchanged for a session once; what it gives is told'],
      ['server/http/sign-in-routes.test.ts', 'of many who come with one code at once, one gets a session'],
      ['server/access/sign-in-codes.test.ts', 'a code holds for an hour, and is called old for a day'],
      [
        'server/workspace/sessions.test.ts',
        'a session ends 12 hours after its last use, not after its beginning',
      ],
      [
        'server/http/sign-in-routes.test.ts',
        'a session writes under the name of who made its code, and ends with that token',
      ],
      [
        'server/http/sign-in-routes.test.ts',
        'sign-ins, sign-outs and refused codes are in the trail; codes and tokens are in no file',
      ],
      [
        'server/http/change-routes.test.ts',
        'ends the stream of a session that is signed out, tells it of no later write, and leaves others open',
      ],
      [
        'server/http/change-routes.test.ts',
        'ends a stream within five seconds of the end of its token, though nothing happens in it',
      ],
      [
        'server/shared-people.test.ts',
        'ends the event stream at one server once its session signs out at the other, and tells it no later write',
      ],
      [
        'server/openid/under-way.test.ts',
        'keeps the sign-ins of others where one network begins more than there is room for',
      ],
      [
        'server/http/throttle.test.ts',
        'row 77: among 1,000 guesses a right token and a right code pass, and no guess does',
      ],
    ],
    cases: ['token-on-disk'],
  },
  {
    claim:
      'Every answer of success or refusal is JSON, every refusal an OperationOutcome, also where the request never was HTTP. No request ends the server.',
    tests: [
      [
        'server/conformance/fuzz.test.ts',
        '${count} random requests of seed ${seed} are answered in JSON, none with a fault of the server',
      ],
      ['server/conformance/sockets.test.ts', 'refused with an OperationOutcome'],
      ['server/conformance/sockets.test.ts', 'half a request, then a close'],
    ],
    cases: ['load-slow-clients', 'hostile-bodies'],
  },
  {
    claim:
      'A request has limits: bytes and JSON values of a body, bytes of headers, levels of nesting, operations of a patch, bytes of an answer, time for headers, body and the reading of an answer, UTF-8, no property twice, no Content-Encoding. Each is tried at the limit and above it. A large body is judged beside the thread that answers, a large answer is streamed, and all that wait for their readers hold 256 MiB at most. Within 512 MB of memory requests are done one after another or refused with 503, and the system ends no process.',
    tests: [
      [
        'server/http/limits.test.ts',
        'a body: the limit is a setting, and holds with and without a Content-Length',
      ],
      [
        'server/conformance/rows-budgets.test.ts',
        'row 87: a body of 300,000 JSON values is stored, one value more is 413 too-long',
      ],
      [
        'server/conformance/rows-budgets.test.ts',
        'row 87: validation stops at 1,000 findings and says so; the outcome lists the first 100',
      ],
      ['server/conformance/rows-budgets.test.ts', 'row 86: a body over the limit, %s: its client reads 413'],
      ['server/judge/text-pool.test.ts', 'while a large body is judged others are answered'],
      [
        'server/http/answers-under-way.test.ts',
        'who reads nothing of %s is dropped after 30 s, and not before',
      ],
      [
        'server/http/answers-under-way.test.ts',
        'beyond 256 MiB a large answer is 503 with Retry-After; small ones are answered, and large ones later',
      ],
      [
        'server/http/bodies-under-way.test.ts',
        'lets a large body wait for the one before it, and answers small ones meanwhile',
      ],
      ['server/http/bodies-under-way.test.ts', 'answers 503 with Retry-After where 32 wait already'],
      [
        'server/http/limits.test.ts',
        "what the server did not read in time, as it stood still, is not the client's slowness",
      ],
      ['server/http/limits.test.ts', 'operations of a patch'],
      ['server/http/search-size.long.test.ts', 'row 57: of more than one answer holds, pages come shorter'],
      ['server/http/limits.test.ts', 'headers that do not end are 408, not before 4 s'],
      ['server/http/limits.test.ts', 'a body that does not end is 408 after 30 s'],
      ['server/http/refusals.test.ts', 'a body that is not one clean record is refused at the element'],
    ],
    cases: ['hostile-bodies', 'unread-answers', 'small-memory'],
  },
  {
    claim:
      "A patch does what a model of it does, in 1,000 generated cases. It reaches no prototype and nothing that is the server's own; all of it is done, or none.",
    tests: [
      [
        'server/conformance/patch-model.test.ts',
        '${lanes * patches} patches of seed ${seed} end as the model says',
      ],
      ['server/conformance/rows-patch.test.ts', "row 48: %s is the server's: 422 business-rule"],
      ['server/http/refusals.test.ts', 'a patch is refused whole, and nothing is stored'],
    ],
  },
  {
    claim:
      'Logs name method, route, status, time, bytes, token id and request id. Nothing that a client or a provider sends stands in them: an OAuth error that no standard names is one word for all, no control character reaches a line, and who is throttled adds none. Neither a body nor a token is in any file of the workspace.',
    tests: [
      ['server/log-lines.test.ts', 'writes no control character of a sentence or a fact: %s'],
      [
        'server/http/openid-routes.test.ts',
        'logs a known word for what a provider is said to answer, and nothing else of it',
      ],
      [
        'server/http/openid-routes.test.ts',
        'logs no more refused sign-ins of an address in a minute than it lets try',
      ],
      [
        'server/conformance/canaries.test.ts',
        'a canary in every place of a request stands in no line that is printed',
      ],
      [
        'server/conformance/canaries.test.ts',
        'what was no address of it stands in no file of the workspace, nor in the audit trail',
      ],
      ['server/http/request-log.test.ts', 'item 6: nothing that a client sends stands in the log'],
      [
        'server/http/activity-routes.test.ts',
        'no canary of a token, a body or a header is in any file of the workspace',
      ],
      [
        'server/http/reply.test.ts',
        'row 78: a fault of the server is 500 exception, and its log has the request and no message',
      ],
    ],
  },
  {
    claim:
      'An answer is a read: a write by a token that may not read tells no element of the record that was not sent, and If-None-Exist needs the right to search. What a conditional create disclosed stands in the audit trail.',
    tests: [
      ['server/conformance/rows-rights.test.ts', 'a token of %s may not search: 403, and nothing is stored'],
      ['server/conformance/rows-rights.test.ts', 'the trail names the search, and the record that was found'],
      [
        'server/conformance/rows-rights.test.ts',
        'Prefer: %s: POST and PUT answer what was sent, with id and meta',
      ],
      [
        'server/conformance/rows-rights.test.ts',
        'Prefer: %s: PATCH answers resourceType, id and meta alone, tagged',
      ],
    ],
  },
  {
    claim:
      'Requests that are refused without a valid token make one entry for each address, status and minute, and one with their number; of further addresses than 50 a minute the numbers stand together. Each text is cut to 100 characters.',
    tests: [
      [
        'server/http/strangers.test.ts',
        'row 30: of many addresses the first fifty have entries of their own, all others one together',
      ],
      [
        'server/http/strangers.test.ts',
        'row 30: a text is cut, and of another machine its address stands behind',
      ],
    ],
    cases: ['strangers'],
  },
];
