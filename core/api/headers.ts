import type { Operation } from './contract.ts';
import { provenanceHeader } from './provenance.ts';

/** A header with the operations that read or send it. */
export interface Header {
  readonly name: string;
  readonly on: readonly Operation[];
  readonly text: string;
}

const versioned: readonly Operation[] = ['read', 'vread', 'create', 'update', 'patch'];
const writes: readonly Operation[] = ['create', 'update', 'patch'];

/** What the operations read beside Authorization, Accept and Content-Type. */
export const requestHeaders: readonly Header[] = [
  {
    name: 'If-Match',
    on: ['update', 'patch'],
    text: 'The ETag of the version that the change starts from: W/"3", a list, or *. A coding that a proxy appended (W/"3-gzip") is passed over.',
  },
  { name: 'If-None-Match', on: ['read'], text: 'ETags that the client holds; 304 where one is current.' },
  { name: 'If-Modified-Since', on: ['read'], text: 'An HTTP date; 304 where the record is not newer.' },
  {
    name: 'If-None-Exist',
    on: ['create'],
    text: 'A query: a record that it finds stands in for a new one. Needs the right to search too.',
  },
  {
    name: provenanceHeader,
    on: writes,
    text: 'A Provenance in JSON, whose reason is kept with the version and in the audit trail; its agents are not believed.',
  },
  {
    name: 'Prefer',
    on: [...writes, 'search', 'search-post'],
    text: 'return=minimal, representation or OperationOutcome on writes; handling=strict or lenient on searches.',
  },
];

/** What the answers carry beside Content-Type and X-Request-Id. */
export const responseHeaders: readonly Header[] = [
  { name: 'ETag', on: versioned, text: 'W/"n", n the version.' },
  { name: 'Last-Modified', on: versioned, text: 'meta.lastUpdated as an HTTP date.' },
  { name: 'Location', on: ['create'], text: 'Absolute URL of the version that was stored.' },
  {
    name: 'Preference-Applied',
    on: [...writes, 'search', 'search-post'],
    text: 'The preferences that were followed.',
  },
];
