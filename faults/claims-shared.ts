import type { Claim } from './claim.ts';

const connections = 'server/shared-connections.test.ts';
const startCheck = 'server/store/postgres/start-check.test.ts';
const startCheckLong = 'server/store/postgres/start-check.long.test.ts';
const racing = 'server/workspace/racing-servers.test.ts';

/** Servers over a PostgreSQL store. */
export const sharedClaims: readonly Claim[] = [
  {
    claim:
      'Where the primary of a shared store is killed and the standby that confirms each commit takes over, no acknowledged write is lost and none is made twice.',
    cases: ['primary-killed'],
  },
  {
    claim:
      'What a client does in bulk goes on at another server where its own is killed: each change is made once, and stands in the trail.',
    cases: ['shared-killed'],
  },
  {
    claim:
      'A write whose connection to the database is cut is confirmed, or 503: then nothing is stored, or the answer says that it is not known. It is not made a second time unasked. The next request needs no start anew, and what other servers said meanwhile is caught up.',
    tests: [
      [connections, 'of a change that is cut %s nothing is stored'],
      [connections, 'a change whose COMMIT is done and whose answer is cut is confirmed, and stored once'],
      [
        connections,
        'a change whose COMMIT is done, and nobody can say so, is 503, told as not known, and not tried again',
      ],
      [connections, 'of changes that share a COMMIT which nobody can tell of, none is tried again'],
      [
        connections,
        'sessions that the database ends under load cost requests a 503 at most, none what was acknowledged',
      ],
      [
        connections,
        'what others wrote while a server could not hear them is caught up, and it hears them again',
      ],
    ],
  },
  {
    claim:
      'Where all connections to the database are held, requests wait for a bounded time and are 503, no server takes more connections than it may have, and /livez, /readyz and what is known of tokens wait for none.',
    tests: [
      [
        'server/shared-exhausted.long.test.ts',
        'where all connections are held, requests are 503 within a time, the server says that it is up, and all is well behind it (not run without PostgreSQL)',
      ],
    ],
  },
  {
    claim:
      'On a full disk of the database writes are 507 as on a data folder, reads go on, and writes go on by themselves once there is room. Where the database stops over it, requests are 503 until it is started again.',
    cases: ['shared-disk-full'],
  },
  {
    claim:
      'All servers of a store go by the time of the database: however wrong the clock of one is, the times of a record grow, what is asked for by time is found at each, and tokens, sessions and leases end when they are to.',
    cases: ['shared-clock'],
  },
  {
    claim:
      'What was taken from somebody at one server of a shared store stays taken: no use that another notes, no change that it makes of the same row and no program of before brings a revoked token or an ended session back. Of two changes of one row at one moment the first is kept, and the second is told that it was not.',
    tests: [
      [racing, 'keeps every revocation, and every time of use, where tokens are used elsewhere meanwhile'],
      [
        racing,
        'refuses, in the database too, a revoked token or an ended session that a program writes back',
      ],
      [
        racing,
        'keeps one of two changes of a row of %s, and tells the other server that its own was not kept',
      ],
      [racing, 'keeps each of several changes of a row that one server makes without a look between'],
    ],
  },
  {
    claim:
      'A server over a shared store that has not been able to look for five seconds at what the others wrote is 503 to everybody but the token of its own file, and answers again once it can.',
    tests: [
      [
        'server/shared-stale.test.ts',
        'answers 503 to a token that may be revoked elsewhere, and 200 again once it can look',
      ],
    ],
  },
  {
    claim:
      'A server does not start, and says why, where its database cannot keep the promises of a shared store: behind a pooler, where reads go to another database than writes, where settings do not arrive, and on records that a dump brought from another cluster.',
    tests: [
      [startCheck, 'refuses records that bear the numbers of another cluster’s transactions'],
      [startCheck, 'refuses connections %s'],
      [startCheck, 'is refused with %s'],
      [startCheckLong, 'refuses the records of a dump that was restored into another cluster'],
      [startCheckLong, 'is refused where reads go to the standby too, and as a pooler where they do not'],
    ],
  },
];
