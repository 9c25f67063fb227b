import type { Json } from '../../testing/test-server.ts';
import { comparisons, spanOf, timeOf, type Span } from './naive-time.ts';
import { literalOf, partsOf, type Definition, type Literal, type Value } from './naive-values.ts';

/** Search by one parameter, with a predicate for the matching records. */
export interface SearchCase {
  readonly name: string;
  readonly value: string;
  readonly matches: (values: readonly Value[]) => boolean;
}

/** Number of values per parameter. */
const maxValues = process.env.LONG_TESTS === undefined ? 4 : 14;

interface SearchCaseContext {
  /** The code system that a `code` implies. */
  readonly system?: string | undefined;
  /** Base URL of the local records. */
  readonly base: string;
}

/** Returns searches in every form of a parameter for the given values, first values first. */
export function searchCasesOf(
  definition: Definition,
  values: readonly Value[],
  context: SearchCaseContext,
): SearchCase[] {
  const missing = [true, false].map((yes): SearchCase => ({
    name: `${definition.code}:missing`,
    value: String(yes),
    matches: (recordValues) => (recordValues.length === 0) === yes,
  }));
  // Each record has these two elements.
  const furtherQuestions = definition.code === '_id' || definition.code === '_lastUpdated' ? [] : missing;
  return [...searchCasesByType[definition.type](definition, values, context), ...furtherQuestions];
}

type CreateSearchCases = (
  definition: Definition,
  values: readonly Value[],
  context: SearchCaseContext,
) => SearchCase[];

const searchCasesByType: Readonly<Record<Definition['type'], CreateSearchCases>> = {
  token: ({ code }, values, { system }) => {
    if (code === '_id') return idQuestions(values);
    const implied = (value: Value) => tokensOf(value).map((token) => ({ ...token, implied: system }));
    const texts = distinct(values.flatMap(textsOf));
    const textQuestions = texts.map((text): SearchCase => {
      const start = text.slice(0, 3).toUpperCase();
      const matches = (recordValues: readonly Value[]) =>
        recordValues.flatMap(textsOf).some((recordText) => bare(recordText).startsWith(bare(start)));
      return { name: `${code}:text`, value: escaped(start), matches };
    });
    const codeQuestions = tokenQuestions(code, values.flatMap(implied), (recordValues) =>
      recordValues.flatMap(implied),
    );
    return [...codeQuestions, ...textQuestions];
  },
  reference: ({ code, target = [] }, values, { base }) => {
    if (values.some(({ type }) => type === 'canonical')) return canonicalQuestions(code, values, true);
    const literals = distinct(values.flatMap(({ value }) => value.reference ?? [])).map(partsOf);
    const matchLiteral = (searched: Literal) => (recordValues: readonly Value[]) =>
      recordValues.some(({ value }) => isLiteral(literalOf(value), searched));
    const literalQuestions = literals.flatMap((literal): SearchCase[] => {
      const { id = '', type, base: foreign } = literal;
      // Contained records and invalid ids such as `#RequestGroup/x` in real records are skipped.
      if (foreign === '#' || id.includes('/')) return [];
      const bareId = { name: code, value: id, matches: matchLiteral({ id }) };
      const modified = ['Patient', 'Group', type ?? '']
        .filter((typeName) => target.includes(typeName) && !(code === 'patient'))
        .map((typeName) => ({
          name: `${code}:${typeName}`,
          value: id,
          matches: matchLiteral({ id, type: typeName }),
        }));
      const typedQuestions =
        type === undefined
          ? []
          : [
              { name: code, value: `${type}/${id}`, matches: matchLiteral({ id, type }) },
              { name: code, value: `${base}/${type}/${id}/_history/7`, matches: matchLiteral({ id, type }) },
            ];
      const absoluteQuestions = foreign?.startsWith('urn:')
        ? [{ name: code, value: `${foreign}:${id}`, matches: matchLiteral(literal) }]
        : foreign === undefined
          ? []
          : [{ name: code, value: `${foreign}/${type ?? ''}/${id}`, matches: matchLiteral(literal) }];
      return [bareId, ...modified, ...typedQuestions, ...absoluteQuestions];
    });
    const listIdentifiers = (recordValues: readonly Value[]) =>
      recordValues.flatMap(({ value }) =>
        value.identifier === undefined ? [] : tokensOf({ type: 'Identifier', value: value.identifier }),
      );
    return [
      ...literalQuestions,
      ...tokenQuestions(`${code}:identifier`, listIdentifiers(values), listIdentifiers),
    ];
  },
  date: ({ code }, values) => {
    const dates = distinct(values.flatMap(datesIn));
    const wider = distinct([...dates, ...dates.flatMap((date) => [date.slice(0, 7), date.slice(0, 4)])]);
    return wider.flatMap((date) => {
      const searched = spanOf(date);
      if (!searched) return [];
      const prefixes = Object.keys(comparisons).filter((prefix) => prefix !== 'ap' || !isNow(searched));
      return ['', ...prefixes].map((prefix) => ({
        name: code,
        value: prefix + date,
        matches: (recordValues: readonly Value[]) =>
          recordValues.some((value) => {
            const time = timeOf(value);
            return time !== undefined && comparisons[prefix || 'eq']?.(time, searched) === true;
          }),
      }));
    });
  },
  string: ({ code }, values) =>
    distinct(values.map(({ value }) => String(value))).flatMap((text) => {
      const someText = (test: (text: string) => boolean) => (recordValues: readonly Value[]) =>
        recordValues.some(({ value }) => test(String(value)));
      const middle = text.slice(1, -1);
      return [
        {
          name: code,
          value: escaped(bare(text.slice(0, 4))),
          matches: someText((candidate) => bare(candidate).startsWith(bare(text.slice(0, 4)))),
        },
        {
          name: code,
          value: escaped(middle),
          matches: someText((candidate) => bare(candidate).startsWith(bare(middle))),
        },
        {
          name: `${code}:contains`,
          value: escaped(middle.toUpperCase()),
          matches: someText((candidate) => bare(candidate).includes(bare(middle))),
        },
        { name: `${code}:exact`, value: escaped(text), matches: someText((candidate) => candidate === text) },
        {
          name: `${code}:exact`,
          value: escaped(text.toLowerCase()),
          matches: someText((candidate) => candidate === text.toLowerCase()),
        },
      ].filter(({ value }) => value.trim() === value && value !== '');
    }),
  uri: ({ code }, values) =>
    canonicalQuestions(
      code,
      values,
      values.some(({ type }) => type === 'canonical'),
    ),
};

/** Ids are case-sensitive and have no system. */
function idQuestions(values: readonly Value[]): SearchCase[] {
  return distinct(values.map(({ value }) => String(value))).flatMap((id) =>
    [id, id.toUpperCase()].map((searchedId) => ({
      name: '_id',
      value: searchedId,
      matches: (recordValues: readonly Value[]) => recordValues.some(({ value }) => value === searchedId),
    })),
  );
}

/** Returns true near the current time, where the result depends on milliseconds. */
function isNow({ low }: Span): boolean {
  return Math.abs(Date.now() - low) < 3_600_000;
}

/** A uri is compared fully. A canonical matches with and without its version. */
function canonicalQuestions(name: string, values: readonly Value[], versioned: boolean): SearchCase[] {
  const fullValues = distinct(values.map(({ value }) => String(value)));
  const searchedValues = versioned
    ? distinct(fullValues.flatMap((url) => [url, url.split('|')[0] ?? '']))
    : fullValues;
  return [...searchedValues, ...searchedValues.slice(0, 3).map((url) => url.toUpperCase())].map(
    (searched) => ({
      name,
      value: escaped(searched),
      matches: (recordValues) =>
        recordValues.some(
          ({ value }) => value === searched || (versioned && String(value).split('|')[0] === searched),
        ),
    }),
  );
}

interface Token {
  readonly system?: string | undefined;
  readonly code?: string | undefined;
  /** System of a plain code. */
  readonly implied?: string | undefined;
  readonly plain?: boolean;
}

/** Codes are compared case-insensitively (FHIR R4 search.html#token). */
function tokenQuestions(
  name: string,
  knownTokens: readonly Token[],
  listTokens: (values: readonly Value[]) => readonly Token[],
): SearchCase[] {
  const createQuestions = (value: string, matches: (token: Token) => boolean): SearchCase[] => [
    { name, value, matches: (values) => listTokens(values).some(matches) },
    ...(name.includes(':')
      ? []
      : [
          {
            name: `${name}:not`,
            value,
            matches: (values: readonly Value[]) => !listTokens(values).some(matches),
          },
        ]),
  ];
  const systemIs = (token: Token, system: string) =>
    token.system === system || (token.plain === true && token.implied === system);
  const codes = distinct(knownTokens.flatMap(({ code }) => code ?? []));
  const systems = distinct(
    knownTokens.flatMap(({ system, plain, implied }) => system ?? (plain ? (implied ?? []) : [])),
  );
  const byCode = codes.flatMap((code) => {
    const hasCode = (token: Token) => token.code?.toLowerCase() === code.toLowerCase();
    return [
      ...createQuestions(escaped(code), hasCode),
      ...createQuestions(escaped(code.toUpperCase()), hasCode),
      ...createQuestions(`|${escaped(code)}`, (token) => hasCode(token) && token.system === undefined),
      ...[...systems.slice(0, 3), 'http://elsewhere.example'].flatMap((system) =>
        createQuestions(
          `${escaped(system)}|${escaped(code)}`,
          (token) => hasCode(token) && systemIs(token, system),
        ),
      ),
    ];
  });
  const [firstCode = 'none', secondCode = 'none'] = codes;
  const hasEitherCode = (token: Token) =>
    [firstCode, secondCode].some((code) => token.code?.toLowerCase() === code.toLowerCase());
  return [
    ...byCode,
    ...createQuestions(`${escaped(firstCode)},${escaped(secondCode)}`, hasEitherCode),
    ...systems.flatMap((system) =>
      createQuestions(`${escaped(system)}|`, (token) => systemIs(token, system)),
    ),
  ];
}

/** Returns the codes of a value with their systems. */
function tokensOf({ type, value }: Value): Token[] {
  switch (type) {
    case 'CodeableConcept':
      return (value.coding ?? []).map(({ system, code }: Json) => ({ system, code }));
    case 'Coding':
      return [{ system: value.system, code: value.code }];
    case 'Identifier':
      return [{ system: value.system, code: value.value }];
    default:
      return [{ code: String(value), plain: true }];
  }
}

/** Returns the texts that `:text` searches (FHIR R4 search.html#modifiers). */
function textsOf({ type, value }: Value): string[] {
  const readersByType = {
    CodeableConcept: () => [value.text, ...(value.coding ?? []).map(({ display }: Json) => display)],
    Coding: () => [value.display],
    Identifier: () => [value.type?.text],
  }[type];
  return (readersByType?.() ?? []).filter((text) => typeof text === 'string');
}

function isLiteral(literal: Literal, searched: Literal): boolean {
  return (['id', 'type', 'base'] as const).every(
    (part) => searched[part] === undefined || literal[part] === searched[part],
  );
}

export function datesIn({ value }: Value): string[] {
  if (typeof value === 'string') return [value];
  const { start, end, event = [], repeat } = value;
  const bounds = repeat?.boundsPeriod ?? {};
  return [start, end, ...event, bounds.start, bounds.end].filter((date) => typeof date === 'string');
}

/**
 * Removes case and accents (FHIR R4 search.html#string). ß becomes ss, a typographic apostrophe a plain one.
 */
export function bare(text: string): string {
  return text
    .replace(/[ßẞ]/g, 'ss')
    .replace(/[‘’]/g, "'")
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase();
}

/** FHIR R4 search.html#escaping. */
function escaped(value: string): string {
  return value.replace(/[\\,|$]/g, '\\$&');
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)].slice(0, maxValues);
}
