import type { Claim } from './claim.ts';

const reaching = 'server/gateway/reaching.test.ts';
const tunnels = 'server/gateway/tunnel-agent.test.ts';

/** What other servers, and the way to them, may do. */
export const remoteClaims: readonly Claim[] = [
  {
    claim:
      'What another server answers is shown and kept only where its type and id are those that were asked for; a redirect stays with them, a switch of protocols is a fault at once. What it says of a record under the right id is believed.',
    tests: [
      [
        'server/gateway/identity.test.ts',
        '%s is answered 502 in a sentence, and nothing of it comes through',
      ],
      ['server/gateway/refusals.test.ts', 'a redirect %s is not followed'],
      [
        'server/gateway/page-identity.test.ts',
        'row 29: a record that is another one is not opened, and what is searched beside it neither',
      ],
    ],
    cases: ['lying-remote'],
  },
  {
    claim:
      'The records of another server are judged to the end without the page: over restarts, SIGKILL and an outage the counts are those of the same records judged here.',
    tests: [
      [
        'server/remote/remote-judge.test.ts',
        'all records are judged, and counted as the same records are counted locally',
      ],
      ['server/remote/remote-judge.test.ts', 'two restarts and an outage: it goes on by itself; sorted %s'],
      [
        'server/remote/large-worklist.test.ts',
        'other work goes on while a large file is opened, counted, searched and shown',
      ],
    ],
    cases: ['remote-judge'],
  },
  {
    claim:
      'The password of a proxy and the pass phrase of a client certificate are used where they were given for and nowhere else, a test of what is not stored included, and stand in no log, answer or file but the key-ring’s.',
    tests: [
      [reaching, 'kept secrets go where they were given for, in a test too'],
      [reaching, 'no canary of a password, a pass phrase, a key or a token is in any answer, line or file'],
    ],
  },
  {
    claim:
      'A proxy is asked for tunnels of https alone, for each address by itself, in which TLS with the server is checked; it sees neither token nor client certificate. The desktop shell reads the system’s settings and is told the origin alone. What a proxy does wrong costs at most its head of 16 kB and the time limit, and is told as its fault.',
    tests: [
      [
        'main/system-proxy.test.ts',
        'answers the server which proxy the system has, by its origin, and says nothing where that is unknown',
      ],
      [
        'server/gateway/system-proxy.test.ts',
        'each origin is asked for once in thirty seconds, whatever is asked below it',
      ],
      [
        'server/gateway/proxy.test.ts',
        'a token endpoint that the system spares goes straight, and the base URL through the proxy',
      ],
      [
        'server/gateway/proxy.test.ts',
        'a proxy that is spoken to in TLS is trusted as the server is, and sees no client certificate',
      ],
      [tunnels, 'a proxy is told whom to reach, user and password, and nothing of the request'],
      [tunnels, 'a proxy that %s when it is asked for a tunnel is what failed'],
      [tunnels, 'a proxy that %s is waited for until the time limit, and let go'],
      [reaching, '%s fails at %s: %s'],
    ],
  },
  {
    claim:
      'Passwords of proxies and pass phrases are kept where the secrets of connections are: in the system’s keychain, encrypted, in a file of 0600, or in memory until the program ends. The key of a client certificate stays in its file; its path alone is stored.',
    tests: [
      [
        'main/secret-vault.test.ts',
        'keeps a secret for the next start, encrypted, in a file closed to others',
      ],
      [
        'main/secret-vault.test.ts',
        'on Linux %s does not: secrets stay in memory and end with the application',
      ],
      [
        'server/gateway/secrets.test.ts',
        'a file keeps them for the next start, closed to others, and nothing lies beside it',
      ],
      [reaching, 'no canary of a password, a pass phrase, a key or a token is in any answer, line or file'],
    ],
  },
];
