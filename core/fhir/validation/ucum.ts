import { metricUnits, otherUnits, unitPrefixes } from './generated/ucum-table.js';

const metric = new Set(metricUnits);
const atoms = new Set([...metricUnits, ...otherUnits]);
const maxLength = 256;
/** An annotation in braces has no effect on the unit. It contains any character but braces. */
const annotation = /\{[^{}]*\}/y;
/** Letters, signs and digits up to the next operator. Within brackets every character belongs to the unit. */
const unit = /(?:[^./(){}[\]\s]|\[[^[\]\s]*\])+/y;

/**
 * Returns true for a unit in UCUM's case-sensitive grammar: terms of atoms with prefix and exponent, factors,
 * annotations and parentheses.
 *
 * @see The Unified Code for Units of Measure, section 2
 */
export function isUcum(code: string): boolean {
  if (code.length > maxLength) return false;
  const end = term(code, code.startsWith('/') ? 1 : 0);
  return end === code.length;
}

/** Returns the end of the term that starts at an offset; undefined if there is no term. */
function term(code: string, start: number): number | undefined {
  let offset = component(code, start);
  while (offset !== undefined && (code[offset] === '.' || code[offset] === '/'))
    offset = component(code, offset + 1);
  return offset;
}

function component(code: string, start: number): number | undefined {
  if (code[start] === '(') {
    const end = term(code, start + 1);
    return end !== undefined && code[end] === ')'
      ? (findEnd(annotation, code, end + 1) ?? end + 1)
      : undefined;
  }
  const end = findEnd(unit, code, start);
  if (end === undefined) return findEnd(annotation, code, start);
  return isUnit(code.slice(start, end)) ? (findEnd(annotation, code, end) ?? end) : undefined;
}

function findEnd(pattern: RegExp, code: string, offset: number): number | undefined {
  pattern.lastIndex = offset;
  return pattern.test(code) ? pattern.lastIndex : undefined;
}

function isUnit(text: string): boolean {
  if (/^[0-9]+$/.test(text) || isSimple(text)) return true;
  const simple = text.replace(/[+-]?[0-9]+$/, '');
  return simple !== '' && isSimple(simple);
}

function isSimple(text: string): boolean {
  if (atoms.has(text)) return true;
  return unitPrefixes.some((prefix) => text.startsWith(prefix) && metric.has(text.slice(prefix.length)));
}
