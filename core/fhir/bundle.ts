/** A match as the store keeps it: exact text, not parsed. */
export interface Match {
  readonly id: string;
  readonly text: string;
}

export interface Link {
  readonly relation: 'self' | 'first' | 'previous' | 'next';
  /** Absolute. */
  readonly url: string;
}

export interface SearchSet {
  /** All matches, not only those of this page. */
  readonly total: number;
  readonly matches: readonly Match[];
  readonly links: readonly Link[];
  /** Absolute URL of the type, without a trailing slash. */
  readonly typeUrl: string;
}

/** A version as a history tells of it. */
export interface PastVersion extends Match {
  readonly version: number;
  readonly lastUpdated: string;
  readonly operation: 'create' | 'update' | 'patch' | 'import';
}

export interface HistorySet {
  readonly total: number;
  readonly type: string;
  /** Newest first. */
  readonly versions: readonly PastVersion[];
  readonly links: readonly Link[];
  /** Absolute URL of the type, without a trailing slash. */
  readonly typeUrl: string;
}

/** The searchset Bundle (FHIR R4 http.html#search) as JSON text; each resource's text stands in it untouched. */
export function searchSetText({ total, matches, links, typeUrl }: SearchSet): string {
  const entries = matches.map(
    ({ id, text }) =>
      `{"fullUrl":${JSON.stringify(`${typeUrl}/${id}`)},"resource":${text},"search":{"mode":"match"}}`,
  );
  return bundleText('searchset', total, links, entries);
}

/** The history Bundle (FHIR R4 http.html#history) as JSON text: what was asked for each version, and the answer. */
export function historyText({ total, type, versions, links, typeUrl }: HistorySet): string {
  const entries = versions.map(({ id, text, version, lastUpdated, operation }) => {
    const { method, path, status } = requests[operation];
    const request = { method, url: path ? `${type}/${id}` : type };
    // An import keeps the id that a record brings: a PUT that stored a first version.
    const created = version === 1 ? '201 Created' : status;
    const response = { status: created, etag: `W/"${version}"`, lastModified: lastUpdated };
    return (
      `{"fullUrl":${JSON.stringify(`${typeUrl}/${id}`)},"resource":${text},` +
      `"request":${JSON.stringify(request)},"response":${JSON.stringify(response)}}`
    );
  });
  return bundleText('history', total, links, entries);
}

const requests = {
  create: { method: 'POST', path: false, status: '201 Created' },
  update: { method: 'PUT', path: true, status: '200 OK' },
  patch: { method: 'PATCH', path: true, status: '200 OK' },
  import: { method: 'PUT', path: true, status: '200 OK' },
} as const;

function bundleText(type: string, total: number, links: readonly Link[], entries: readonly string[]): string {
  const head = `"resourceType":"Bundle","type":"${type}","total":${total},"link":${JSON.stringify(links)}`;
  return `{${head},"entry":[${entries.join(',')}]}`;
}
