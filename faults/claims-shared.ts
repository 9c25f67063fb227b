import type { Claim } from './claim.ts';

const connections = 'server/shared/connections.test.ts';
const startCheck = 'server/shared/postgres/start-check.test.ts';
const startCheckClusters = 'server/shared/postgres/start-check-clusters.test.ts';
const racing = 'server/shared/racing-servers.test.ts';

/** Claims about servers over a PostgreSQL store. */
export const sharedClaims: readonly Claim[] = [
  {
    claim:
      'If the primary of a shared store is killed and the standby that confirms each commit takes over, no acknowledged write is lost and none is made twice.',
    cases: ['primary-killed'],
  },
  {
    claim:
      'A bulk change of a client continues at another server if its own server is killed. Each change is made once and is in the audit log.',
    cases: ['shared-killed'],
  },
  {
    claim:
      'A write whose database connection is cut is confirmed or gets 503. After 503, either nothing is stored or the response says that the result is unknown. The write is not repeated without a request. The next request needs no restart, and missed notices of other servers are caught up.',
    tests: [
      [connections, 'stores nothing of a change whose connection breaks %s'],
      [connections, 'confirms a change whose COMMIT succeeded without a response, and stores it once'],
      [connections, 'responds 503 without a retry if the result of a COMMIT is unknown'],
      [connections, 'retries no change of a shared COMMIT with an unknown result'],
      [connections, 'loses no acknowledged write if the database ends sessions under load'],
      [connections, 'catches up on writes of other servers after a connection loss'],
    ],
  },
  {
    claim:
      'If all database connections are in use, requests wait for a limited time and then get 503. No server opens more connections than allowed. /livez, /readyz and known tokens need no connection.',
    tests: [
      [
        'server/shared/exhausted.long.test.ts',
        'responds 503 while all connections are busy, and recovers (not run without PostgreSQL)',
      ],
    ],
  },
  {
    claim:
      'On a full disk of the database, writes are 507 as in a data folder, reads continue, and writes resume as soon as there is space. If the database stops because of it, requests are 503 until it is started again.',
    cases: ['shared-disk-full'],
  },
  {
    claim:
      'All servers of a store use the time of the database. However wrong the clock of a server is, the times of a record increase, searches by time agree at every server, and tokens, sessions and leases end on time.',
    cases: ['shared-clock'],
  },
  {
    claim:
      'Access that was withdrawn at one server of a shared store stays withdrawn. Neither the use that another server records, nor its change of the same row, nor an older program brings a revoked token or an ended session back. Of two simultaneous changes of one row, the first is stored and the second is rejected.',
    tests: [
      [racing, 'keeps revocations and times of last use if another server uses the tokens concurrently'],
      [racing, 'rejects a program that restores a revoked token or an ended session in the database'],
      [racing, 'keeps one of two changes of a row of %s and rejects the other'],
      [racing, 'keeps each of several changes of a row by one server without a read in between'],
    ],
  },
  {
    claim:
      'A server over a shared store that has not seen the writes of the other servers for five seconds responds 503 to everybody except the token of its own file. It responds again as soon as it can read those writes.',
    tests: [
      [
        'server/shared/stale.test.ts',
        'responds 503 to a possibly revoked token, and 200 after the workspace is readable',
      ],
    ],
  },
  {
    claim:
      'A server does not start, and reports the reason, if its database cannot keep the promises of a shared store: through a pooler, if reads go to another database than writes, if settings do not arrive, and with records that a dump brought from another cluster.',
    tests: [
      [startCheck, 'rejects records with transaction ids of another cluster'],
      [startCheck, 'rejects connections %s'],
      [startCheck, 'is rejected with %s'],
      [startCheckClusters, 'rejects the records of a dump restored into another cluster'],
      [startCheckClusters, 'is rejected as balancer if reads go to the standby, otherwise as pooler'],
    ],
  },
];
