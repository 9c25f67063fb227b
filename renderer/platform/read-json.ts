/** What a person writes, read as exact JSON. */
import { positionAt, JsonSyntaxError, type JsonFault } from '../../core/json/fault.ts';
import type { JsonNode } from '../../core/json/node.ts';
import { print } from '../../core/json/print.ts';
import { scan } from '../../core/json/scan.ts';

/** What is wrong with a text as JSON: a sentence, and where (line and column from 1). */
export interface TextFault {
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

type Inspection =
  | { readonly valid: true; readonly root: JsonNode }
  | { readonly valid: false; readonly fault: TextFault };

/** Reads a text as one exact JSON value, or says the first thing that is wrong with it. */
export function inspect(text: string): Inspection {
  try {
    const { root, faults } = scan(text);
    const [first] = faults;
    return first ? { valid: false, fault: faultOf(first, text) } : { valid: true, root };
  } catch (error) {
    if (error instanceof JsonSyntaxError) return { valid: false, fault: faultOf(error.fault, text) };
    throw error;
  }
}

function faultOf({ message, start }: JsonFault, text: string): TextFault {
  return { message, ...positionAt(text, start) };
}

/** A value as it was typed. */
export type TypedValue =
  | { readonly kind: 'empty' }
  | { readonly kind: 'json'; readonly source: string; readonly node: JsonNode }
  /** Plain text that is no JSON, taken as a string. */
  | { readonly kind: 'text'; readonly source: string }
  | { readonly kind: 'broken'; readonly message: string };

/** Reads what was typed as JSON, with its digits as written. */
export function parseJson(typed: string): TypedValue {
  const trimmed = typed.trim();
  if (trimmed === '') return { kind: 'empty' };
  const read = inspect(trimmed);
  if (!read.valid) return { kind: 'broken', message: `${read.fault.message}.` };
  return { kind: 'json', source: print(read.root), node: read.root };
}

/** The same, or plain text as a string; what begins with a bracket or a quote was meant as JSON. */
export function parseTyped(typed: string): TypedValue {
  const parsed = parseJson(typed);
  const trimmed = typed.trim();
  if (parsed.kind !== 'broken' || /^["[{]/.test(trimmed)) return parsed;
  return { kind: 'text', source: JSON.stringify(trimmed) };
}
