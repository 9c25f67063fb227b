import type { Json } from '../../testing/test-server.ts';
import { comparisons, spanOf, timeOf, type Span } from './naive-time.ts';
import { literalOf, partsOf, type Definition, type Literal, type Value } from './naive-values.ts';

/** One parameter of a search, and whether a record whose values are these must be found. */
export interface Question {
  readonly name: string;
  readonly value: string;
  readonly holds: (values: readonly Value[]) => boolean;
}

/** How many values of a parameter are asked for. */
const most = process.env.LONG_TESTS === undefined ? 4 : 14;

interface Known {
  /** The code system that a `code` implies. */
  readonly system?: string | undefined;
  /** Where this server's own records are. */
  readonly base: string;
}

/** What can be asked of a parameter in any form, of the values that records hold; those of the first ones first. */
export function questionsOf(definition: Definition, values: readonly Value[], known: Known): Question[] {
  const missing = [true, false].map((yes): Question => ({
    name: `${definition.code}:missing`,
    value: String(yes),
    holds: (of) => (of.length === 0) === yes,
  }));
  // These two are in each record.
  const others = definition.code === '_id' || definition.code === '_lastUpdated' ? [] : missing;
  return [...ofType[definition.type](definition, values, known), ...others];
}

type Ask = (definition: Definition, values: readonly Value[], known: Known) => Question[];

const ofType: Readonly<Record<Definition['type'], Ask>> = {
  token: ({ code }, values, { system }) => {
    if (code === '_id') return idQuestions(values);
    const implied = (value: Value) => tokensOf(value).map((one) => ({ ...one, implied: system }));
    const texts = distinct(values.flatMap(textsOf));
    const held = texts.map((text): Question => {
      const start = text.slice(0, 3).toUpperCase();
      const holds = (of: readonly Value[]) =>
        of.flatMap(textsOf).some((one) => bare(one).startsWith(bare(start)));
      return { name: `${code}:text`, value: escaped(start), holds };
    });
    const asked = tokenQuestions(code, values.flatMap(implied), (of) => of.flatMap(implied));
    return [...asked, ...held];
  },
  reference: ({ code, target = [] }, values, { base }) => {
    if (values.some(({ type }) => type === 'canonical')) return canonicalQuestions(code, values, true);
    const literals = distinct(values.flatMap(({ value }) => value.reference ?? [])).map(partsOf);
    const found = (searched: Literal) => (of: readonly Value[]) =>
      of.some(({ value }) => isLiteral(literalOf(value), searched));
    const asked = literals.flatMap((literal): Question[] => {
      const { id = '', type, base: foreign } = literal;
      // A contained record is not asked for, nor what no id is: `#RequestGroup/x` stands in real records.
      if (foreign === '#' || id.includes('/')) return [];
      const bareId = { name: code, value: id, holds: found({ id }) };
      const modified = ['Patient', 'Group', type ?? '']
        .filter((one) => target.includes(one) && !(code === 'patient'))
        .map((one) => ({ name: `${code}:${one}`, value: id, holds: found({ id, type: one }) }));
      const typed =
        type === undefined
          ? []
          : [
              { name: code, value: `${type}/${id}`, holds: found({ id, type }) },
              { name: code, value: `${base}/${type}/${id}/_history/7`, holds: found({ id, type }) },
            ];
      const whole = foreign?.startsWith('urn:')
        ? [{ name: code, value: `${foreign}:${id}`, holds: found(literal) }]
        : foreign === undefined
          ? []
          : [{ name: code, value: `${foreign}/${type ?? ''}/${id}`, holds: found(literal) }];
      return [bareId, ...modified, ...typed, ...whole];
    });
    const identified = (of: readonly Value[]) =>
      of.flatMap(({ value }) =>
        value.identifier === undefined ? [] : tokensOf({ type: 'Identifier', value: value.identifier }),
      );
    return [...asked, ...tokenQuestions(`${code}:identifier`, identified(values), identified)];
  },
  date: ({ code }, values) => {
    const dates = distinct(values.flatMap(datesIn));
    const wider = distinct([...dates, ...dates.flatMap((one) => [one.slice(0, 7), one.slice(0, 4)])]);
    return wider.flatMap((date) => {
      const searched = spanOf(date);
      if (!searched) return [];
      const prefixes = Object.keys(comparisons).filter((one) => one !== 'ap' || !isNow(searched));
      return ['', ...prefixes].map((prefix) => ({
        name: code,
        value: prefix + date,
        holds: (of: readonly Value[]) =>
          of.some((value) => {
            const time = timeOf(value);
            return time !== undefined && comparisons[prefix || 'eq']?.(time, searched) === true;
          }),
      }));
    });
  },
  string: ({ code }, values) =>
    distinct(values.map(({ value }) => String(value))).flatMap((text) => {
      const some = (test: (one: string) => boolean) => (of: readonly Value[]) =>
        of.some(({ value }) => test(String(value)));
      const middle = text.slice(1, -1);
      return [
        {
          name: code,
          value: escaped(bare(text.slice(0, 4))),
          holds: some((one) => bare(one).startsWith(bare(text.slice(0, 4)))),
        },
        { name: code, value: escaped(middle), holds: some((one) => bare(one).startsWith(bare(middle))) },
        {
          name: `${code}:contains`,
          value: escaped(middle.toUpperCase()),
          holds: some((one) => bare(one).includes(bare(middle))),
        },
        { name: `${code}:exact`, value: escaped(text), holds: some((one) => one === text) },
        {
          name: `${code}:exact`,
          value: escaped(text.toLowerCase()),
          holds: some((one) => one === text.toLowerCase()),
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

/** Ids are compared with their case, and belong to no system. */
function idQuestions(values: readonly Value[]): Question[] {
  return distinct(values.map(({ value }) => String(value))).flatMap((id) =>
    [id, id.toUpperCase()].map((asked) => ({
      name: '_id',
      value: asked,
      holds: (of: readonly Value[]) => of.some(({ value }) => value === asked),
    })),
  );
}

/** What is about now is a matter of the milliseconds until it is asked. */
function isNow({ low }: Span): boolean {
  return Math.abs(Date.now() - low) < 3_600_000;
}

/** A uri is compared whole; a canonical is found with its version and without. */
function canonicalQuestions(name: string, values: readonly Value[], versioned: boolean): Question[] {
  const whole = distinct(values.map(({ value }) => String(value)));
  const asked = versioned ? distinct(whole.flatMap((one) => [one, one.split('|')[0] ?? ''])) : whole;
  return [...asked, ...asked.slice(0, 3).map((one) => one.toUpperCase())].map((searched) => ({
    name,
    value: escaped(searched),
    holds: (of) =>
      of.some(({ value }) => value === searched || (versioned && String(value).split('|')[0] === searched)),
  }));
}

interface Token {
  readonly system?: string | undefined;
  readonly code?: string | undefined;
  /** The system of a plain code. */
  readonly implied?: string | undefined;
  readonly plain?: boolean;
}

/** FHIR R4 search.html#token, codes compared without regard to case. */
function tokenQuestions(
  name: string,
  known: readonly Token[],
  of: (values: readonly Value[]) => readonly Token[],
): Question[] {
  const ask = (value: string, is: (token: Token) => boolean): Question[] => [
    { name, value, holds: (values) => of(values).some(is) },
    ...(name.includes(':')
      ? []
      : [{ name: `${name}:not`, value, holds: (values: readonly Value[]) => !of(values).some(is) }]),
  ];
  const systemIs = (token: Token, system: string) =>
    token.system === system || (token.plain === true && token.implied === system);
  const codes = distinct(known.flatMap(({ code }) => code ?? []));
  const systems = distinct(
    known.flatMap(({ system, plain, implied }) => system ?? (plain ? (implied ?? []) : [])),
  );
  const byCode = codes.flatMap((code) => {
    const same = (token: Token) => token.code?.toLowerCase() === code.toLowerCase();
    return [
      ...ask(escaped(code), same),
      ...ask(escaped(code.toUpperCase()), same),
      ...ask(`|${escaped(code)}`, (token) => same(token) && token.system === undefined),
      ...[...systems.slice(0, 3), 'http://elsewhere.example'].flatMap((system) =>
        ask(`${escaped(system)}|${escaped(code)}`, (token) => same(token) && systemIs(token, system)),
      ),
    ];
  });
  const [one = 'none', other = 'none'] = codes;
  const either = (token: Token) =>
    [one, other].some((code) => token.code?.toLowerCase() === code.toLowerCase());
  return [
    ...byCode,
    ...ask(`${escaped(one)},${escaped(other)}`, either),
    ...systems.flatMap((system) => ask(`${escaped(system)}|`, (token) => systemIs(token, system))),
  ];
}

/** The codes of a value, with their systems. */
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

/** What `:text` looks at (FHIR R4 search.html#modifiers). */
function textsOf({ type, value }: Value): string[] {
  const all = {
    CodeableConcept: () => [value.text, ...(value.coding ?? []).map(({ display }: Json) => display)],
    Coding: () => [value.display],
    Identifier: () => [value.type?.text],
  }[type];
  return (all?.() ?? []).filter((text) => typeof text === 'string');
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

/** Without case and accents (FHIR R4 search.html#string); ß counts as ss, and a typographic apostrophe as a plain one. */
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
  return [...new Set(values)].slice(0, most);
}
