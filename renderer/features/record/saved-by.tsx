import { usePresent } from '../../ui/present.ts';
import { text } from '../../ui/text.ts';
import { clockTime, exactTime } from '../../ui/time.ts';
import type { RecordHead } from './record-state.ts';
import { useAuthor } from './use-author.ts';

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
