/** `chartkeeper audit`: prints the audit log of a data folder that no server uses. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { auditEvent } from '../../core/api/audit-event.ts';
import { withRecords } from './command-place.ts';
import { missingFile } from '../sqlite/data-folder-error.ts';

/** Prints one AuditEvent per line, oldest first. */
export async function runAudit(dataDir: string): Promise<void> {
  const path = join(dataDir, 'records.db');
  if (!existsSync(path)) throw missingFile(path);
  await withRecords(dataDir, async ({ audit }) => {
    for await (const entries of audit.readEntries()) {
      const lines = entries.map((entry) => `${JSON.stringify(auditEvent(entry))}\n`);
      if (!process.stdout.write(lines.join(''))) await once(process.stdout, 'drain');
    }
  });
}
