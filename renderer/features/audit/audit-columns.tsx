import { authorshipIn } from '../../../core/app/authorship.ts';
import type { AuditEntry } from '../../../core/app/audit.ts';
import { byline } from '../../ui/text/byline.ts';
import { formatCount } from '../../ui/format.ts';
import type { GridColumn } from '../../ui/grid/columns.ts';
import { versionChange } from '../../ui/log/log-facts.ts';
import { timeColumn } from '../../ui/log/time-column.tsx';
import { text } from '../../ui/text.ts';
import { ToneDot } from '../../ui/tone-dot.tsx';
import { formatAuditTarget } from './audit-places.ts';
import { outcomeOf } from './audit-state.ts';

type Column = GridColumn<AuditEntry>;

const { columns: labels, actions } = text.audit;

/** Minimum widths of the list for columns that the details also show. */
const wideFrom = 820;
const widestFrom = 1240;

/** Returns the columns of the audit log. */
export function auditColumns(entries: readonly AuditEntry[]): readonly Column[] {
  return [seqColumn, timeColumn(labels.time, entries), ...otherColumns];
}

const seqColumn: Column = {
  id: 'seq',
  label: labels.seq,
  width: 84,
  minGridWidth: wideFrom,
  isMonospaced: true,
  isEndAligned: true,
  cell: ({ seq }) => formatCount(seq),
};

const otherColumns: readonly Column[] = [
  {
    id: 'who',
    label: labels.who,
    width: 96,
    flexShare: 0.3,
    cell: ({ who: author, person }) => person ?? (author || text.audit.nobody),
    hint: ({ who: author, person }) =>
      author === '' ? text.audit.nobody : byline(authorshipIn({ author, person })),
  },
  { id: 'action', label: labels.action, width: 116, cell: ({ action }) => actions[action] },
  {
    id: 'what',
    label: labels.what,
    width: 180,
    flexShare: 1,
    isMonospaced: true,
    cell: ({ what: target }) => formatAuditTarget(target),
    hint: ({ what: target }) => target,
  },
  {
    id: 'reason',
    label: labels.reason,
    width: 160,
    flexShare: 0.5,
    minGridWidth: wideFrom,
    cell: ({ reason = '' }) => reason,
    hint: ({ reason = '' }) => reason,
  },
  {
    id: 'version',
    label: labels.version,
    width: 92,
    minGridWidth: wideFrom,
    isMonospaced: true,
    cell: ({ before, after }) => versionChange(before, after),
  },
  {
    id: 'outcome',
    label: labels.outcome,
    width: 164,
    cell: (entry) => <ToneDot {...outcomeOf(entry)} />,
  },
  {
    id: 'requestId',
    label: labels.requestId,
    width: 300,
    minGridWidth: widestFrom,
    isMonospaced: true,
    cell: ({ requestId }) => requestId,
  },
];
