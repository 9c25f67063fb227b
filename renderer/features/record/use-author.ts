import { useQuery } from '@tanstack/react-query';
import { useConnection } from '../../platform/connection.ts';
import { useAfterPaint } from '../../ui/after-paint.ts';
import type { RecordHead } from './record-state.ts';

/** Who wrote the version that is open, as far as the history knows: the name of a token. */
export function useAuthor({ type, id, base }: RecordHead): string | undefined {
  const { client, name, remote } = useConnection();
  // Asked for once the record is there to be read; until then its version is still the record's before it.
  const shown = useAfterPaint(base);
  const version = shown === base ? base?.version : undefined;
  const { data } = useQuery({
    queryKey: ['author', name, type, id, version],
    queryFn: async () => {
      const { versions } = await client.history(type, id, { count: 1 });
      return versions.find((one) => one.version === version)?.author ?? null;
    },
    // Another server does not tell.
    enabled: version !== undefined && !remote,
    staleTime: Infinity,
    retry: false,
  });
  return data ?? undefined;
}
