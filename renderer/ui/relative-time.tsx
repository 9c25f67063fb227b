import { usePresent } from './present.ts';
import { exactTime, relativeTime } from './time.ts';

/** Age of an instant, with the exact local time and zone in the tooltip. */
export function RelativeTime({ instant }: { readonly instant: string }) {
  const now = usePresent();
  if (instant === '') return null;
  return (
    <time dateTime={instant} title={exactTime(instant)}>
      {relativeTime(instant, now)}
    </time>
  );
}
