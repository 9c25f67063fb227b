/**
 * Imports records of an invented clinic in one request from a separate process:
 * `node faults/load/feed.ts PORT TOKEN RECORDS FIRST-PATIENT`.
 * Prints the last line of the server's report.
 */
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { generateClinic } from '../../server/demo/generate.ts';

const [port = '', token = '', recordCount = '0', firstPatient = '1'] = process.argv.slice(2);
const records = Number(recordCount);

/** Each patient has several records, so this number of patients is enough. */
function* lines(): Generator<string> {
  let lineCount = 0;
  for (const { text } of generateClinic({ patients: records, firstPatient: Number(firstPatient) })) {
    if (lineCount === records) return;
    lineCount += 1;
    yield `${text}\n`;
  }
}

/** Returns the last line of a response that arrives while its request is being sent. */
async function readLastLine(importRequest: ReturnType<typeof request>): Promise<string> {
  const [response] = (await once(importRequest, 'response')) as [IncomingMessage];
  let lastLine = '';
  for await (const line of createInterface({ input: response })) lastLine = line;
  return lastLine;
}

const importRequest = request({
  host: '127.0.0.1',
  port,
  method: 'POST',
  path: '/app/import',
  headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/x-ndjson' },
});
const [reportLine] = await Promise.all([
  readLastLine(importRequest),
  pipeline(Readable.from(lines()), importRequest),
]);
process.stdout.write(`${reportLine}\n`);
