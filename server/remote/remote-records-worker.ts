/** Worker thread of `createRemoteRecordsWorker`. It opens a file at the first request for it. */
import { serveRequests } from '../threads/serve-requests.ts';
import { removeDatabase } from '../sqlite/backup-folder.ts';
import { openRemoteRecords, type RemoteRecords } from './remote-records.ts';

type MethodName = keyof RemoteRecords;

const recordsByPath = new Map<string, RemoteRecords>();

const handlers = {
  call(path: string, name: MethodName, methodArguments: Parameters<RemoteRecords[MethodName]>): unknown {
    const records = recordsByPath.get(path) ?? openRemoteRecords(path, Date.now);
    recordsByPath.set(path, records);
    return Reflect.apply(records[name], records, methodArguments);
  },
  close(path: string): void {
    recordsByPath.get(path)?.close();
    recordsByPath.delete(path);
  },
  remove(path: string): void {
    handlers.close(path);
    removeDatabase(path);
  },
};

export type RemoteRecordsHandlers = typeof handlers;

serveRequests(handlers);
