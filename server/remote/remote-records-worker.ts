/** Worker thread of `createRemoteRecordsWorker`. */
import { parentPort } from 'node:worker_threads';
import { removeDatabase } from '../sqlite/backup-folder.ts';
import type { RecordsOrder, RecordsReply } from './remote-records-beside.ts';
import { openRemoteRecords, type RemoteRecords } from './remote-records.ts';

const recordsByPath = new Map<string, RemoteRecords>();

function execute({ path, name, methodArguments }: RecordsOrder): unknown {
  if (name === 'close' || name === 'remove') {
    recordsByPath.get(path)?.close();
    recordsByPath.delete(path);
    if (name === 'remove') removeDatabase(path);
    return undefined;
  }
  const records = recordsByPath.get(path) ?? openRemoteRecords(path, Date.now);
  recordsByPath.set(path, records);
  return Reflect.apply(records[name], records, methodArguments);
}

function reply(order: RecordsOrder): RecordsReply {
  try {
    return { result: execute(order) };
  } catch (error) {
    return { error };
  }
}

parentPort?.on('message', (order: RecordsOrder) => parentPort?.postMessage(reply(order)));
