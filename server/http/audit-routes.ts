import type { Request } from 'express';
import { auditActions, type AuditFilter } from '../../core/app/audit.ts';
import { auditEvent } from '../../core/api/audit-event.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import type { AuditLog, AuditStore } from '../store/sqlite/audit.ts';
import type { KeptTrail } from '../workspace/kept-trail.ts';
import { sendJson } from './reply.ts';
import { pairsOf, type Answer } from './request.ts';
import type { TableRoute } from './route-table.ts';
import { sendLines } from './write-out.ts';

/** Entries of a page. */
const pageSize = 100;

/** `/app/audit`: who did what to which record (core/app/audit.ts). */
export function auditRoutes(
  audit: Omit<AuditLog, 'verify'> & Pick<AuditStore, 'verify'>,
  kept: Pick<KeptTrail, 'head'>,
): readonly TableRoute[] {
  const list: Answer = async (request, response) => {
    const { before, ...filter } = readQuery(request);
    sendJson(response, 200, JSON.stringify(await audit.page(filter, before, pageSize)));
  };
  const actions: Answer = async (request, response) => {
    sendJson(response, 200, JSON.stringify(await audit.actions(readQuery(request))));
  };
  const verify: Answer = async (_request, response) => {
    sendJson(response, 200, JSON.stringify(await audit.verify(kept.head())));
  };
  async function* allEvents(): AsyncGenerator<readonly object[]> {
    for await (const entries of audit.all()) yield entries.map(auditEvent);
  }
  const events: Answer = (_request, response) => sendLines(response, 'audit.ndjson', allEvents());
  return [
    { method: 'GET', path: '/app/audit', answer: list },
    { method: 'GET', path: '/app/audit/actions', answer: actions },
    { method: 'GET', path: '/app/audit/events', answer: events },
    { method: 'POST', path: '/app/audit/verify', answer: verify },
  ];
}

interface AuditQuery extends AuditFilter {
  readonly before?: number;
}

/** One reader for each parameter: what it adds to the query, or undefined where the value is none. */
const readers: Readonly<Record<string, (value: string) => AuditQuery | undefined>> = {
  before: (value) => (/^[1-9][0-9]{0,14}$/.test(value) ? { before: Number(value) } : undefined),
  text: (text) => (text.length <= 200 ? { text } : undefined),
  action: (value) => {
    const action = auditActions.find((one) => one === value);
    return action && { action };
  },
  changes: (value) => (value === 'true' ? { changes: true } : undefined),
  outcome: (outcome) => (outcome === 'done' || outcome === 'refused' ? { outcome } : undefined),
  since: (since) => (Number.isNaN(Date.parse(since)) ? undefined : { since }),
};

function readQuery(request: Request): AuditQuery {
  let query: AuditQuery = {};
  for (const [name, value] of pairsOf(request)) {
    const part = Object.hasOwn(readers, name) ? readers[name]?.(value) : undefined;
    if (!part) {
      throw new FhirError('not-accepted', {
        text: `The list takes ${Object.keys(readers).join(', ')}; one of them is not known or has a wrong value.`,
        location: `http.${name.slice(0, 64)}`,
      });
    }
    query = { ...query, ...part };
  }
  return query;
}
