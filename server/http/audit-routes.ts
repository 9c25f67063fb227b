import { auditActions, type AuditFilter } from '../../core/app/audit.ts';
import { auditEvent } from '../../core/api/audit-event.ts';
import type { LossList } from '../../core/app/losses.ts';
import { defineMessages } from '../../core/text/message.ts';
import type { AuditReader, AuditStore } from '../store/sqlite/audit.ts';
import type { AnchorStore } from '../workspace/audit-anchor.ts';
import { done, json } from './reply.ts';
import { readList, assertFound, type Handler, type ListReaders } from './request.ts';
import type { TableRoute } from './route-table.ts';
import { sendLines } from './write-out.ts';

const messages = defineMessages('audit', { lossAbsent: 'There is no lost write with this ID.' });

/** Entries of a page. */
const pageSize = 100;

/**
 * `/app/audit`: the audit log (core/app/audit.ts). `/app/losses`: acknowledged writes missing at a start,
 * until read (core/app/losses.ts).
 */
export function auditRoutes(
  audit: Omit<AuditReader, 'verify'> & Pick<AuditStore, 'verify'>,
  anchors: AnchorStore,
): readonly TableRoute[] {
  const list = json((request) => {
    const { before, ...filter } = readList(request, readers);
    return audit.page(filter, before, pageSize);
  });
  const actions = json((request) => audit.actions(readList(request, readers)));
  async function* listEvents(): AsyncGenerator<readonly object[]> {
    for await (const entries of audit.all()) yield entries.map(auditEvent);
  }
  const events: Handler = (_request, response) => sendLines(response, 'audit.ndjson', listEvents());
  const losses = json(() => ({ losses: anchors.losses() }) satisfies LossList);
  const readLoss = done((request) => {
    assertFound(anchors.readLoss(Number(request.params.id)), messages.lossAbsent());
  });
  return [
    { method: 'GET', path: '/app/audit', answer: list },
    { method: 'GET', path: '/app/audit/actions', answer: actions },
    { method: 'GET', path: '/app/audit/events', answer: events },
    { method: 'POST', path: '/app/audit/verify', answer: json(() => audit.verify(anchors.head())) },
    { method: 'GET', path: '/app/losses', answer: losses },
    { method: 'POST', path: '/app/losses/:id/read', answer: readLoss },
  ];
}

const readers: ListReaders<AuditFilter & { readonly before?: number }> = {
  before: (value) => (/^[1-9][0-9]{0,14}$/.test(value) ? Number(value) : undefined),
  text: (text) => (text.length <= 200 ? text : undefined),
  action: (value) => auditActions.find((action) => action === value),
  changes: (value) => (value === 'true' ? true : undefined),
  outcome: (outcome) => (outcome === 'done' || outcome === 'refused' ? outcome : undefined),
  since: (since) => (Number.isNaN(Date.parse(since)) ? undefined : since),
};
