/** Parsed JSON, loosely: a test changes it as it likes. */
export type Draft = Record<string, any>;

/** What the tests that are written over all types know of one; invented, and written by hand from FHIR R4. */
export interface TypeSample {
  /** A record that conforms, with little more than its mandatory elements. */
  readonly record: Draft;
  /** The codes of the element that the definition takes for the status. */
  readonly statuses: readonly string[];
  /** The search parameters that are offered beside those of all types, in the order of the alphabet. */
  readonly parameters: string;
  /** The code systems that `code` elements imply, by the parameters that look at them. */
  readonly systems: Readonly<Record<string, string>>;
  /** Records that fill, among them, each element that a parameter looks at, in the forms that real ones have. */
  readonly searched: readonly Draft[];
  /** A record, the row that it makes in the grid, and the top-level elements that `_summary=true` keeps of it. */
  readonly summed: { readonly record: Draft; readonly row: Draft; readonly kept: readonly string[] };
  /** For each rule of the definition, members that break it and where. */
  readonly faults: Readonly<Record<string, readonly [members: Draft, expression: string]>>;
}

/** Values of the elements that all types have, in the forms that are searched for. */
export const metas: readonly Draft[] = [
  {
    source: 'http://source.example/a#1',
    profile: ['http://profile.example/one|1.0', 'http://profile.example/two'],
    tag: [{ system: 'http://tag.example', code: 'Review', display: 'To be reviewed' }],
    security: [{ code: 'R', display: 'restricted' }],
  },
  {
    source: 'urn:uuid:5d2b1f0a-0000-4000-8000-00000000000a',
    profile: ['http://profile.example/one|2.0'],
    tag: [{ code: 'review' }, { display: 'Élan' }],
    security: [{ system: 'http://security.example', code: 'R' }],
  },
];

/** Concepts: with and without a system, a display, a text; several codings; nothing but a text. */
export const concepts: readonly Draft[] = [
  { coding: [{ system: 'http://code.example/a', code: 'A1', display: 'Élan vital' }], text: 'Drive' },
  { coding: [{ code: 'A1' }, { system: 'http://code.example/b', code: 'b,2|x', display: 'Two, three' }] },
  { text: 'Diet and walks' },
  { coding: [{ system: 'http://code.example/a' }] },
];

export const identifiers: readonly Draft[] = [
  { system: 'http://id.example', value: 'No-1', type: { text: 'Record number' } },
  { value: 'no-1' },
  { system: 'http://id.example', value: '2$b\\c' },
];

/** References in every literal form, by identifier and by name alone. */
export function references(type: string, other: string): Draft[] {
  return [
    { reference: `${type}/x1` },
    { reference: `${other}/x1`, display: 'X' },
    { reference: 'urn:uuid:7a3c6e1e-0000-4000-8000-000000000001' },
    { reference: `http://host.example/fhir/${type}/x1` },
    { reference: `${type}/x2/_history/3` },
    { type, identifier: identifiers[0] },
    { reference: `${other}/x3`, identifier: identifiers[1] },
    { display: 'By name alone' },
    { reference: 'x1' },
    { reference: 'urn:uuid:7a3c6e1e-0000-4000-8000-000000000002', type },
  ];
}

/** Periods: closed, open on one side, of several precisions, on other sides of a zone. */
export const periods: readonly Draft[] = [
  { start: '2026-03-01', end: '2026-03-31' },
  { start: '2026-03-15T23:30:00-05:00' },
  { end: '2025-12' },
  { start: '2024', end: '2026-03-16T04:30:00Z' },
  { start: '2026-02-20', end: '2026-03-02' },
];
