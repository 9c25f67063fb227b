import type { Server } from '../../bench/processes.ts';
import { fhirPath } from '../../core/api/contract.ts';
import { readReportLine, type ImportLine } from '../../core/app/transfer.ts';
import type { Random } from '../../server/demo/random.ts';
import { FaultError } from '../fault-case.ts';
import type { Held, Ledger, VersionKey } from '../ledger.ts';
import { send } from '../server.ts';
import { bodyOf } from '../writer.ts';

/** Records of one import. */
const size = 20;

/**
 * Imports records whose titles the ledger knows. A record counts as acknowledged once the report has its line, also
 * where the connection breaks behind it.
 */
export class Importer {
  /** Versions whose line came and whose text is not read yet, with their titles. */
  private readonly unread = new Map<VersionKey, string>();
  private readonly ledger: Ledger;

  constructor(ledger: Ledger) {
    this.ledger = ledger;
  }

  /** Sends one import, and reads back what it stored; answers how many lines told of a stored record. */
  async send(server: Pick<Server, 'port' | 'token'>, random: Random): Promise<number> {
    const titles = Array.from({ length: size }, () => this.ledger.nextTitle());
    const records = titles.map((title) => bodyOf(random, title).text);
    let stored = 0;
    for await (const { place = 0, result, record } of reportOf(server, records)) {
      const title = titles[place - 1];
      if (title === undefined) throw new FaultError(`A report tells of the line ${place}`);
      if (result === 'stored' && record !== undefined) {
        this.unread.set(`${record}/_history/1`, title);
        stored += 1;
      } else this.ledger.refuse(title, true);
    }
    await this.readBack(server);
    return stored;
  }

  /** Has the ledger know the texts of what the reports told; breaks off where no server answers. */
  async readBack(server: Pick<Server, 'port' | 'token'>): Promise<void> {
    for (const [key, title] of this.unread) {
      const answer = await send(server, 'GET', `${fhirPath}/${key}`).catch(brokenOff);
      if (!answer || answer.status === 503) return;
      if (answer.status !== 200) throw new FaultError(`${key} was imported and is answered ${answer.status}`);
      this.acknowledge(title, { key, text: answer.text });
    }
  }

  /** The same, of what a store holds that no server has open. */
  findIn(held: readonly Held[]): void {
    if (this.unread.size === 0) return;
    const texts = new Map(held.map(({ key, text }) => [key, text]));
    for (const [key, title] of this.unread) {
      const text = texts.get(key);
      if (text === undefined) throw new FaultError(`${key} was told as imported and is lost`);
      this.acknowledge(title, { key, text });
    }
  }

  private acknowledge(title: string, { key, text }: Held): void {
    if (!text.includes(`"title":"${title}"`)) throw new FaultError(`${key} was imported with another text`);
    this.ledger.acknowledge(title, { key, text });
    this.unread.delete(key);
  }
}

/** The lines of an import's report, as far as they come. */
async function* reportOf(
  { port, token }: Pick<Server, 'port' | 'token'>,
  records: readonly string[],
): AsyncGenerator<ImportLine> {
  const answer = await fetch(`http://127.0.0.1:${port}/app/import`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/x-ndjson' },
    body: records.join('\n'),
  }).catch(brokenOff);
  if (!answer?.body || answer.status === 503) return;
  if (answer.status !== 200) throw new FaultError(`An import was answered ${answer.status}`);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const read = await reader.read().catch(brokenOff);
    if (!read || read.done) return;
    const lines = (rest + read.value).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const report = readReportLine(line);
      if (report && !('done' in report)) yield report;
    }
  }
}

/** A connection that broke has no answer; any other fault is one of this program. */
export function brokenOff(error: unknown): undefined {
  if (!(error instanceof TypeError)) throw error;
}
