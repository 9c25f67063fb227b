import { Postgres, type Session } from './connection.ts';
import { functions, migrations, rights, sequences } from './migrations.ts';
import { locks } from './locks.ts';
import { readAddress } from './address.ts';

/** Number of migrations of this program. */
const latestNumber = migrations.length;

/**
 * Migrates a database to this program's schema and grants the server role exactly its rights. `address` uses
 * the role that owns the schema.
 *
 * @param server - Name of the role of servers.
 * @throws StoreError; Error if a newer program made the schema.
 */
export async function migrate(address: string, server: string): Promise<void> {
  const database = new Postgres(readAddress(address), 1);
  try {
    await database.transaction(async (session) => {
      const run = (text: string) => session.rows({ text });
      await run(`SELECT pg_advisory_xact_lock(${locks.migration})`);
      await run('CREATE SCHEMA IF NOT EXISTS chartkeeper');
      // An existing extension may be in the shared schema.
      await run('SET LOCAL search_path = chartkeeper, public');
      await run('CREATE TABLE IF NOT EXISTS migration (number integer PRIMARY KEY)');
      const [[currentNumber = 0] = []] = await run('SELECT coalesce(max(number), 0) FROM migration');
      if (Number(currentNumber) > latestNumber)
        throw new Error('The database was created by a newer version of Chartkeeper.');
      for (let number = Number(currentNumber) + 1; number <= latestNumber; number += 1) {
        await run(migrations[number - 1] ?? '');
        await run(`INSERT INTO migration (number) VALUES (${number})`);
      }
      await grant(run, `"${server.replaceAll('"', '""')}"`);
    });
  } finally {
    await database.close();
  }
}

/** @throws Error with a message if the schema is not this program's. */
export async function checkSchema(session: Session): Promise<void> {
  const existsSql = "SELECT to_regclass('chartkeeper.migration') IS NOT NULL";
  const [[isThere] = []] = await session.rows({ text: existsSql });
  const [[number = 0] = []] = isThere
    ? await session.rows({ text: 'SELECT max(number) FROM migration' })
    : [];
  if (Number(number) !== latestNumber)
    throw new Error(`The database has schema version ${Number(number)}; this program needs ${latestNumber}.`);
}

async function grant(run: (text: string) => Promise<unknown>, role: string): Promise<void> {
  await run(`REVOKE ALL ON ALL TABLES IN SCHEMA chartkeeper FROM ${role}`);
  await run(`GRANT USAGE ON SCHEMA chartkeeper TO ${role}`);
  for (const sequence of sequences) await run(`GRANT USAGE ON SEQUENCE ${sequence} TO ${role}`);
  for (const name of functions) await run(`GRANT EXECUTE ON FUNCTION ${name} TO ${role}`);
  for (const [table, privileges] of Object.entries(rights))
    await run(`GRANT ${privileges} ON ${table} TO ${role}`);
}
