import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Server } from '../../bench/processes.ts';
import { readReportLine } from '../../core/app/transfer.ts';
import { FaultError } from '../fault-case.ts';

/** Imports a number of records from a separate process. Rejects if not all of them were stored. */
export async function importRecords(
  { port, token }: Pick<Server, 'port' | 'token'>,
  records: number,
  firstPatient: number,
): Promise<void> {
  const args = [resolve(import.meta.dirname, 'feed.ts'), port, token, records, firstPatient].map(String);
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const report = readReportLine(await text(child.stdout));
  if (report && 'done' in report && report.done.stored === records) return;
  throw new FaultError(`An import ended with ${JSON.stringify(report)}`);
}
