import { VisuallyHidden } from '@mantine/core';
import { TableHead } from '../table-head.tsx';
import { text } from '../text.ts';
import type { TimelineItem } from './layout.ts';

const { columns, table } = text.timeline;

/** What the bars show, for who does not see them. */
export function TimelineTable({ items }: { readonly items: readonly TimelineItem[] }) {
  if (items.length === 0) return null;
  const lanes = items.some(({ lane }) => lane !== '');
  return (
    <VisuallyHidden>
      <table aria-label={table}>
        <TableHead
          columns={[
            columns.when,
            columns.what,
            ...(lanes ? [columns.lane] : []),
            columns.status,
            columns.warning,
          ]}
        />
        <tbody>
          {items.map(({ key, label, lane, status, when, warning }) => (
            <tr key={key}>
              <td>{when}</td>
              <td>{label}</td>
              {lanes && <td>{lane}</td>}
              <td>{status}</td>
              <td>{warning}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </VisuallyHidden>
  );
}
