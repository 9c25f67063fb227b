import type { Claim } from './claim.ts';

const reaching = 'server/gateway/reaching.test.ts';
const tunnels = 'server/gateway/tunnel-agent.test.ts';

/** Claims about other servers and the connections to them. */
export const remoteClaims: readonly Claim[] = [
  {
    claim:
      'A response of another server is shown and stored only if its type and ID are the requested ones. A redirect must keep both, and a protocol switch is an error at once. The content of a record with the right ID is trusted.',
    tests: [
      ['server/gateway/identity.test.ts', 'returns 502 with a message for %s and forwards nothing of it'],
      ['server/gateway/refusals.test.ts', 'does not follow a redirect %s'],
      ['server/gateway/page-identity.test.ts', 'rejects another record in a read and in a search'],
    ],
    cases: ['lying-remote'],
  },
  {
    claim:
      'The records of another server are validated completely, even without the page. Across restarts, SIGKILL and an outage, the counts equal those of the same records validated locally.',
    tests: [
      [
        'server/remote/remote-validation.test.ts',
        'validates all records with the counts of the same local records',
      ],
      [
        'server/remote/remote-validation.test.ts',
        'resumes without a request after two restarts and an outage; sorted %s',
      ],
      [
        'server/remote/large-worklist.test.ts',
        'runs other work while a large file is opened, counted, searched and listed',
      ],
    ],
    cases: ['remote-judge'],
  },
  {
    claim:
      'The password of a proxy and the passphrase of a client certificate are used only for the connection that they were entered for, also in a test of unsaved settings. They are in no log, response or file except the keychain file.',
    tests: [
      [reaching, 'sends stored secrets only to their own target, in tests as well'],
      [reaching, 'shows no canary of a password, passphrase, key or token in responses, lines and files'],
    ],
  },
  {
    claim:
      'A proxy is used only for HTTPS tunnels, decided for each address separately. TLS with the server is verified inside the tunnel, so the proxy sees neither token nor client certificate. The desktop shell reads the settings of the system and learns only the origin. A faulty proxy costs at most its 16 kB response header and the time limit, and is reported as the cause.',
    tests: [
      [
        'main/system-proxy.test.ts',
        'returns the system’s proxy for an origin, and no proxy if it is unknown',
      ],
      ['server/gateway/system-proxy.test.ts', 'asks for each origin once in thirty seconds'],
      [
        'server/gateway/proxy.test.ts',
        'connects directly to an excluded token endpoint and by proxy to the base URL',
      ],
      [
        'server/gateway/proxy.test.ts',
        'trusts a TLS proxy like the server and sends it no client certificate',
      ],
      [tunnels, 'tells a proxy only the host, user and password'],
      [tunnels, 'reports a proxy that %s as the failed step'],
      [tunnels, 'waits until the time limit for a proxy that %s, then closes the connection'],
      [reaching, '%s fails at %s: %s'],
    ],
  },
  {
    claim:
      'Passwords of proxies and passphrases are stored with the secrets of connections: in the keychain of the system, encrypted, in a file with mode 0600, or in memory until the program ends. The key of a client certificate stays in its file; only its path is stored.',
    tests: [
      [
        'main/secret-vault.test.ts',
        'stores a secret for the next start, encrypted, in a file with mode 0600',
      ],
      [
        'main/secret-vault.test.ts',
        'does not use %s on Linux: secrets stay in memory until the application ends',
      ],
      [
        'server/gateway/secrets.test.ts',
        'stores secrets in a private file for the next start and leaves no other file',
      ],
      [reaching, 'shows no canary of a password, passphrase, key or token in responses, lines and files'],
    ],
  },
];
