import type { Mutant } from './mutant.ts';

/** What a token that may not read is told, and what those without one leave behind. */
export const rightsMutants: readonly Mutant[] = [
  {
    mechanism: 'rights: a conditional create searches',
    file: 'server/http/fhir-routes.ts',
    text: "route.operation === 'create' && request.headers['if-none-exist'] !== undefined",
    instead: "request.headers['if-none-exist'] === ''",
    test: {
      file: 'server/conformance/rows-rights.test.ts',
      title: 'a token of %s may not search: 403, and nothing is stored',
    },
  },
  {
    mechanism: 'rights: an answer is a read',
    file: 'server/http/write-routes.ts',
    text: '(mayRead ? version.text : (sent ?? extractText(type, version)))',
    instead: '(mayRead || sent === undefined ? version.text : extractText(type, version))',
    test: {
      file: 'server/conformance/rows-rights.test.ts',
      title: 'Prefer: %s: PATCH answers resourceType, id and meta alone, tagged',
    },
  },
  {
    mechanism: 'audit: strangers are counted',
    file: 'server/http/audit-recorder.ts',
    text: "if (who === '' && status >= 400)",
    instead: "if (who === '' && status < 400)",
    test: {
      file: 'server/http/strangers.test.ts',
      title:
        'row 30: a server writes two entries for a minute of guesses, and none of what it is asked for later is hidden',
    },
  },
  {
    mechanism: 'audit: of strangers so many addresses',
    file: 'server/http/strangers.ts',
    text: ' || groups.size < mostGroups',
    instead: ' || groups.size >= 0',
    test: {
      file: 'server/http/strangers.test.ts',
      title: 'row 30: of many addresses the first fifty have entries of their own, all others one together',
    },
  },
];
