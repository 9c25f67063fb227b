import { isCertainlyAfter, timeSpan } from '../../types/definition/dates.ts';
import {
  conformance,
  has,
  invariant,
  isPlainObject,
  list,
  reportIf,
  type PlainObject,
  type ReportFinding,
  type Rule,
} from '../../types/definition/rule.ts';
import { currencies } from './currencies.ts';
import { isUcum } from './ucum.ts';

const quantities = ['Quantity', 'Age', 'Count', 'Distance', 'Duration'];

function number(quantity: unknown): number | undefined {
  return isPlainObject(quantity) && typeof quantity.value === 'number' ? quantity.value : undefined;
}

function sameUnit(leftQuantity: unknown, rightQuantity: unknown): boolean {
  return (
    isPlainObject(leftQuantity) &&
    isPlainObject(rightQuantity) &&
    leftQuantity.unit === rightQuantity.unit &&
    leftQuantity.code === rightQuantity.code &&
    leftQuantity.system === rightQuantity.system
  );
}

export const ucum = 'http://unitsofmeasure.org';

/** Returns true if the amount has a code or no value, and its system, if any, is UCUM. */
function isMeasured(quantity: PlainObject): boolean {
  const coded = has(quantity, 'code') || !has(quantity, 'value');
  return coded && (!has(quantity, 'system') || quantity.system === ucum);
}

type Measure = readonly [id: string, on: string, text: string, sound: (quantity: PlainObject) => boolean];

/** R4's quantities of one dimension each (FHIR R4 datatypes.html#quantity). Each row is one condition. */
const measures: readonly Measure[] = [
  [
    'age-1',
    'Age',
    'An Age needs a positive value and a UCUM unit such as a, mo, wk or d.',
    (age) => isMeasured(age) && !(Number(age.value) <= 0),
  ],
  [
    'drt-1',
    'Duration',
    'A Duration with a coded unit needs a value and a UCUM code.',
    (duration) => !has(duration, 'code') || (duration.system === ucum && has(duration, 'value')),
  ],
  ['dis-1', 'Distance', 'A Distance needs a UCUM unit.', isMeasured],
  [
    'cnt-3',
    'Count',
    'A Count must be a whole number with the UCUM unit 1.',
    (count) => isMeasured(count) && (!has(count, 'code') || count.code === '1') && !(Number(count.value) % 1),
  ],
  [
    'sqty-1',
    'SimpleQuantity',
    'Comparators aren’t allowed here. Remove it, or use a range.',
    (quantity) => !has(quantity, 'comparator'),
  ],
];

const measureRules: readonly Rule[] = measures.map(([id, type, text, sound]) => ({
  id,
  ...invariant,
  text,
  flagged: true,
  appliesTo: [type],
  check: reportIf((quantity) => !sound(quantity)),
}));

const absolute = /^[A-Za-z][A-Za-z0-9+.-]*:/;

/** Returns true for an address without a scheme. */
function isRelative(address: unknown): boolean {
  return typeof address === 'string' && address !== '' && !absolute.test(address);
}

const relativeSystem = reportIf(({ system }) => isRelative(system), 'system');

/** FHIR R4 codesystem-data-absent-reason. */
export const absentReasons: ReadonlySet<string> = new Set(
  (
    'unknown asked-unknown temp-unknown not-asked asked-declined masked not-applicable unsupported as-text error ' +
    'not-a-number negative-infinity positive-infinity not-performed not-permitted'
  ).split(' '),
);
const absentReason = 'http://hl7.org/fhir/StructureDefinition/data-absent-reason';
const extensionNames = new Set<unknown>(['extension', 'modifierExtension']);

/** Invariants of the data types (FHIR R4 datatypes.html, metadatatypes.html). */
export const datatypeRules: readonly Rule[] = [
  {
    id: 'system-absolute',
    ...conformance,
    code: 'value',
    text: 'The system is a name, not a URL. Enter the code system’s URL.',
    subject: 'value',
    flagged: true,
    appliesTo: ['Coding'],
    check: relativeSystem,
  },
  {
    id: 'system-name',
    severity: 'warning',
    category: 'conformance',
    code: 'value',
    text: 'The system must be an absolute URI.',
    subject: 'value',
    appliesTo: ['Identifier', ...quantities],
    check: relativeSystem,
  },
  {
    id: 'ucum',
    severity: 'warning',
    category: 'conformance',
    code: 'code-invalid',
    text: 'Not a UCUM unit.',
    subject: 'value',
    appliesTo: quantities,
    check: reportIf(
      ({ system, code }) => system === ucum && typeof code === 'string' && !isUcum(code),
      'code',
    ),
  },
  {
    id: 'currency',
    ...conformance,
    code: 'code-invalid',
    text: 'Not an ISO 4217 currency code. Use three letters, such as EUR.',
    subject: 'value',
    flagged: true,
    appliesTo: ['Money'],
    check: reportIf(({ currency }) => typeof currency === 'string' && !currencies.has(currency), 'currency'),
  },
  {
    id: 'extension-url',
    ...conformance,
    code: 'value',
    text: 'An extension’s url must be absolute.',
    subject: 'value',
    flagged: true,
    appliesTo: ['Extension'],
    check: reportIf(({ url }, { path }) => {
      // A nested extension may have a relative name.
      const isNested = extensionNames.has(path.at(-4)) && extensionNames.has(path.at(-2));
      return !isNested && isRelative(url);
    }, 'url'),
  },
  {
    id: 'data-absent-reason',
    ...conformance,
    code: 'value',
    text: 'The data absent reason must be a valueCode from its value set.',
    flagged: true,
    appliesTo: ['Extension'],
    check: (extension: PlainObject, report: ReportFinding) => {
      if (extension.url !== absentReason) return;
      const { valueCode } = extension;
      if (has(extension, 'valueCode') && (typeof valueCode !== 'string' || absentReasons.has(valueCode)))
        return;
      const value = Object.keys(extension).find((key) => /^value[A-Z]/.test(key));
      if (value !== undefined) report([value]);
    },
  },
  {
    id: 'ext-1',
    ...invariant,
    text: 'An extension must have either a value or nested extensions, not both.',
    appliesTo: ['Extension'],
    check: reportIf((extension) => {
      const valued = Object.keys(extension).some((key) => /^_?value[A-Z]/.test(key));
      return valued === list(extension.extension).length > 0;
    }),
  },
  {
    id: 'per-1',
    severity: 'error',
    category: 'plausibility',
    code: 'invariant',
    text: 'The period ends before it starts.',
    appliesTo: ['Period'],
    check: reportIf((period) => {
      const [start, end] = [timeSpan(period.start), timeSpan(period.end)];
      return start !== undefined && end !== undefined && isCertainlyAfter(start, end);
    }),
  },
  {
    id: 'qty-3',
    ...invariant,
    text: 'The quantity has a unit code but no system. Add the system.',
    appliesTo: quantities,
    check: reportIf((quantity) => has(quantity, 'code') && !has(quantity, 'system')),
  },
  {
    id: 'rng-2',
    severity: 'error',
    category: 'plausibility',
    code: 'invariant',
    text: 'The lower limit of the range is above the upper limit.',
    appliesTo: ['Range'],
    check: reportIf(({ low, high }) => {
      const [bottom, top] = [number(low), number(high)];
      return bottom !== undefined && top !== undefined && sameUnit(low, high) && bottom > top;
    }),
  },
  {
    id: 'rat-1',
    ...invariant,
    text: 'A ratio needs a numerator and a denominator.',
    appliesTo: ['Ratio'],
    check: reportIf((ratio) => {
      const isComplete = has(ratio, 'numerator') && has(ratio, 'denominator');
      const isExtensionOnly =
        !has(ratio, 'numerator') && !has(ratio, 'denominator') && has(ratio, 'extension');
      return !isComplete && !isExtensionOnly;
    }),
  },
  {
    id: 'cpt-2',
    ...invariant,
    text: 'The contact point has a value but no system. Add one, such as phone or email.',
    appliesTo: ['ContactPoint'],
    check: reportIf((contact) => has(contact, 'value') && !has(contact, 'system')),
  },
  {
    id: 'att-1',
    ...invariant,
    text: 'The attachment has data but no contentType. Add it.',
    appliesTo: ['Attachment'],
    check: reportIf((attachment) => has(attachment, 'data') && !has(attachment, 'contentType')),
  },
  ...measureRules,
];

type Row = readonly [key: string, text: string, broken: (repeat: PlainObject) => boolean];

const meals = new Set<unknown>(['C', 'CM', 'CD', 'CV']);

/** Invariants of Timing.repeat (FHIR R4 datatypes.html#Timing). Each has one sentence and one condition. */
const rows: readonly Row[] = [
  ['tim-1', 'Timing: duration needs durationUnit.', (repeat) => needs(repeat, 'duration', 'durationUnit')],
  ['tim-2', 'Timing: period needs periodUnit.', (repeat) => needs(repeat, 'period', 'periodUnit')],
  ['tim-4', 'Timing: duration is negative.', ({ duration }) => Number(duration) < 0],
  ['tim-5', 'Timing: period is negative.', ({ period }) => Number(period) < 0],
  ['tim-6', 'Timing: periodMax needs period.', (repeat) => needs(repeat, 'periodMax', 'period')],
  ['tim-7', 'Timing: durationMax needs duration.', (repeat) => needs(repeat, 'durationMax', 'duration')],
  ['tim-8', 'Timing: countMax needs count.', (repeat) => needs(repeat, 'countMax', 'count')],
  [
    'tim-9',
    'Timing: offset needs an event in when, other than C, CM, CD or CV.',
    (repeat) =>
      has(repeat, 'offset') && (!has(repeat, 'when') || list(repeat.when).some((event) => meals.has(event))),
  ],
  [
    'tim-10',
    'Timing: timeOfDay and when can’t be used together.',
    (repeat) => has(repeat, 'timeOfDay') && has(repeat, 'when'),
  ],
];

function needs(repeat: PlainObject, name: string, requiredName: string): boolean {
  return has(repeat, name) && !has(repeat, requiredName);
}

export const timingRules: readonly Rule[] = rows.map(([id, text, isBroken]) => ({
  id,
  ...invariant,
  text,
  appliesTo: ['Timing_Repeat'],
  check: reportIf(isBroken),
}));
