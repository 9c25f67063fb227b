import pgpass from 'pgpass';
import type { StoreAddress, StoreLocation } from './address.ts';

/**
 * Returns a function that finds the password of a store: in its address, in PGPASSWORD or in `~/.pgpass`. The
 * driver announces the end of its own support for that file. Rejects with a message if none is found.
 */
export function passwordOf(
  { password, database, user }: StoreAddress,
  { host, port }: StoreLocation,
): () => Promise<string> {
  const knownPassword = password ?? process.env.PGPASSWORD;
  return async () => knownPassword ?? (await readPasswordFile({ host, port, database, user }));
}

async function readPasswordFile(connection: Parameters<typeof pgpass>[0]): Promise<string> {
  const storedPassword = await new Promise<string | undefined>((resolve) => pgpass(connection, resolve));
  if (storedPassword !== undefined) return storedPassword;
  throw new Error(
    'The store needs a password. Set PGPASSWORD, or add a line to ~/.pgpass (readable only by you).',
  );
}
