import Database from 'better-sqlite3';
import packageJson from '../package.json' with { type: 'json' };

/** What a report was made with, in words. */
export function versions(): string {
  const { express, 'better-sqlite3': driver } = packageJson.dependencies;
  return `Chartkeeper ${packageJson.version}, Node ${process.versions.node}, SQLite ${sqliteVersion()}, better-sqlite3 ${driver}, Express ${express}`;
}

/** Version of the SQLite in the database driver. */
export function sqliteVersion(): string {
  const database = new Database(':memory:');
  try {
    return String(database.prepare('SELECT sqlite_version()').pluck().get());
  } finally {
    database.close();
  }
}
