import { metricUnits, otherUnits, unitPrefixes } from './generated/ucum-table.js';

const metric = new Set(metricUnits);
const atoms = new Set([...metricUnits, ...otherUnits]);
const longest = 256;
/** Text in braces says what is meant and counts for nothing: any character but braces. */
const annotation = /\{[^{}]*\}/y;
/** Letters, signs and digits up to the next operator; within brackets every character belongs to the unit. */
const unit = /(?:[^./(){}[\]\s]|\[[^[\]\s]*\])+/y;

/**
 * Whether a text is a unit of UCUM's case-sensitive grammar (The Unified Code for Units of Measure, section 2): terms of
 * atoms with prefix and exponent, factors, annotations and parentheses.
 */
export function isUcum(code: string): boolean {
  if (code.length > longest) return false;
  const end = term(code, code.startsWith('/') ? 1 : 0);
  return end === code.length;
}

/** Where the term that begins at a place ends; undefined where none does. */
function term(code: string, start: number): number | undefined {
  let at = component(code, start);
  while (at !== undefined && (code[at] === '.' || code[at] === '/')) at = component(code, at + 1);
  return at;
}

function component(code: string, start: number): number | undefined {
  if (code[start] === '(') {
    const end = term(code, start + 1);
    return end !== undefined && code[end] === ')'
      ? (behind(annotation, code, end + 1) ?? end + 1)
      : undefined;
  }
  const end = behind(unit, code, start);
  if (end === undefined) return behind(annotation, code, start);
  return isUnit(code.slice(start, end)) ? (behind(annotation, code, end) ?? end) : undefined;
}

function behind(pattern: RegExp, code: string, at: number): number | undefined {
  pattern.lastIndex = at;
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
