import type { StoreReport } from '../core/app/server-messages.ts';
import { generateClinic } from './demo/generate.ts';
import type { RecordService } from './fhir/service.ts';
import { connect } from './sqlite/sqlite.ts';

/** A decimal that would lose digits as a JavaScript number. */
const exact = '123456789.12345678901234567890';

const member = `"extension":[{"url":"https://chartkeeper.example.org/self-check","valueDecimal":${exact}}]`;

/** Stores a record, reads it back and compares every digit. Never rejects. */
export async function checkStore(service: Pick<RecordService, 'create' | 'readBytes'>): Promise<StoreReport> {
  try {
    const [record] = generateClinic();
    if (!record) throw new TypeError('The demo clinic is empty.');
    const { type } = record;
    const text = record.text.replace('{', `{${member},`);
    const { version } = await service.create({ type, text, author: 'self-check' });
    const { bytes } = await service.readBytes(type, version.id);
    const isIntact = bytes.includes(member);
    const result = isIntact
      ? 'A record came back with every digit'
      : 'A record did not come back as it was stored';
    return { type: 'checked', sound: isIntact, found: `${result}: ${engine()}.` };
  } catch (error) {
    const name = error instanceof Error ? error.name : typeof error;
    return { type: 'checked', sound: false, found: `A record could not be stored: ${name}.` };
  }
}

function engine(): string {
  const database = connect(':memory:');
  const version = database.prepare<unknown[], string>('SELECT sqlite_version()').pluck().get() ?? '';
  database.close();
  return `SQLite ${version}`;
}
