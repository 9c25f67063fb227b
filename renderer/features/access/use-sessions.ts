import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffectEvent, useEffect } from 'react';
import { narrow } from '../../../core/api/narrow.ts';
import { SessionList, SignInCode, type Session } from '../../../core/app/sign-in.ts';
import { useConnection } from '../../platform/connection.ts';
import { useChange } from '../../platform/use-change.ts';

/** The windows that are signed in. */
export function useSessions(front: boolean) {
  const { name, client } = useConnection();
  return useQuery({
    queryKey: ['sessions', name],
    queryFn: async (): Promise<readonly Session[]> =>
      narrow(await client.app('GET', '/sessions'), SessionList).sessions,
    enabled: front,
    // Others sign in and out meanwhile.
    staleTime: 0,
  });
}

/** Ends a session, from the server's next request on. */
export function useEndSession(onEnded: () => void) {
  const { name } = useConnection();
  return useChange(
    (client, id: string) => client.app('DELETE', `/sessions/${encodeURIComponent(id)}`),
    onEnded,
    ['sessions', name],
  );
}

/** Makes a link at once and hands it to `onMade` alone: what react-query keeps of a mutation is its request. */
export function useNewLink(onMade: (link: SignInCode) => void) {
  const { client } = useConnection();
  const link = useMutation({
    mutationFn: async (): Promise<void> => {
      onMade(narrow(await client.app('POST', '/sign-in-codes', {}), SignInCode));
    },
  });
  const begin = useEffectEvent(() => {
    if (link.isIdle) link.mutate();
  });
  useEffect(() => begin(), []);
  return link;
}
