import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useConnection } from '../../platform/connection.ts';
import { checkOf, type CheckState, type RemoteCheck } from '../../platform/remote-check.ts';
import { useStore } from '../../ui/store.ts';

/** The check of the server that is worked on, and how it stands; lists and counts follow it. */
export function useCheck(): RemoteCheck & { readonly now: CheckState } {
  const { client } = useConnection();
  const check = checkOf(client);
  const queries = useQueryClient();
  const now = useStore(check);
  useEffect(() => void queries.invalidateQueries({ queryKey: ['quality'] }), [queries, now.records]);
  return { ...check, now };
}
