/** `chartkeeper audit`: prints the audit log of a data folder that no server uses. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { auditEvent } from '../../core/api/audit-event.ts';
import { missingFile } from '../sqlite/data-folder-error.ts';
import { openRecordStore } from '../store/sqlite/sqlite-store.ts';

/** Prints one AuditEvent per line, oldest first. */
export async function runAudit(dataDir: string): Promise<void> {
  const path = join(dataDir, 'records.db');
  if (!existsSync(path)) throw missingFile(path);
  const store = await openRecordStore(path);
  try {
    for await (const entries of store.audit.readEntries()) {
      const lines = entries.map((entry) => `${JSON.stringify(auditEvent(entry))}\n`);
      if (!process.stdout.write(lines.join(''))) await once(process.stdout, 'drain');
    }
  } finally {
    await store.close();
  }
}
