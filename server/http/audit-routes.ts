import { auditActions, type AuditFilter } from '../../core/app/audit.ts';
import { auditEvent } from '../../core/api/audit-event.ts';
import type { LossList } from '../../core/app/losses.ts';
import { defineMessages } from '../../core/text/message.ts';
import type { AuditReader, AuditStore } from '../store/audit-log.ts';
import type { AnchorStore } from '../workspace/audit-anchor.ts';
import { createEmptyHandler, createJsonHandler, respondLines } from './reply.ts';
import { parseListQuery, assertFound, type Handler, type ListReaders } from './request.ts';
import type { TableRoute } from './route-table.ts';

const messages = defineMessages('audit', { lossAbsent: 'There is no lost write with this ID.' });

const pageSize = 100;

/**
 * `/app/audit`: the audit log (core/app/audit.ts). `/app/losses`: acknowledged writes missing at a start,
 * until read (core/app/losses.ts).
 */
export function createAuditRoutes(
  audit: Omit<AuditReader, 'verify'> & Pick<AuditStore, 'verify'>,
  anchors: AnchorStore,
): readonly TableRoute[] {
  const list = createJsonHandler((request) => {
    const { before, ...filter } = parseListQuery(request, readers);
    return audit.page(filter, before, pageSize);
  });
  const actions = createJsonHandler((request) => audit.actions(parseListQuery(request, readers)));
  async function* listEvents(): AsyncGenerator<readonly object[]> {
    for await (const entries of audit.readEntries()) yield entries.map(auditEvent);
  }
  const events: Handler = () => respondLines('audit.ndjson', listEvents());
  const losses = createJsonHandler(() => ({ losses: anchors.losses() }) satisfies LossList);
  const readLoss = createEmptyHandler((request) => {
    assertFound(anchors.readLoss(Number(request.params.id)), messages.lossAbsent());
  });
  return [
    { method: 'GET', path: '/app/audit', handler: list },
    { method: 'GET', path: '/app/audit/actions', handler: actions },
    { method: 'GET', path: '/app/audit/events', handler: events },
    {
      method: 'POST',
      path: '/app/audit/verify',
      handler: createJsonHandler(() => audit.verify(anchors.readLatest())),
    },
    { method: 'GET', path: '/app/losses', handler: losses },
    { method: 'POST', path: '/app/losses/:id/read', handler: readLoss },
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
