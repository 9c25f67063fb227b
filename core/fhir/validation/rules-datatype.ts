import { isCertainlyAfter, timeSpan } from '../../types/definition/dates.ts';
import {
  conformance,
  has,
  invariant,
  isMembers,
  list,
  reportIf,
  type Members,
  type Report,
  type Rule,
} from '../../types/definition/rule.ts';
import { currencies } from './currencies.ts';
import { isUcum } from './ucum.ts';

const quantities = ['Quantity', 'Age', 'Count', 'Distance', 'Duration'];

function number(quantity: unknown): number | undefined {
  return isMembers(quantity) && typeof quantity.value === 'number' ? quantity.value : undefined;
}

function sameUnit(one: unknown, other: unknown): boolean {
  return (
    isMembers(one) &&
    isMembers(other) &&
    one.unit === other.unit &&
    one.code === other.code &&
    one.system === other.system
  );
}

export const ucum = 'http://unitsofmeasure.org';

/** Whether an amount that is coded or has a value is coded in full: by UCUM, where it names a system. */
function isMeasured(quantity: Members): boolean {
  const coded = has(quantity, 'code') || !has(quantity, 'value');
  return coded && (!has(quantity, 'system') || quantity.system === ucum);
}

type Measure = readonly [id: string, on: string, text: string, sound: (quantity: Members) => boolean];

/** R4's quantities that measure one kind of thing each (FHIR R4 datatypes.html#quantity), one condition a row. */
const measures: readonly Measure[] = [
  [
    'age-1',
    'Age',
    'An age has a positive value, and a UCUM unit such as a, mo, wk or d; complete it.',
    (age) => isMeasured(age) && !(Number(age.value) <= 0),
  ],
  [
    'drt-1',
    'Duration',
    'A duration that codes its unit has a value and codes the unit by UCUM; complete it.',
    (duration) => !has(duration, 'code') || (duration.system === ucum && has(duration, 'value')),
  ],
  ['dis-1', 'Distance', 'A distance codes its unit by UCUM; complete it.', isMeasured],
  [
    'cnt-3',
    'Count',
    'A count is a whole number whose unit is coded as 1 of UCUM; complete it.',
    (count) => isMeasured(count) && (!has(count, 'code') || count.code === '1') && !(Number(count.value) % 1),
  ],
  [
    'sqty-1',
    'SimpleQuantity',
    'FHIR takes no comparator here: the amount is the amount; remove it, or write a range.',
    (quantity) => !has(quantity, 'comparator'),
  ],
];

const measureRules: readonly Rule[] = measures.map(([id, on, text, sound]) => ({
  id,
  ...invariant,
  text,
  flagged: true,
  on: [on],
  check: reportIf((quantity) => !sound(quantity)),
}));

const absolute = /^[A-Za-z][A-Za-z0-9+.-]*:/;

/** Whether what should be a whole address is a name. */
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
    text: 'The system is a name, not the address of a code system; write the whole address.',
    about: 'value',
    flagged: true,
    on: ['Coding'],
    check: relativeSystem,
  },
  {
    id: 'system-name',
    severity: 'warning',
    category: 'conformance',
    code: 'value',
    text: 'The system is a name that means nothing elsewhere; write a whole address.',
    about: 'value',
    on: ['Identifier', ...quantities],
    check: relativeSystem,
  },
  {
    id: 'ucum',
    severity: 'warning',
    category: 'conformance',
    code: 'code-invalid',
    text: 'UCUM knows no such unit; correct the code.',
    about: 'value',
    on: quantities,
    check: reportIf(
      ({ system, code }) => system === ucum && typeof code === 'string' && !isUcum(code),
      'code',
    ),
  },
  {
    id: 'currency',
    ...conformance,
    code: 'code-invalid',
    text: 'ISO 4217 knows no such currency; write its three letters, such as EUR.',
    about: 'value',
    flagged: true,
    on: ['Money'],
    check: reportIf(({ currency }) => typeof currency === 'string' && !currencies.has(currency), 'currency'),
  },
  {
    id: 'extension-url',
    ...conformance,
    code: 'value',
    text: 'The url of an extension is the whole address of its definition; complete it.',
    about: 'value',
    flagged: true,
    on: ['Extension'],
    check: reportIf(({ url }, { path }) => {
      // Within an extension, a name tells its parts apart.
      const within = extensionNames.has(path.at(-4)) && extensionNames.has(path.at(-2));
      return !within && isRelative(url);
    }, 'url'),
  },
  {
    id: 'data-absent-reason',
    ...conformance,
    code: 'value',
    text: 'The reason why data is absent is a code of its own value set, in valueCode; write it so.',
    flagged: true,
    on: ['Extension'],
    check: (extension: Members, report: Report) => {
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
    text: 'The extension needs either a value or extensions of its own, and not both; keep one of them.',
    on: ['Extension'],
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
    text: 'The period ends before it starts; correct one of the dates.',
    on: ['Period'],
    check: reportIf((period) => {
      const [start, end] = [timeSpan(period.start), timeSpan(period.end)];
      return start !== undefined && end !== undefined && isCertainlyAfter(start, end);
    }),
  },
  {
    id: 'qty-3',
    ...invariant,
    text: 'The quantity codes its unit without naming the system of the code; add the system.',
    on: quantities,
    check: reportIf((quantity) => has(quantity, 'code') && !has(quantity, 'system')),
  },
  {
    id: 'rng-2',
    severity: 'error',
    category: 'plausibility',
    code: 'invariant',
    text: 'The lower limit of the range lies above the upper one; correct one of them.',
    on: ['Range'],
    check: reportIf(({ low, high }) => {
      const [bottom, top] = [number(low), number(high)];
      return bottom !== undefined && top !== undefined && sameUnit(low, high) && bottom > top;
    }),
  },
  {
    id: 'rat-1',
    ...invariant,
    text: 'A ratio has a numerator and a denominator; add the missing one.',
    on: ['Ratio'],
    check: reportIf((ratio) => {
      const both = has(ratio, 'numerator') && has(ratio, 'denominator');
      const none = !has(ratio, 'numerator') && !has(ratio, 'denominator') && has(ratio, 'extension');
      return !both && !none;
    }),
  },
  {
    id: 'cpt-2',
    ...invariant,
    text: 'The contact has a value but no system such as phone or email; add the system.',
    on: ['ContactPoint'],
    check: reportIf((contact) => has(contact, 'value') && !has(contact, 'system')),
  },
  {
    id: 'att-1',
    ...invariant,
    text: 'The attachment has data but no contentType; say which kind of data it is.',
    on: ['Attachment'],
    check: reportIf((attachment) => has(attachment, 'data') && !has(attachment, 'contentType')),
  },
  ...measureRules,
];
