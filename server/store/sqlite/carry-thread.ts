/** The thread of `LogCarrier`; its own entry, as a thread is started by a file. */
import { parentPort, workerData } from 'node:worker_threads';
import { carryLog } from './carry-log.ts';
import { openCarrier } from './sqlite.ts';

const database = openCarrier(String(workerData));

parentPort?.on('message', (order: 'carry' | 'close') => {
  if (order === 'close') {
    database.close();
    parentPort?.close();
    return;
  }
  carryLog(database, (pages) => pages > 0);
  parentPort?.postMessage('carried');
});
