import { mkdir } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fhirPath } from '../../core/api/contract.ts';
import { FaultError, type FaultCase, type FaultContext, type FaultResult } from '../fault-case.ts';
import { readMemoryBytes, canReadProcessState } from '../load/process-state.ts';
import { watchServer } from '../load/watch.ts';
import { send, startServer, type FaultServer } from '../server.ts';

/** Number of records of 4 MB, and of clients that request them all and read nothing. */
const extents = { full: { records: 26, readers: 20 }, short: { records: 8, readers: 6 } } as const;

/**
 * Limits: wait of another request in milliseconds, and additional bytes of the server at the peak and at the
 * end.
 */
const limitsOfCase = { wait: 1000, held: 384 * 1024 ** 2, behind: 192 * 1024 ** 2 } as const;

/** Milliseconds until all readers must be disconnected. A short run only measures memory in this time. */
const waitMs = { full: 45_000, short: 2000 } as const;

const addresses = [`${fhirPath}/CarePlan?subject=Patient/1`, '/app/export?type=CarePlan'];

/** Clients that request much and read nothing are soon disconnected, and use little memory until then. */
export const unreadAnswers: FaultCase = {
  name: 'unread-answers',
  claim:
    'Twenty clients that request a Bundle of 104 MB, or an export, and read nothing never delay another request by a second. The server uses at most 384 MiB more, and disconnects them after 30 s.',
  long: true,
  run,
};

async function run({ runLength, folder, tally, say }: FaultContext): Promise<FaultResult> {
  if (!canReadProcessState) return { result: 'not run', reason: 'Memory is read from /proc.' };
  const data = join(folder, 'data');
  await mkdir(data, { mode: 0o700 });
  const server = await startServer(data);
  const { records, readers } = extents[runLength];
  const notes = Array.from({ length: 4 }, () => ({ text: 'a'.repeat(1_000_000) }));
  const subject = { reference: 'Patient/1' };
  const plan = { resourceType: 'CarePlan', status: 'active', intent: 'plan', subject, note: notes };
  let path = '';
  for (let index = 0; index < records; index += 1) {
    const response = await send(server, 'POST', `${fhirPath}/CarePlan`, JSON.stringify(plan));
    if (response.status !== 201) throw new FaultError(`A record was answered ${response.status}`);
    path = `${fhirPath}/CarePlan/${(JSON.parse(response.text) as { id: string }).id}/_history?_count=0`;
  }
  // Waits until the memory for their parsing is released.
  await setTimeout(12_000);
  for (const address of addresses) {
    const bytesBefore = readMemoryBytes(server.pid);
    const sockets = Array.from({ length: readers }, () => requestUnread(server, address));
    const allClosed = Promise.all(sockets.map(waitForClose));
    const { times, maxMemoryBytes } = await watchServer(
      server,
      path,
      Promise.race([allClosed, setTimeout(waitMs[runLength])]),
    );
    const openCount = sockets.filter(({ destroyed }) => !destroyed).length;
    const additionalBytes = maxMemoryBytes - bytesBefore;
    for (const socket of sockets) socket.destroy();
    await setTimeout(2000);
    const finalBytes = readMemoryBytes(server.pid) - bytesBefore;
    const mebibytes = (bytes: number) => Math.round(bytes / 1024 ** 2);
    say(
      `${address}: others waited ${times.quantile(1)} ms, ${mebibytes(additionalBytes)} MiB, ${mebibytes(finalBytes)} behind it`,
    );
    const label = address.includes('export') ? 'export' : 'Bundle';
    tally.add(`${label}: readers`, readers);
    tally.add(`${label}: longest wait of another request, ms`, Math.round(times.quantile(1)));
    tally.add(`${label}: MiB held more, at most`, mebibytes(additionalBytes));
    tally.add(`${label}: MiB held more behind it`, mebibytes(finalBytes));
    if (additionalBytes > limitsOfCase.held) throw new FaultError('The server held too much');
    if (finalBytes > limitsOfCase.behind) throw new FaultError('The memory was not given back');
    if (runLength === 'short') continue;
    if (times.quantile(1) > limitsOfCase.wait) throw new FaultError('Another request waited too long');
    if (openCount > 0)
      throw new FaultError(`${openCount} readers were still connected after ${waitMs.full / 1000} s`);
  }
  await server.stop();
  return { result: 'passed', figures: tally.figures };
}

/** Requests an address and reads nothing of the response. */
function requestUnread({ port, token }: FaultServer, address: string): Socket {
  const socket = connect({ port, host: '127.0.0.1' }).pause();
  socket.on('error', () => undefined);
  socket.write(
    `GET ${address} HTTP/1.1\r\nHost: localhost:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
  );
  return socket;
}

/** Resolves when the server has closed an unread connection. Only a write detects that. */
async function waitForClose(socket: Socket): Promise<void> {
  while (!socket.destroyed) {
    await setTimeout(500);
    if (socket.writable) socket.write('\r\n');
  }
}
