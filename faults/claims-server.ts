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
      "Nothing but the description of the server and the page's own files comes without a valid token. Tokens are 256 random bits, stored as SHA-256, looked up for each request, and taken from the header alone; each route asks for its scope.",
    tests: [
      ['server/http/access-matrix.test.ts', 'a token that is not valid is 401 at every address'],
      ['server/http/access-matrix.test.ts', '$scope allows its letters for its type, and the rest is 403'],
      ['server/http/access.test.ts', 'row 68: a revoked token is 401 unknown on the next request'],
      [
        'server/workspace/tokens.test.ts',
        'a minted token is found by its hash, also after a new start; the token itself is in no file',
      ],
    ],
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
      'A request has limits: bytes and JSON values of a body, bytes of headers, levels of nesting, operations of a patch, bytes of an answer, time for headers, body and the reading of an answer, UTF-8, no property twice, no Content-Encoding. Each is tried at the limit and above it. A large body is judged beside the thread that answers, a large answer is streamed, and all that wait for their readers hold 256 MiB at most.',
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
      ['server/judge/service-pool.test.ts', 'while a large body is judged others are answered'],
      [
        'server/http/answers-under-way.test.ts',
        'who reads nothing of %s is dropped after 30 s, and not before',
      ],
      [
        'server/http/answers-under-way.test.ts',
        'beyond 256 MiB a large answer is 503 with Retry-After; small ones are answered, and large ones later',
      ],
      [
        'server/http/limits.test.ts',
        "what the server did not read in time, as it stood still, is not the client's slowness",
      ],
      ['server/http/limits.test.ts', 'operations of a patch'],
      [
        'server/http/search.test.ts',
        'row 57: of more than one answer holds, pages come shorter, and all at once are 400 too-costly',
      ],
      ['server/http/limits.test.ts', 'headers that do not end are 408, not before 4 s'],
      ['server/http/limits.test.ts', 'a body that does not end is 408 after 30 s'],
      ['server/http/refusals.test.ts', 'a body that is not one clean record is refused at the element'],
    ],
    cases: ['hostile-bodies', 'unread-answers'],
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
      'Logs name method, route, status, time, bytes, token id and request id. Nothing that a client sends stands in them, and neither a body nor a token in any file of the workspace.',
    tests: [
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
];
