import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { SessionList, SignInCode } from '../../../core/app/sign-in.ts';
import { TokenList, TokenMinted, type TokenRequest } from '../../../core/app/tokens.ts';
import { useConnection } from '../../platform/connection.ts';
import { useAnswer } from '../../platform/use-answer.ts';
import { useChange } from '../../platform/use-change.ts';

/** The tokens that were minted, newest first. */
export function useTokens(front: boolean) {
  const { name } = useConnection();
  return useAnswer('/tokens', TokenList, {
    queryKey: ['tokens', name],
    enabled: front,
    // The last uses and ends change by themselves: each look at the view reads them anew.
    staleTime: 0,
    refetchOnWindowFocus: 'always',
  });
}

/** Mints a token and hands it to `onMinted` alone: what react-query keeps of a mutation is its request. */
export function useMintToken(onMinted: (minted: TokenMinted, request: TokenRequest) => void) {
  const { name, client } = useConnection();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (request: TokenRequest): Promise<void> => {
      onMinted(await client.ask(TokenMinted, 'POST', '/tokens', request), request);
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ['tokens', name] }),
  });
}

/** The windows that are signed in. */
export function useSessions(front: boolean) {
  const { name } = useConnection();
  return useAnswer('/sessions', SessionList, {
    queryKey: ['sessions', name],
    enabled: front,
    // Others sign in and out meanwhile.
    staleTime: 0,
  });
}

/** Ends a token or a session, from the server's next request on. */
export function useEnd(what: 'tokens' | 'sessions', onEnded: () => void) {
  const { name } = useConnection();
  return useChange(
    (client, id: string) => client.app('DELETE', `/${what}/${encodeURIComponent(id)}`),
    onEnded,
    [what, name],
  );
}

/** Makes a link at once and hands it to `onMade` alone: what react-query keeps of a mutation is its request. */
export function useNewLink(onMade: (link: SignInCode) => void) {
  const { client } = useConnection();
  const link = useMutation({
    mutationFn: async (): Promise<void> => {
      onMade(await client.ask(SignInCode, 'POST', '/sign-in-codes', {}));
    },
  });
  const begin = useEffectEvent(() => {
    if (link.isIdle) link.mutate();
  });
  useEffect(() => begin(), []);
  return link;
}
