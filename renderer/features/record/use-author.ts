import { writerOf } from '../../../core/app/authorship.ts';
import { useQuery } from '@tanstack/react-query';
import { useConnection } from '../../platform/connection.ts';
import { useAfterPaint } from '../../ui/after-paint.ts';
import type { RecordHead } from './record-state.ts';

/** Who wrote the version that is open, as far as the history knows: the person, else the token. */
export function useAuthor({ type, id, base }: RecordHead): string | undefined {
  const { client, name, remote } = useConnection();
  // Asked for once the record is there to be read; until then its version is still the record's before it.
  const shown = useAfterPaint(base);
  const version = shown === base ? base?.version : undefined;
  const { data } = useQuery({
    queryKey: ['author', name, type, id, version],
    queryFn: async () => {
      const { versions } = await client.history(type, id, { count: 1 });
      const found = versions.find((one) => one.version === version);
      return found ? writerOf(found) : null;
    },
    // Another server does not tell.
    enabled: version !== undefined && !remote,
    staleTime: Infinity,
    retry: false,
  });
  return data ?? undefined;
}
