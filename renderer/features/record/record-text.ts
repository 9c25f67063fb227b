/**
 * features/record shows, edits, reviews and saves one record. The app shell mounts it and holds its state.
 * Invariant: the user's text is never lost or renumbered; it is replaced only by an answer that the user asked for.
 */
import { positionAt, JsonSyntaxError, type JsonFault } from '../../../core/json/fault.ts';
import type { JsonNode } from '../../../core/json/node.ts';
import { scan } from '../../../core/json/scan.ts';

/** What is wrong with a text as JSON: a sentence, and where (line and column from 1). */
export interface TextFault {
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

export type Inspection =
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
