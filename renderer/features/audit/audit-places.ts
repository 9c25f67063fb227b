import { readablePath } from '../../ui/log/log-facts.ts';
import { text } from '../../ui/text.ts';

const words = text.audit.places;

/** The app's own addresses that stand in the trail, as a person calls what was looked at or done there. */
const places: readonly (readonly [address: RegExp, called: (...parts: readonly string[]) => string])[] = [
  [/^\/app\/overview(?:\/records)?(?:\?|$)/, () => words.overview],
  [/^\/app\/find(?:\?|$)/, () => words.finder],
  [/^\/app\/facets\/([^/?]+)\/([^?]+)/, (type = '', name = '') => words.facets(type, name)],
  [/^\/app\/history\/([^?]+)/, (record = '') => words.history(record)],
  [/^\/app\/provenance\/([^?]+)/, (record = '') => words.provenance(record)],
  [/^\/app\/provenance(?:\?|$)/, () => words.provenances],
  [/^\/app\/quality\.csv/, () => words.worklistCsv],
  [/^\/app\/(?:quality\/|profiles\/undecided)/, () => words.worklist],
  [/^\/app\/companions\/(?:export|resolve)(?:\?|$)/, () => words.companions],
  [/^\/app\/companions\/([^?]+)/, (companion = '') => words.companion(companion)],
  [/^\/app\/companions(?:\?|$)/, () => words.companions],
  [/^\/app\/import(?:\?|$)/, () => words.imported],
  [/^\/app\/export(?:\?|$)/, () => words.exported],
  [/^\/app\/checks\//, () => words.check],
  [/^\/app\/packages(?:\/|\?|$)/, () => words.packages],
  [/^\/app\/sign-in-codes(?:\?|$)/, () => words.link],
];

/** What an entry is about, in words where its address is one of the app's own; else the path that was asked for. */
export function placeWords(what: string): string {
  for (const [address, called] of places) {
    const match = address.exec(what);
    if (match) return called(...match.slice(1).map(readablePath));
  }
  return readablePath(what);
}
