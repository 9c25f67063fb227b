/** Parses user input as exact JSON. */
import { positionAt, JsonSyntaxError, type JsonProblem } from '../../core/json/json-problem.ts';
import { serializeNode, type JsonNode } from '../../core/json/node.ts';
import { scan } from '../../core/json/scan.ts';

/** A JSON problem of a text: message, line and column (from 1). */
export interface TextProblem {
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

type Inspection =
  | { readonly valid: true; readonly root: JsonNode }
  | { readonly valid: false; readonly fault: TextProblem };

/** Parses a text as one exact JSON value, or returns the first problem. */
export function inspect(text: string): Inspection {
  try {
    const { root, problems } = scan(text);
    const [firstFault] = problems;
    return firstFault ? { valid: false, fault: faultOf(firstFault, text) } : { valid: true, root };
  } catch (error) {
    if (error instanceof JsonSyntaxError) return { valid: false, fault: faultOf(error.fault, text) };
    throw error;
  }
}

function faultOf({ text: message, start }: JsonProblem, text: string): TextProblem {
  return { message, ...positionAt(text, start) };
}

/** A value as typed. */
export type TypedValue =
  | { readonly kind: 'empty' }
  | { readonly kind: 'json'; readonly source: string; readonly node: JsonNode }
  /** Plain text, used as a string. */
  | { readonly kind: 'text'; readonly source: string }
  | { readonly kind: 'broken'; readonly message: string };

/** Parses typed JSON and preserves its digits. */
export function parseJson(input: string): TypedValue {
  const trimmed = input.trim();
  if (trimmed === '') return { kind: 'empty' };
  const inspected = inspect(trimmed);
  if (!inspected.valid) return { kind: 'broken', message: inspected.fault.message };
  return { kind: 'json', source: serializeNode(inspected.root), node: inspected.root };
}

/**
 * Parses typed JSON, or uses plain text as a string. Text that begins with a bracket or a quote must be JSON.
 */
export function parseTyped(input: string): TypedValue {
  const parsed = parseJson(input);
  const trimmed = input.trim();
  if (parsed.kind !== 'broken' || /^["[{]/.test(trimmed)) return parsed;
  return { kind: 'text', source: JSON.stringify(trimmed) };
}
