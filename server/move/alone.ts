import { readAddress } from '../store/postgres/address.ts';
import { Postgres } from '../store/postgres/connection.ts';
import { checkSchema } from '../store/postgres/migrate.ts';
import { keepFromWriting, letWrite } from '../store/postgres/moving.ts';

/** A database of which no server writes while work is done. */
export interface AloneDatabase {
  readonly database: Postgres;
  /** For a person: where it is, without a user and a password. */
  readonly name: string;
  /** @throws Error where the session that kept servers from writing was cut: one may have written since. */
  readonly assertAlone: () => void;
}

/**
 * Does work on the database at an address, to which no server writes meanwhile.
 *
 * @throws Error with a sentence where one does, or where the schema is not this program's; StoreError.
 */
export async function alone<Result>(
  address: string,
  work: (alone: AloneDatabase) => Promise<Result>,
): Promise<Result> {
  const place = readAddress(address);
  const hosts = [place, ...(place.others ?? [])].map(({ host, port }) => `${host}:${port}`);
  const name = `postgres://${hosts.join(',')}/${place.database}`;
  const database = new Postgres(place, 4);
  try {
    await database.find();
    await checkSchema(database);
    let cut = false;
    const { session, release } = await database.hold(() => (cut = true));
    try {
      if (!(await keepFromWriting(session)))
        throw new Error(
          `Servers write to ${name}, or another move is under way there. Stop them, and run the command again.`,
        );
      const assertAlone = () => {
        if (cut) throw new Error(`The connection to ${name} was cut. Run the command again; it goes on.`);
      };
      return await work({ database, name, assertAlone });
    } finally {
      await letWrite(session).catch(() => undefined);
      release();
    }
  } finally {
    await database.close();
  }
}
