import { useQuery } from '@tanstack/react-query';
import { writerOf } from '../../../core/app/authorship.ts';
import { useConnection } from '../../platform/connection.ts';
import { useAfterPaint } from '../../ui/after-paint.ts';
import { usePresent } from '../../ui/present.ts';
import { text } from '../../ui/text.ts';
import { clockTime, exactTime } from '../../ui/time.ts';
import type { RecordHead } from './record-state.ts';

/** When the version was written, and by whom as far as that is known. */
export function SavedBy(head: RecordHead) {
  const now = usePresent();
  const author = useAuthor(head);
  const lastUpdated = head.base?.summary.lastUpdated ?? '';
  if (lastUpdated === '') return null;
  return (
    <time dateTime={lastUpdated} title={exactTime(lastUpdated)}>
      {text.record.written(clockTime(lastUpdated, now), author)}
    </time>
  );
}

/** Returns who wrote a version, as far as the history knows: the person, else the token. */
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
