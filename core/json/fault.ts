import type { Span } from './node.ts';

export type JsonFaultKind =
  | 'syntax'
  | 'too-deep'
  | 'too-many'
  | 'duplicate-key'
  | 'lone-surrogate'
  | 'forbidden-key'
  | 'long-key';

/** What is wrong with a JSON text, and where: RFC 8259, I-JSON (RFC 7493) for duplicate keys and surrogates. */
export interface JsonFault extends Span {
  readonly kind: JsonFaultKind;
  /** One sentence without an echo of the value. */
  readonly message: string;
  /** Reference tokens of the enclosing element (RFC 6901), for all but `syntax`. */
  readonly path: readonly string[];
}

/** Thrown where reading cannot go on: bad syntax, too many levels or values. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
  readonly fault: JsonFault;

  constructor(fault: JsonFault) {
    super(fault.message);
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
