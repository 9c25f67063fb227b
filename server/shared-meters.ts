import type { Meter } from './http/metrics.ts';
import type { PostgresStore } from './store/postgres/postgres-store.ts';
import type { Mirror } from './workspace/mirror.ts';

/** What the page of metrics shows of a store that servers share. */
export function sharedMeters(
  store: Pick<PostgresStore, 'load' | 'ready'>,
  mirror: Pick<Mirror, 'age'>,
): readonly Meter[] {
  return [
    {
      name: 'store_writable',
      help: '1 where the database takes writes, else 0.',
      read: () =>
        store.ready().then(
          () => 1,
          () => 0,
        ),
    },
    {
      name: 'store_connections_open',
      help: 'Connections to the database.',
      read: () => store.load().open,
    },
    {
      name: 'store_connections_busy',
      help: 'Connections to the database that are at work.',
      read: () => store.load().busy,
    },
    {
      name: 'store_waiting',
      help: 'Statements that wait for a connection to the database.',
      read: () => store.load().waiting,
    },
    {
      name: 'workspace_age_seconds',
      help: 'Time since the tokens, sessions and settings of all servers were looked at; above 5, requests are 503.',
      read: () => mirror.age() / 1000,
    },
  ];
}
