import { fault, faultOf, inspect, inspectBytes, type Inspection } from './inspect.ts';
import { connect } from './sqlite.ts';

/**
 * Inspects a copy of a database, and takes it out of WAL mode: reading it would leave two files beside it.
 *
 * @throws DataFolderError as `inspect` does.
 */
export function inspectCopy(path: string, inspection: Inspection): void {
  inspectBytes(path);
  try {
    leaveWalMode(path);
  } catch (error) {
    throw fault(faultOf(error), path, error);
  }
  inspect(path, inspection);
}

function leaveWalMode(path: string): void {
  const database = connect(path);
  try {
    database.pragma('journal_mode = DELETE');
  } finally {
    database.close();
  }
}
