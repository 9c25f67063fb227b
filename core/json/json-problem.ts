import type { Message } from '../text/message.ts';
import type { Span } from './node.ts';

export type JsonProblemCode =
  | 'syntax'
  | 'too-deep'
  | 'too-many'
  | 'duplicate-key'
  | 'lone-surrogate'
  | 'forbidden-key'
  | 'long-key';

/** What is wrong with a JSON text, in a sentence without an echo of the value, and where: RFC 8259, I-JSON (RFC 7493) for duplicate keys and surrogates. */
export interface JsonProblem extends Span, Message {
  readonly kind: JsonProblemCode;
  /** Reference tokens of the enclosing element (RFC 6901), for all but `syntax`. */
  readonly path: readonly string[];
}

/** Thrown where reading cannot go on: bad syntax, too many levels or values. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
  readonly fault: JsonProblem;

  constructor(fault: JsonProblem) {
    super(fault.text);
    this.fault = fault;
  }
}

/** Line and column of an offset, both counted from 1; the column counts UTF-16 units, as editors do. */
export function positionAt(text: string, offset: number): { line: number; column: number } {
  let line = 1;
  let lineStart = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) {
    line += 1;
    lineStart = at + 1;
  }
  return { line, column: offset - lineStart + 1 };
}
