import { Postgres, type Session } from './connection.ts';
import { functions, migrations, rights, sequences } from './migrations.ts';
import { locks } from './locks.ts';
import { readAddress } from './address.ts';

/** The number of migrations that this program knows. */
const newest = migrations.length;

/**
 * Brings a database to this program's schema, and gives the server's role its rights, and no others. `address` is of the
 * role that owns the schema and makes it.
 *
 * @param server - The name of the role that servers have.
 * @throws StoreError; Error where the database is of a newer program.
 */
export async function migrate(address: string, server: string): Promise<void> {
  const database = new Postgres(readAddress(address), 1);
  try {
    await database.transaction(async (session) => {
      const run = (text: string) => session.rows({ text });
      await run(`SELECT pg_advisory_xact_lock(${locks.migration})`);
      await run('CREATE SCHEMA IF NOT EXISTS chartkeeper');
      // An extension that is there already may be in the schema that all share.
      await run('SET LOCAL search_path = chartkeeper, public');
      await run('CREATE TABLE IF NOT EXISTS migration (number integer PRIMARY KEY)');
      const [[found = 0] = []] = await run('SELECT coalesce(max(number), 0) FROM migration');
      if (Number(found) > newest) throw new Error('The database is of a newer version of Chartkeeper.');
      for (let number = Number(found) + 1; number <= newest; number += 1) {
        await run(migrations[number - 1] ?? '');
        await run(`INSERT INTO migration (number) VALUES (${number})`);
      }
      await grant(run, `"${server.replaceAll('"', '""')}"`);
    });
  } finally {
    await database.close();
  }
}

/** @throws Error with a sentence where the database has another schema than this program's. */
export async function checkSchema(session: Session): Promise<void> {
  const there = "SELECT to_regclass('chartkeeper.migration') IS NOT NULL";
  const [[isThere] = []] = await session.rows({ text: there });
  const [[number = 0] = []] = isThere
    ? await session.rows({ text: 'SELECT max(number) FROM migration' })
    : [];
  if (Number(number) !== newest)
    throw new Error(`The database has version ${Number(number)} of the schema; this program has ${newest}.`);
}

async function grant(run: (text: string) => Promise<unknown>, role: string): Promise<void> {
  await run(`REVOKE ALL ON ALL TABLES IN SCHEMA chartkeeper FROM ${role}`);
  await run(`GRANT USAGE ON SCHEMA chartkeeper TO ${role}`);
  for (const sequence of sequences) await run(`GRANT USAGE ON SEQUENCE ${sequence} TO ${role}`);
  for (const name of functions) await run(`GRANT EXECUTE ON FUNCTION ${name} TO ${role}`);
  for (const [table, may] of Object.entries(rights)) await run(`GRANT ${may} ON ${table} TO ${role}`);
}
