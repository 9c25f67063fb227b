import { allMended, offersIn } from '../../core/fhir/fixes/offers.ts';
import type { FixAnswer, FixQuestion } from './fix-messages.ts';
import { zoneOf } from './zone.ts';

self.addEventListener('message', ({ data }: MessageEvent<FixQuestion>) => {
  const { ticket, text, type, today, ask } = data;
  const settings = { today, zoneOf };
  const all = 'all' in ask ? allMended(text, type, ask.all, settings) : undefined;
  const offers = 'at' in ask ? offersIn(text, type, ask.at, settings) : [];
  self.postMessage({ ticket, offers, ...(all && { all }) } satisfies FixAnswer);
});
