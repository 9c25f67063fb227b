import type { Mutant, NamedTest } from './mutant.ts';

const rows = 'core/fhir/index-rows.ts';
const terms = 'core/fhir/search-terms.ts';
const naive: NamedTest = {
  file: 'server/http/search-naive.test.ts',
  title: '%s finds what a naive search finds',
};

/** What a search finds: R4's definitions, read twice. */
export const searchMutants: readonly Mutant[] = [
  {
    mechanism: 'search: about a time is a tenth of how far it lies from now',
    file: terms,
    text: 'Math.abs(now - (low + high) / 2) / 10',
    instead: '0',
    test: naive,
  },
  {
    mechanism: 'search: an identifier of a patient is no group’s',
    file: terms,
    text: "modifier !== 'identifier' || parameter.only === undefined",
    instead: "type !== 'x'",
    test: naive,
  },
  {
    mechanism: 'search: a text in words is no date',
    file: rows,
    text: "leaf === 'string' ? undefined : timeOf(node)",
    instead: 'timeOf(node)',
    test: naive,
  },
  {
    mechanism: 'search: a uri is compared whole',
    file: rows,
    text: "leaf === 'canonical' ? canonicalForms(node) : [textOf(node)]",
    instead: 'canonicalForms(node)',
    test: naive,
  },
  {
    mechanism: 'search: an identifier has the text of its type',
    file: rows,
    text: "[stringMember(value, 'text'), kind, ...displays]",
    instead: "[stringMember(value, 'text'), ...displays]",
    test: naive,
  },
];
