import { isSound, textColumns } from '../checksum.ts';
import { hasCompanions } from './sqlite-companions.ts';
import type { SqliteDatabase } from './sqlite.ts';
import type { VerifyFinding } from './verify-records.ts';

interface CompanionRow {
  readonly type: string;
  readonly id: string;
  readonly body: unknown;
  readonly sha256: unknown;
}

/** Looks at the text of each companion; a schema of before has none. */
export function* findingsOfCompanions(database: SqliteDatabase): Generator<VerifyFinding> {
  if (!hasCompanions(database)) return;
  const rows = database.prepare<unknown[], CompanionRow>(
    `SELECT type, id, ${textColumns('companion')} FROM companion`,
  );
  for (const { type, id, body, sha256 } of rows.iterate()) {
    if (isSound(body, sha256)) continue;
    yield {
      where: `${type}/${id}, a companion`,
      problem: 'has a text that is not the one that was kept.',
    };
  }
}
