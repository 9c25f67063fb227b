import { readAddress } from '../postgres/address.ts';
import { Postgres } from '../postgres/connection.ts';
import { checkSchema } from '../postgres/migrate.ts';
import { blockWriters, unblockWriters } from '../postgres/moving.ts';

/** A database to which no server writes during some work. */
export interface ExclusiveDatabase {
  readonly database: Postgres;
  /** Name for people: the address without user and password. */
  readonly name: string;
  /** @throws Error if the session that blocks servers was cut, because a server may have written since. */
  readonly assertExclusive: () => void;
}

/**
 * Runs work on a database while no server writes to it.
 *
 * @throws Error with a message if a server writes, or the schema is not this program's; StoreError.
 */
export async function withExclusiveDatabase<Result>(
  address: string,
  work: (exclusive: ExclusiveDatabase) => Promise<Result>,
): Promise<Result> {
  const location = readAddress(address);
  const hosts = [location, ...(location.otherLocations ?? [])].map(({ host, port }) => `${host}:${port}`);
  const name = `postgres://${hosts.join(',')}/${location.database}`;
  const database = new Postgres(location, 4);
  try {
    await database.find();
    await checkSchema(database);
    let isCut = false;
    const { session, release } = await database.reserveConnection(() => (isCut = true));
    try {
      if (!(await blockWriters(session)))
        throw new Error(
          `Servers are writing to ${name}, or another move is in progress. Stop them, then run the command again.`,
        );
      const assertExclusive = () => {
        if (isCut) throw new Error(`The connection to ${name} was lost. Run the command again to continue.`);
      };
      return await work({ database, name, assertExclusive });
    } finally {
      await unblockWriters(session).catch(() => undefined);
      release();
    }
  } finally {
    await database.close();
  }
}
