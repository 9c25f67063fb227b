import type { Server } from '../../bench/processes.ts';
import { fhirPath } from '../../core/api/contract.ts';
import { readReportLine, type ImportLine } from '../../core/app/transfer.ts';
import type { Random } from '../../server/demo/random.ts';
import { FaultError } from '../fault-case.ts';
import type { StoredVersion, Ledger, VersionKey } from '../ledger.ts';
import { send } from '../server.ts';
import { createBody } from '../writer.ts';

/** Records of one import. */
const importSize = 20;

/**
 * Imports records with titles of the ledger. A record counts as acknowledged as soon as its line of the
 * report arrives, even if the connection breaks afterwards.
 */
export class Importer {
  /** Titles of reported versions that were not read yet. */
  private readonly unreadTitles = new Map<VersionKey, string>();
  private readonly ledger: Ledger;

  constructor(ledger: Ledger) {
    this.ledger = ledger;
  }

  /** Sends one import and reads back the stored records. Returns how many lines reported a stored record. */
  async send(server: Pick<Server, 'port' | 'token'>, random: Random): Promise<number> {
    const titles = Array.from({ length: importSize }, () => this.ledger.nextTitle());
    const records = titles.map((title) => createBody(random, title).text);
    let storedCount = 0;
    for await (const { place: lineNumber = 0, result, record } of readReport(server, records)) {
      const title = titles[lineNumber - 1];
      if (title === undefined) throw new FaultError(`A report tells of the line ${lineNumber}`);
      if (result === 'stored' && record !== undefined) {
        this.unreadTitles.set(`${record}/_history/1`, title);
        storedCount += 1;
      } else this.ledger.refuse(title, true);
    }
    await this.readBack(server);
    return storedCount;
  }

  /** Adds the texts of reported records to the ledger. Stops if no server answers. */
  async readBack(server: Pick<Server, 'port' | 'token'>): Promise<void> {
    for (const [key, title] of this.unreadTitles) {
      const response = await send(server, 'GET', `${fhirPath}/${key}`).catch(ignoreBrokenConnection);
      if (!response || response.status === 503) return;
      if (response.status !== 200)
        throw new FaultError(`${key} was imported and is answered ${response.status}`);
      this.acknowledge(title, { key, text: response.text });
    }
  }

  /** Adds the texts of reported records from a store that no server has open. */
  readFrom(versions: readonly StoredVersion[]): void {
    if (this.unreadTitles.size === 0) return;
    const texts = new Map(versions.map(({ key, text }) => [key, text]));
    for (const [key, title] of this.unreadTitles) {
      const text = texts.get(key);
      if (text === undefined) throw new FaultError(`${key} was told as imported and is lost`);
      this.acknowledge(title, { key, text });
    }
  }

  private acknowledge(title: string, { key, text }: StoredVersion): void {
    if (!text.includes(`"title":"${title}"`)) throw new FaultError(`${key} was imported with another text`);
    this.ledger.acknowledge(title, { key, text });
    this.unreadTitles.delete(key);
  }
}

/** Yields the lines of an import's report until the connection ends. */
async function* readReport(
  { port, token }: Pick<Server, 'port' | 'token'>,
  records: readonly string[],
): AsyncGenerator<ImportLine> {
  const response = await fetch(`http://127.0.0.1:${port}/app/import`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/x-ndjson' },
    body: records.join('\n'),
  }).catch(ignoreBrokenConnection);
  if (!response?.body || response.status === 503) return;
  if (response.status !== 200) throw new FaultError(`An import was answered ${response.status}`);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let remainder = '';
  for (;;) {
    const chunk = await reader.read().catch(ignoreBrokenConnection);
    if (!chunk || chunk.done) return;
    const lines = (remainder + chunk.value).split('\n');
    remainder = lines.pop() ?? '';
    for (const line of lines) {
      const report = readReportLine(line);
      if (report && !('done' in report)) yield report;
    }
  }
}

/** Returns undefined for a broken connection, and rethrows any other error. */
export function ignoreBrokenConnection(error: unknown): undefined {
  if (!(error instanceof TypeError)) throw error;
}
