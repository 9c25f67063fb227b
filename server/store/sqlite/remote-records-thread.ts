/** The thread of `remoteRecordsBeside`; its own entry, as a thread is started by a file. */
import { parentPort } from 'node:worker_threads';
import { removeDatabase } from './backup-folder.ts';
import type { RecordsOrder, RecordsReply } from './remote-records-beside.ts';
import { openRemoteRecords, type RemoteRecords } from './remote-records.ts';

const all = new Map<string, RemoteRecords>();

function carryOut({ path, name, given }: RecordsOrder): unknown {
  if (name === 'close' || name === 'remove') {
    all.get(path)?.close();
    all.delete(path);
    if (name === 'remove') removeDatabase(path);
    return undefined;
  }
  const records = all.get(path) ?? openRemoteRecords(path, Date.now);
  all.set(path, records);
  return Reflect.apply(records[name], records, given);
}

function reply(order: RecordsOrder): RecordsReply {
  try {
    return { result: carryOut(order) };
  } catch (error) {
    return { failed: error };
  }
}

parentPort?.on('message', (order: RecordsOrder) => parentPort?.postMessage(reply(order)));
