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

/**
 * Problem of JSON text with its location. The message never quotes the value. RFC 8259; I-JSON (RFC 7493) for
 * duplicate keys and surrogates.
 */
export interface JsonProblem extends Span, Message {
  readonly kind: JsonProblemCode;
  /** Reference tokens of the enclosing element (RFC 6901), except for `syntax`. */
  readonly path: readonly string[];
}

/** Thrown if parsing cannot continue: bad syntax, too many levels or values. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
  readonly fault: JsonProblem;

  constructor(fault: JsonProblem) {
    super(fault.text);
    this.fault = fault;
  }
}

/** Returns line and column of an offset, both from 1. The column counts UTF-16 units, as editors do. */
export function positionAt(text: string, offset: number): { line: number; column: number } {
  let line = 1;
  let lineStart = 0;
  for (
    let lineFeed = text.indexOf('\n');
    lineFeed !== -1 && lineFeed < offset;
    lineFeed = text.indexOf('\n', lineFeed + 1)
  ) {
    line += 1;
    lineStart = lineFeed + 1;
  }
  return { line, column: offset - lineStart + 1 };
}
