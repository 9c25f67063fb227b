import { auditActions, type AuditFilter } from '../../core/app/audit.ts';
import { auditEvent } from '../../core/api/audit-event.ts';
import type { LossList } from '../../core/app/losses.ts';
import type { AuditLog, AuditStore } from '../store/sqlite/audit.ts';
import type { KeptTrail } from '../workspace/kept-trail.ts';
import { done, json } from './reply.ts';
import { readList, found, type Answer, type ListReaders } from './request.ts';
import type { TableRoute } from './route-table.ts';
import { sendLines } from './write-out.ts';

/** Entries of a page. */
const pageSize = 100;

/**
 * `/app/audit`: who did what to which record (core/app/audit.ts); `/app/losses`: acknowledged writes that a start found
 * missing (core/app/losses.ts), until somebody read of them.
 */
export function auditRoutes(
  audit: Omit<AuditLog, 'verify'> & Pick<AuditStore, 'verify'>,
  kept: KeptTrail,
): readonly TableRoute[] {
  const list = json((request) => {
    const { before, ...filter } = readList(request, readers);
    return audit.page(filter, before, pageSize);
  });
  const actions = json((request) => audit.actions(readList(request, readers)));
  async function* allEvents(): AsyncGenerator<readonly object[]> {
    for await (const entries of audit.all()) yield entries.map(auditEvent);
  }
  const events: Answer = (_request, response) => sendLines(response, 'audit.ndjson', allEvents());
  const losses = json(() => ({ losses: kept.losses() }) satisfies LossList);
  const readLoss = done((request) => {
    found(kept.readLoss(Number(request.params.id)), 'There is no loss of this id.');
  });
  return [
    { method: 'GET', path: '/app/audit', answer: list },
    { method: 'GET', path: '/app/audit/actions', answer: actions },
    { method: 'GET', path: '/app/audit/events', answer: events },
    { method: 'POST', path: '/app/audit/verify', answer: json(() => audit.verify(kept.head())) },
    { method: 'GET', path: '/app/losses', answer: losses },
    { method: 'POST', path: '/app/losses/:id/read', answer: readLoss },
  ];
}

const readers: ListReaders<AuditFilter & { readonly before?: number }> = {
  before: (value) => (/^[1-9][0-9]{0,14}$/.test(value) ? Number(value) : undefined),
  text: (text) => (text.length <= 200 ? text : undefined),
  action: (value) => auditActions.find((one) => one === value),
  changes: (value) => (value === 'true' ? true : undefined),
  outcome: (outcome) => (outcome === 'done' || outcome === 'refused' ? outcome : undefined),
  since: (since) => (Number.isNaN(Date.parse(since)) ? undefined : since),
};
