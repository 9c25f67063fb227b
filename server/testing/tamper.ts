/** Changes a file behind the back of its triggers, as someone with another program would. */
import { connect } from '../store/sqlite/sqlite.ts';

/** Runs SQL with the triggers of the audit trail taken away, and puts them back as they were. */
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
