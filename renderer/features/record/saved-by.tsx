import { useQuery } from '@tanstack/react-query';
import { writerOf } from '../../../core/app/authorship.ts';
import { useConnection } from '../../platform/connection.ts';
import { usePerson } from '../../platform/people.ts';
import { useAfterPaint } from '../../ui/after-paint.ts';
import { usePresent } from '../../ui/present.ts';
import { text } from '../../ui/text.ts';
import { clockTime, exactTime } from '../../ui/time.ts';
import type { RecordHead } from './record-state.ts';

/** Time and known author of the version. */
export function SaveTime(recordHead: RecordHead) {
  const now = usePresent();
  const author = useAuthor(recordHead);
  const lastUpdated = recordHead.base?.summary.lastUpdated ?? '';
  if (lastUpdated === '') return null;
  return (
    <time dateTime={lastUpdated} title={exactTime(lastUpdated)}>
      {text.record.written(clockTime(lastUpdated, now), author)}
    </time>
  );
}

/** Returns the message about the author of a version that the text is not based on. */
export function useSavedMessage(recordHead: RecordHead): string {
  const author = useAuthor(recordHead);
  const person = usePerson();
  const version = recordHead.base?.version;
  return version !== undefined && person !== undefined && author === person.name
    ? text.conflict.foundOwn(version)
    : text.conflict.found(version, author);
}

/** Returns the author of a version from the history: the person, otherwise the token. */
function useAuthor({ type, id, base }: RecordHead): string | undefined {
  const { client, name, remote } = useConnection();
  // Requested after the paint, when the record is shown. Before, `base` is of the previous record.
  const paintedBase = useAfterPaint(base);
  const version = paintedBase === base ? base?.version : undefined;
  const { data } = useQuery({
    queryKey: ['author', name, type, id, version],
    queryFn: async () => {
      const { versions } = await client.history(type, id, { count: 1 });
      const match = versions.find((candidate) => candidate.version === version);
      return match ? writerOf(match) : null;
    },
    // Another server does not report authors.
    enabled: version !== undefined && !remote,
    staleTime: Infinity,
    retry: false,
  });
  return data ?? undefined;
}
