import { mkdir } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fhirPath } from '../../core/api/contract.ts';
import { FaultError, type FaultCase, type FaultContext, type Finding } from '../fault-case.ts';
import { memoryOf, tellsState } from '../load/process-state.ts';
import { watch } from '../load/watch.ts';
import { send, startServer, type FaultServer } from '../server.ts';

/** Records of 4 MB, and clients that ask for all of them and read nothing. */
const extents = { full: { records: 26, readers: 20 }, short: { records: 8, readers: 6 } } as const;

/** Milliseconds that another request waits, and the bytes that the server holds more than before, at most. */
const bounds = { wait: 1000, held: 384 * 1024 ** 2, behind: 192 * 1024 ** 2 } as const;

/** Milliseconds in which readers are to be dropped, and in which it is looked at what is held where that is not awaited. */
const spans = { full: 45_000, short: 2000 } as const;

const addresses = [`${fhirPath}/CarePlan?subject=Patient/1`, '/app/export?type=CarePlan'];

/** Clients that ask for much and read nothing of it are soon gone, and hold little until then. */
export const unreadAnswers: FaultCase = {
  name: 'unread-answers',
  claim:
    'Twenty clients that ask for a Bundle of 104 MB, or an export, and read nothing of it never make another request wait a second; the server holds 384 MiB more at most, and drops them after 30 s.',
  long: true,
  run,
};

async function run({ extent, folder, tally, say }: FaultContext): Promise<Finding> {
  if (!tellsState) return { result: 'not run', reason: 'Memory is read from /proc.' };
  const data = join(folder, 'data');
  await mkdir(data, { mode: 0o700 });
  const server = await startServer(data);
  const { records, readers } = extents[extent];
  const notes = Array.from({ length: 4 }, () => ({ text: 'a'.repeat(1_000_000) }));
  const subject = { reference: 'Patient/1' };
  const plan = { resourceType: 'CarePlan', status: 'active', intent: 'plan', subject, note: notes };
  let path = '';
  for (let made = 0; made < records; made += 1) {
    const answer = await send(server, 'POST', `${fhirPath}/CarePlan`, JSON.stringify(plan));
    if (answer.status !== 201) throw new FaultError(`A record was answered ${answer.status}`);
    path = `${fhirPath}/CarePlan/${(JSON.parse(answer.text) as { id: string }).id}/_history?_count=0`;
  }
  // What parsing them took is given back first.
  await setTimeout(12_000);
  for (const address of addresses) {
    const before = memoryOf(server.pid);
    const sockets = Array.from({ length: readers }, () => ask(server, address));
    const gone = Promise.all(sockets.map(closed));
    const { times, memory } = await watch(server, path, Promise.race([gone, setTimeout(spans[extent])]));
    const open = sockets.filter(({ destroyed }) => !destroyed).length;
    const more = memory - before;
    for (const socket of sockets) socket.destroy();
    await setTimeout(2000);
    const behind = memoryOf(server.pid) - before;
    const mebibytes = (bytes: number) => Math.round(bytes / 1024 ** 2);
    say(
      `${address}: others waited ${times.quantile(1)} ms, ${mebibytes(more)} MiB, ${mebibytes(behind)} behind it`,
    );
    const what = address.includes('export') ? 'export' : 'Bundle';
    tally.add(`${what}: readers`, readers);
    tally.add(`${what}: longest wait of another request, ms`, Math.round(times.quantile(1)));
    tally.add(`${what}: MiB held more, at most`, mebibytes(more));
    tally.add(`${what}: MiB held more behind it`, mebibytes(behind));
    if (more > bounds.held) throw new FaultError('The server held too much');
    if (behind > bounds.behind) throw new FaultError('The memory was not given back');
    if (extent === 'short') continue;
    if (times.quantile(1) > bounds.wait) throw new FaultError('Another request waited too long');
    if (open > 0) throw new FaultError(`${open} readers were still connected after ${spans.full / 1000} s`);
  }
  await server.stop();
  return { result: 'passed', figures: tally.figures };
}

/** Asks for an address, and reads nothing of the answer. */
function ask({ port, token }: FaultServer, address: string): Socket {
  const socket = connect({ port, host: '127.0.0.1' }).pause();
  socket.on('error', () => undefined);
  socket.write(
    `GET ${address} HTTP/1.1\r\nHost: localhost:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
  );
  return socket;
}

/** Resolves once the server has closed a connection of which nothing is read: writing tells. */
async function closed(socket: Socket): Promise<void> {
  while (!socket.destroyed) {
    await setTimeout(500);
    if (socket.writable) socket.write('\r\n');
  }
}
