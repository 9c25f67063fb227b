/** Worker thread of `WalCheckpointer`. */
import { parentPort, workerData } from 'node:worker_threads';
import { checkpointWal } from './wal-checkpoint.ts';
import { openCheckpointConnection } from '../../sqlite/sqlite.ts';

const database = openCheckpointConnection(String(workerData));

parentPort?.on('message', (order: 'carry' | 'close') => {
  if (order === 'close') {
    database.close();
    parentPort?.close();
    return;
  }
  checkpointWal(database, (pages) => pages > 0);
  parentPort?.postMessage('carried');
});
