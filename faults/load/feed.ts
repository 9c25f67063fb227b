/**
 * Imports records of an invented clinic in one request, from a process of its own:
 * `node faults/load/feed.ts PORT TOKEN RECORDS FIRST-PATIENT`. The last line of the server's report goes to stdout.
 */
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { generateClinic } from '../../server/demo/generate.ts';

const [port = '', token = '', wanted = '0', first = '1'] = process.argv.slice(2);
const records = Number(wanted);

/** Every patient has more than one record. */
function* lines(): Generator<string> {
  let made = 0;
  for (const { text } of generateClinic({ patients: records, first: Number(first) })) {
    if (made === records) return;
    made += 1;
    yield `${text}\n`;
  }
}

/** The last line of an answer that comes while its request is still being sent. */
async function lastLine(sending: ReturnType<typeof request>): Promise<string> {
  const [answer] = (await once(sending, 'response')) as [IncomingMessage];
  let last = '';
  for await (const line of createInterface({ input: answer })) last = line;
  return last;
}

const sending = request({
  ...{ host: '127.0.0.1', port, method: 'POST', path: '/app/import' },
  headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/x-ndjson' },
});
const [last] = await Promise.all([lastLine(sending), pipeline(Readable.from(lines()), sending)]);
process.stdout.write(`${last}\n`);
