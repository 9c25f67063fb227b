import { useCallback } from 'react';
import { useConnection } from '../../platform/connection.ts';
import { toFailure } from '../../ui/failure.ts';
import { isGone } from './gone.ts';
import { toVersion } from './record-version.ts';
import type { RecordTarget } from './use-record-io.ts';

/** Looks what the server holds behind text that is not saved, which stays as it is. */
export function useLook(): (target: RecordTarget) => Promise<void> {
  const { client } = useConnection();
  return useCallback(
    async ({ state: { type, id }, dispatch }) => {
      try {
        dispatch({ type: 'found', now: toVersion(await client.read(type, id)) });
      } catch (error) {
        // Where the server does not say, the save will tell.
        if (isGone(toFailure(error))) dispatch({ type: 'found', now: undefined });
      }
    },
    [client],
  );
}
