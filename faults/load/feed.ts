/**
 * Imports demo records in one request, from a process of its own:
 * `node faults/load/feed.ts PORT TOKEN RECORDS FIRST-PATIENT`. Ends with 0 where all were stored; what the server
 * reports last goes to the standard output.
 */
import { request } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { text } from 'node:stream/consumers';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { generateClinic } from '../../server/demo/generate.ts';

const [port = '', token = '', wanted = '0', first = '1'] = process.argv.slice(2);
const records = Number(wanted);

/** Every patient has more than one record. */
function* lines(): Generator<string> {
  let made = 0;
  for (const { text } of generateClinic({ patients: records, first: Number(first) })) {
    yield `${text}\n`;
    made += 1;
    if (made === records) return;
  }
}

const sending = request({
  host: '127.0.0.1',
  port,
  method: 'POST',
  path: '/app/import',
  headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/x-ndjson' },
});
const [answer] = await Promise.all([
  once(sending, 'response') as Promise<[IncomingMessage]>,
  pipeline(Readable.from(lines()), sending),
]).then(async ([[response]]) => [await text(response)]);
process.stdout.write(`${(answer ?? '').trimEnd().split('\n').at(-1) ?? ''}\n`);
