import pgpass from 'pgpass';
import type { StoreAddress, StorePlace } from './address.ts';

/**
 * The password of a store, for when it asks: that of its address, else PGPASSWORD, else the line of `~/.pgpass` that fits. The
 * driver reads that file too, and announces that it will not. Rejects with a sentence where there is none.
 */
export function passwordOf(
  { password, database, user }: StoreAddress,
  { host, port }: StorePlace,
): () => Promise<string> {
  const known = password ?? process.env.PGPASSWORD;
  return async () => known ?? (await kept({ host, port, database, user }));
}

async function kept(place: Parameters<typeof pgpass>[0]): Promise<string> {
  const found = await new Promise<string | undefined>((resolve) => pgpass(place, resolve));
  if (found !== undefined) return found;
  throw new Error(
    'The store asks for a password: set PGPASSWORD, or add a line to ~/.pgpass that its owner alone may read.',
  );
}
