import type { Operation } from './contract.ts';
import { provenanceHeader } from './provenance.ts';

/** Header with the operations that use it. */
export interface Header {
  readonly name: string;
  readonly operations: readonly Operation[];
  readonly text: string;
}

const versioned: readonly Operation[] = ['read', 'vread', 'create', 'update', 'patch'];
const writes: readonly Operation[] = ['create', 'update', 'patch'];

/** Request headers in addition to Authorization, Accept and Content-Type. */
export const requestHeaders: readonly Header[] = [
  {
    name: 'If-Match',
    operations: ['update', 'patch'],
    text: 'ETags the change is based on: W/"3", a list, or *. A content coding that a proxy appended (W/"3-gzip") is ignored.',
  },
  { name: 'If-None-Match', operations: ['read'], text: 'ETags the client has; 304 if one is current.' },
  { name: 'If-Modified-Since', operations: ['read'], text: 'An HTTP date; 304 if the record is not newer.' },
  {
    name: 'If-None-Exist',
    operations: ['create'],
    text: 'A query. If it finds a record, no new one is created. Also needs the right to search.',
  },
  {
    name: provenanceHeader,
    operations: writes,
    text: 'A Provenance as JSON. Its reason is stored with the version and in the audit log. Its agents are ignored.',
  },
  {
    name: 'Prefer',
    operations: [...writes, 'search', 'search-post'],
    text: 'return=minimal, representation or OperationOutcome on writes; handling=strict or lenient on searches.',
  },
];

/** Response headers in addition to Content-Type and X-Request-Id. */
export const responseHeaders: readonly Header[] = [
  { name: 'ETag', operations: versioned, text: 'W/"n", where n is the version.' },
  { name: 'Last-Modified', operations: versioned, text: 'meta.lastUpdated as an HTTP date.' },
  { name: 'Location', operations: ['create'], text: 'Absolute URL of the stored version.' },
  {
    name: 'Preference-Applied',
    operations: [...writes, 'search', 'search-post'],
    text: 'The preferences that were applied.',
  },
];
