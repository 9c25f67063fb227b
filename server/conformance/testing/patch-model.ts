/**
 * A model of RFC 6902 with replace only, and of the rejections of rows 40 to 49 of docs/api-rows.md. Written from the
 * specification, without the server's code.
 */
import type { Json } from '../../testing/test-server.ts';

export interface Replace {
  readonly op: string;
  readonly path: string;
  readonly value?: Json;
}

/** An expected response. */
export type Expected =
  | { readonly status: 200; readonly document: Json }
  | { readonly status: number; readonly code: string };

/**
 * Returns the correct responses to a patch. If several operations are invalid, the specification allows the error of any
 * of them. A result with null or an empty value is 422 (row 7).
 */
export function listExpected(document: Json, operations: readonly Replace[]): Expected[] {
  const faults: Expected[] = operations.flatMap((operation) => validateOperation(operation));
  const copy = structuredClone(document);
  for (const { path, value } of operations.filter((operation) => validateOperation(operation).length === 0)) {
    faults.push(...apply(copy, tokensOf(path), structuredClone(value)));
  }
  if (faults.length > 0) return faults;
  return containsEmpty(copy) ? [{ status: 422, code: 'structure' }] : [{ status: 200, document: copy }];
}

const reject = (status: number, code: string): Expected[] => [{ status, code }];

function validateOperation(operation: Replace): Expected[] {
  if (['add', 'remove', 'move', 'copy', 'test'].includes(operation.op)) return reject(422, 'not-supported');
  if (operation.op !== 'replace') return reject(400, 'value');
  if (!Object.hasOwn(operation, 'value')) return reject(400, 'required');
  const { path } = operation;
  if (path === '') return reject(422, 'not-supported');
  if (!path.startsWith('/') || path.replaceAll('~0', '').replaceAll('~1', '').includes('~'))
    return reject(400, 'value');
  if (tokensOf(path).some((token) => ['__proto__', 'constructor', 'prototype'].includes(token)))
    return reject(400, 'value');
  if (['/id', '/resourceType', '/meta/versionId', '/meta/lastUpdated'].includes(path))
    return reject(422, 'business-rule');
  return [];
}

function tokensOf(path: string): string[] {
  return path
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function apply(node: Json, [token = '', ...remainingTokens]: string[], value: Json): Expected[] {
  if (Array.isArray(node)) {
    if (/^(?:0\d+|[+-]\d+|\d+e\d+)$/.test(token)) return reject(400, 'value');
    const index = /^\d+$/.test(token);
    // Row 46 defines malformed indices, row 49 inherited names. No row defines other words.
    if (!index && token !== '-' && !(token in []))
      return [...reject(400, 'value'), ...reject(422, 'processing')];
    if (!index || Number(token) >= node.length) return reject(422, 'processing');
  } else if (typeof node !== 'object' || node === null || !Object.hasOwn(node, token)) {
    return reject(422, 'processing');
  }
  if (remainingTokens.length > 0) return apply(node[token], remainingTokens, value);
  node[token] = value;
  return [];
}

function containsEmpty(node: Json): boolean {
  if (node === null || node === '') return true;
  if (typeof node !== 'object') return false;
  const children: Json[] = Object.values(node as object);
  return children.length === 0 || children.some(containsEmpty);
}
