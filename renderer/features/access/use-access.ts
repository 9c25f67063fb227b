import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { SessionList, SignInCode } from '../../../core/app/sign-in.ts';
import { TokenList, CreatedToken, type TokenRequest } from '../../../core/app/tokens.ts';
import { useConnection } from '../../platform/connection.ts';
import { useAppQuery } from '../../platform/use-answer.ts';
import { useChange } from '../../platform/use-change.ts';

/** Loads the created tokens, latest first. */
export function useTokens(isActive: boolean) {
  const { name } = useConnection();
  return useAppQuery('/tokens', TokenList, {
    queryKey: ['tokens', name],
    enabled: isActive,
    // Last use and expiry change over time, so every visit of the view reloads them.
    staleTime: 0,
    refetchOnWindowFocus: 'always',
  });
}

/** Creates a token and passes it only to `onMinted`, because react-query caches the results of mutations. */
export function useCreateToken(onMinted: (minted: CreatedToken, request: TokenRequest) => void) {
  const { name, client } = useConnection();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (request: TokenRequest): Promise<void> => {
      onMinted(await client.requestAs(CreatedToken, 'POST', '/tokens', request), request);
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ['tokens', name] }),
  });
}

/** Loads the signed-in sessions. */
export function useSessions(isActive: boolean) {
  const { name } = useConnection();
  return useAppQuery('/sessions', SessionList, {
    queryKey: ['sessions', name],
    enabled: isActive,
    // Other people sign in and out meanwhile.
    staleTime: 0,
  });
}

/** Revokes a token or ends a session. */
export function useEnd(collection: 'tokens' | 'sessions', onEnded: () => void) {
  const { name } = useConnection();
  return useChange(
    (client, id: string) => client.app('DELETE', `/${collection}/${encodeURIComponent(id)}`),
    onEnded,
    [collection, name],
  );
}

/** Creates a link on mount and passes it only to `onMade`, because react-query caches the results of mutations. */
export function useNewLink(onMade: (link: SignInCode) => void) {
  const { client } = useConnection();
  const link = useMutation({
    mutationFn: async (): Promise<void> => {
      onMade(await client.requestAs(SignInCode, 'POST', '/sign-in-codes', {}));
    },
  });
  const startOnce = useEffectEvent(() => {
    if (link.isIdle) link.mutate();
  });
  useEffect(() => startOnce(), []);
  return link;
}
