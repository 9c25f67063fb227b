import { allMended, offersIn } from '../../core/fhir/fixes/offers.ts';
import type { FixAnswer, FixQuestion } from './fix-messages.ts';

/** The zone of a local time on this machine, such as `+01:00`. */
function zoneOf(local: string): string {
  const minutes = -new Date(local).getTimezoneOffset();
  const of = (part: number) => String(Math.floor(part)).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${of(Math.abs(minutes) / 60)}:${of(Math.abs(minutes) % 60)}`;
}

self.addEventListener('message', ({ data }: MessageEvent<FixQuestion>) => {
  const { ticket, text, type, today, ask } = data;
  const settings = { today, zoneOf };
  const all = 'all' in ask ? allMended(text, type, ask.all, settings) : undefined;
  const offers = 'at' in ask ? offersIn(text, type, ask.at, settings) : [];
  self.postMessage({ ticket, offers, ...(all && { all }) } satisfies FixAnswer);
});
