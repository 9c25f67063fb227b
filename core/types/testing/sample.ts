/** Parsed JSON that a test can change freely. */
export type Draft = Record<string, any>;

/** Sample data of a type for tests that cover every type. Invented from FHIR R4 by hand. */
export interface TypeSample {
  /** Valid record with few optional elements. */
  readonly record: Draft;
  /** Codes of the status element. */
  readonly statuses: readonly string[];
  /** Supported search parameters besides the parameters of all types, in alphabetical order. */
  readonly parameters: string;
  /** Code systems of `code` elements, by search parameter. */
  readonly systems: Readonly<Record<string, string>>;
  /** Records that together fill each searched element, in realistic forms. */
  readonly searched: readonly Draft[];
  /** A record, its row in the grid, and the top-level elements of its `_summary=true`. */
  readonly summed: {
    readonly record: Draft;
    readonly row: Draft;
    readonly summaryElements: readonly string[];
  };
  /** For each rule of the definition: members that break it, and the location of the finding. */
  readonly faults: Readonly<Record<string, readonly [members: Draft, expression: string]>>;
}

/** Values of elements that all types have, in the searched forms. */
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

/** Concepts with and without system, display and text, with several codings, and with text only. */
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

/** Returns references in every literal form, by identifier and by display only. */
export function references(type: string, otherType: string): Draft[] {
  return [
    { reference: `${type}/x1` },
    { reference: `${otherType}/x1`, display: 'X' },
    { reference: 'urn:uuid:7a3c6e1e-0000-4000-8000-000000000001' },
    { reference: `http://host.example/fhir/${type}/x1` },
    { reference: `${type}/x2/_history/3` },
    { type, identifier: identifiers[0] },
    { reference: `${otherType}/x3`, identifier: identifiers[1] },
    { display: 'By name alone' },
    { reference: 'x1' },
    { reference: 'urn:uuid:7a3c6e1e-0000-4000-8000-000000000002', type },
  ];
}

/** Periods: closed, open on one side, with several precisions and time zones. */
export const periods: readonly Draft[] = [
  { start: '2026-03-01', end: '2026-03-31' },
  { start: '2026-03-15T23:30:00-05:00' },
  { end: '2025-12' },
  { start: '2024', end: '2026-03-16T04:30:00Z' },
  { start: '2026-02-20', end: '2026-03-02' },
];
