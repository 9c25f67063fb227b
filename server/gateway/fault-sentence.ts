import { AccessFault } from './access-fault.ts';
import { KeyFileError } from './key-files.ts';
import { RemoteFault } from './remote-fault.ts';

/** The sentence of a fault that belongs to the connection; undefined for any other. */
export function faultSentence(error: unknown): string | undefined {
  const known = error instanceof AccessFault || error instanceof KeyFileError || error instanceof RemoteFault;
  return known ? error.message : undefined;
}
