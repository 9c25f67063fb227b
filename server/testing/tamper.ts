/** Changes a file without its triggers, as a person with another program can. */
import { connect } from '../sqlite/sqlite.ts';

/** Drops all triggers, runs SQL, and restores the triggers. */
export function tamper(path: string, sql: string): void {
  const database = connect(path);
  try {
    const triggers = database
      .prepare<unknown[], { name: string; sql: string }>(
        `SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'`,
      )
      .all();
    for (const { name } of triggers) database.exec(`DROP TRIGGER ${name}`);
    database.exec(sql);
    for (const trigger of triggers) database.exec(trigger.sql);
  } finally {
    database.close();
  }
}
