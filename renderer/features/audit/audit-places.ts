import { readablePath } from '../../ui/log/log-facts.ts';
import { text } from '../../ui/text.ts';

const messages = text.audit.places;

/** Formats of API addresses in the audit log. */
const formats: readonly (readonly [address: RegExp, called: (...parts: readonly string[]) => string])[] = [
  [/^\/app\/overview(?:\/records)?(?:\?|$)/, () => messages.overview],
  [/^\/app\/find(?:\?|$)/, () => messages.finder],
  [
    /^\/app\/facets\/([^/?]+)\/([^?]+)/,
    (type = '', name = '') => messages.facets(type, text.types.filter(type, name)),
  ],
  [/^\/app\/history\/([^?]+)/, (record = '') => messages.history(record)],
  [/^\/app\/provenance\/([^?]+)/, (record = '') => messages.provenance(record)],
  [/^\/app\/provenance(?:\?|$)/, () => messages.provenances],
  [/^\/app\/quality\.csv/, () => messages.worklistCsv],
  [/^\/app\/(?:quality\/|profiles\/undecided)/, () => messages.worklist],
  [/^\/app\/companions\/(?:export|resolve)(?:\?|$)/, () => messages.supportingResources],
  [/^\/app\/companions\/([^?]+)/, (companion = '') => messages.supportingResource(companion)],
  [/^\/app\/companions(?:\?|$)/, () => messages.supportingResources],
  [/^\/app\/import(?:\?|$)/, () => messages.imported],
  [/^\/app\/export(?:\?|$)/, () => messages.exported],
  [/^\/app\/checks\//, () => messages.check],
  [/^\/app\/packages(?:\/|\?|$)/, () => messages.packages],
  [/^\/app\/sign-in-codes(?:\?|$)/, () => messages.link],
];

/** Formats the target of an entry: an API address in words, any other address as its path. */
export function formatAuditTarget(target: string): string {
  for (const [address, formatTarget] of formats) {
    const match = address.exec(target);
    if (match) return formatTarget(...match.slice(1).map(readablePath));
  }
  return readablePath(target);
}
