import { useMutation, useQueryClient } from '@tanstack/react-query';
import { narrow } from '../../../core/api/narrow.ts';
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
      onMinted(narrow(await client.app('POST', '/tokens', request), TokenMinted), request);
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ['tokens', name] }),
  });
}

/** Ends a token, from the server's next request on. */
export function useRevokeToken(onRevoked: () => void) {
  const { name } = useConnection();
  return useChange(
    (client, id: string) => client.app('DELETE', `/tokens/${encodeURIComponent(id)}`),
    onRevoked,
    ['tokens', name],
  );
}
