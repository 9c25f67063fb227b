import { readablePath } from '../../ui/log/log-facts.ts';
import { text } from '../../ui/text.ts';

const words = text.audit.places;

/** Formats of API addresses in the audit log. */
const formats: readonly (readonly [address: RegExp, called: (...parts: readonly string[]) => string])[] = [
  [/^\/app\/overview(?:\/records)?(?:\?|$)/, () => words.overview],
  [/^\/app\/find(?:\?|$)/, () => words.finder],
  [
    /^\/app\/facets\/([^/?]+)\/([^?]+)/,
    (type = '', name = '') => words.facets(type, text.types.filter(type, name)),
  ],
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

/** Formats the target of an entry: an API address in words, any other address as its path. */
export function formatAuditTarget(target: string): string {
  for (const [address, formatTarget] of formats) {
    const match = address.exec(target);
    if (match) return formatTarget(...match.slice(1).map(readablePath));
  }
  return readablePath(target);
}
