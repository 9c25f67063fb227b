import Database from 'better-sqlite3';
import packageJson from '../package.json' with { type: 'json' };

/** Formats the versions of the programs behind a report. */
export function formatVersions(): string {
  const { express, 'better-sqlite3': driver } = packageJson.dependencies;
  return `Chartkeeper ${packageJson.version}, Node ${process.versions.node}, SQLite ${readSqliteVersion()}, better-sqlite3 ${driver}, Express ${express}`;
}

/** Returns the version of the SQLite in the database driver. */
export function readSqliteVersion(): string {
  const database = new Database(':memory:');
  try {
    return String(database.prepare('SELECT sqlite_version()').pluck().get());
  } finally {
    database.close();
  }
}
