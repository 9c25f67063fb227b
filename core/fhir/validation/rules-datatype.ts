import { isCertainlyAfter, timeSpan } from '../../types/definition/dates.ts';
import { has, isMembers, list, type Members, type Report, type Rule } from '../../types/definition/rule.ts';

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

/** Invariants of the data types (FHIR R4 datatypes.html, metadatatypes.html). */
export const datatypeRules = [
  {
    id: 'ext-1',
    severity: 'error',
    category: 'conformance',
    code: 'invariant',
    text: 'The extension needs either a value or extensions of its own, and not both; keep one of them.',
    on: ['Extension'],
    check: (extension: Members, report: Report) => {
      const valued = Object.keys(extension).some((key) => /^_?value[A-Z]/.test(key));
      if (valued === list(extension.extension).length > 0) report();
    },
  },
  {
    id: 'per-1',
    severity: 'error',
    category: 'plausibility',
    code: 'invariant',
    text: 'The period ends before it starts; correct one of the dates.',
    on: ['Period'],
    check: (period: Members, report: Report) => {
      const start = timeSpan(period.start);
      const end = timeSpan(period.end);
      if (start && end && isCertainlyAfter(start, end)) report();
    },
  },
  {
    id: 'qty-3',
    severity: 'error',
    category: 'conformance',
    code: 'invariant',
    text: 'The quantity codes its unit without naming the system of the code; add the system.',
    on: quantities,
    check: (quantity: Members, report: Report) => {
      if (has(quantity, 'code') && !has(quantity, 'system')) report();
    },
  },
  {
    id: 'rng-2',
    severity: 'error',
    category: 'plausibility',
    code: 'invariant',
    text: 'The lower limit of the range lies above the upper one; correct one of them.',
    on: ['Range'],
    check: ({ low, high }: Members, report: Report) => {
      const bottom = number(low);
      const top = number(high);
      if (bottom !== undefined && top !== undefined && sameUnit(low, high) && bottom > top) report();
    },
  },
  {
    id: 'rat-1',
    severity: 'error',
    category: 'conformance',
    code: 'invariant',
    text: 'A ratio has a numerator and a denominator; add the missing one.',
    on: ['Ratio'],
    check: (ratio: Members, report: Report) => {
      const both = has(ratio, 'numerator') && has(ratio, 'denominator');
      const none = !has(ratio, 'numerator') && !has(ratio, 'denominator') && has(ratio, 'extension');
      if (!both && !none) report();
    },
  },
  {
    id: 'cpt-2',
    severity: 'error',
    category: 'conformance',
    code: 'invariant',
    text: 'The contact has a value but no system such as phone or email; add the system.',
    on: ['ContactPoint'],
    check: (contact: Members, report: Report) => {
      if (has(contact, 'value') && !has(contact, 'system')) report();
    },
  },
  {
    id: 'att-1',
    severity: 'error',
    category: 'conformance',
    code: 'invariant',
    text: 'The attachment has data but no contentType; say which kind of data it is.',
    on: ['Attachment'],
    check: (attachment: Members, report: Report) => {
      if (has(attachment, 'data') && !has(attachment, 'contentType')) report();
    },
  },
] as const satisfies readonly Rule[];
