/**
 * RFC 6902 with replace alone, and the refusals of rows 40 to 49, over plain values: written from the specification,
 * without the server's code, to be compared with it.
 */
import type { Json } from '../../testing/test-server.ts';

export interface Replace {
  readonly op: string;
  readonly path: string;
  readonly value?: Json;
}

/** What the service should answer. */
export type Expected =
  | { readonly status: 200; readonly document: Json }
  | { readonly status: number; readonly code: string };

/**
 * The answers that are right for a patch: one, unless several operations are wrong, since the specification does not
 * say which of them is told. Row 7 makes a result that holds null or an empty value 422.
 */
export function expectedOf(document: Json, operations: readonly Replace[]): Expected[] {
  const faults: Expected[] = operations.flatMap((operation) => formFaults(operation));
  const copy = structuredClone(document);
  for (const { path, value } of operations.filter((one) => formFaults(one).length === 0)) {
    faults.push(...apply(copy, tokensOf(path), structuredClone(value)));
  }
  if (faults.length > 0) return faults;
  return holdsEmpty(copy) ? [{ status: 422, code: 'structure' }] : [{ status: 200, document: copy }];
}

const bad = (status: number, code: string): Expected[] => [{ status, code }];

function formFaults(operation: Replace): Expected[] {
  if (['add', 'remove', 'move', 'copy', 'test'].includes(operation.op)) return bad(422, 'not-supported');
  if (operation.op !== 'replace') return bad(400, 'value');
  if (!Object.hasOwn(operation, 'value')) return bad(400, 'required');
  const { path } = operation;
  if (path === '') return bad(422, 'not-supported');
  if (!path.startsWith('/') || path.replaceAll('~0', '').replaceAll('~1', '').includes('~'))
    return bad(400, 'value');
  if (tokensOf(path).some((token) => ['__proto__', 'constructor', 'prototype'].includes(token)))
    return bad(400, 'value');
  if (['/id', '/resourceType', '/meta/versionId', '/meta/lastUpdated'].includes(path))
    return bad(422, 'business-rule');
  return [];
}

function tokensOf(path: string): string[] {
  return path
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function apply(node: Json, [token = '', ...rest]: string[], value: Json): Expected[] {
  if (Array.isArray(node)) {
    if (/^(?:0\d+|[+-]\d+|\d+e\d+)$/.test(token)) return bad(400, 'value');
    const index = /^\d+$/.test(token);
    // Row 46 has malformed indices, row 49 inherited names; no row has any other word.
    if (!index && token !== '-' && !(token in [])) return [...bad(400, 'value'), ...bad(422, 'processing')];
    if (!index || Number(token) >= node.length) return bad(422, 'processing');
  } else if (typeof node !== 'object' || node === null || !Object.hasOwn(node, token)) {
    return bad(422, 'processing');
  }
  if (rest.length > 0) return apply(node[token], rest, value);
  node[token] = value;
  return [];
}

function holdsEmpty(node: Json): boolean {
  if (node === null || node === '') return true;
  if (typeof node !== 'object') return false;
  const children: Json[] = Object.values(node as object);
  return children.length === 0 || children.some(holdsEmpty);
}
