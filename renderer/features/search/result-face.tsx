import { useElementSize } from '@mantine/hooks';
import { useState, useMemo } from 'react';
import { usePreference } from '../../platform/preferences.ts';
import { useSelection } from '../../ui/grid/use-selection.ts';
import { keyOf, orderOf, withOrder, type Criteria } from './criteria.ts';
import { PreviewPane, type RenderPreview } from './preview-pane.tsx';
import { ResultFooter } from './result-foot.tsx';
import { ResultGrid } from './result-grid.tsx';
import { rowKey } from './result-rows.ts';
import frame from '../../ui/view.module.css';
import { useColumns } from './use-columns.ts';
import type { Export } from './use-export.ts';
import type { Search } from './use-search.ts';
import type { Sorting } from '../../ui/grid/columns.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import { resultColumns } from './result-columns.tsx';
import { orderRows } from './result-order.ts';
import { nextSorting, orderBy, sortingOf } from './sorting.ts';

interface ResultFaceProps {
  readonly search: Search;
  readonly submittedCriteria: Criteria;
  readonly draw: RenderPreview | undefined;
  readonly exporting: Export;
}

/** Minimum width of the view in CSS pixels for grid and preview side by side. */
const roomForBoth = 1028;

/** Results of a search: grid, preview of the current record, and footer. */
export function ResultPanel({ search, submittedCriteria, draw, exporting }: ResultFaceProps) {
  const { sortedRows, sorting, toggle, partial } = useSorting(search);
  const columns = useColumns(submittedCriteria.type);
  const selection = useSelection(sortedRows, rowKey);
  const { ref, width } = useElementSize();
  const [isPreviewPinned, pinPreview] = usePreference('preview');
  const [isPreviewRequested, requestPreview] = useState(false);
  const [fitting, fit] = useState<readonly string[]>([]);
  // Without space for both, the preview covers the grid and opens only on request.
  const isOverlay = width > 0 && width < roomForBoth;
  const isPreviewVisible =
    draw !== undefined && width > 0 && (isOverlay ? isPreviewRequested : isPreviewPinned);
  const show = isOverlay ? requestPreview : pinPreview;
  return (
    <>
      <div ref={ref} className={frame.beside}>
        <ResultGrid
          rows={sortedRows}
          total={search.total}
          busy={search.query.isFetching}
          columns={columns}
          sorting={sorting}
          onSort={toggle}
          selection={selection}
          onFit={fit}
        />
        {isPreviewVisible && (
          <PreviewPane
            row={sortedRows[selection.current]}
            isOverlay={isOverlay}
            draw={draw}
            onClose={() => show(false)}
          />
        )}
      </div>
      <ResultFooter
        search={search}
        submittedCriteria={submittedCriteria}
        rows={sortedRows}
        selectedKeys={selection.chosen}
        exporting={exporting}
        partial={partial}
        columns={columns}
        fitting={fitting}
        preview={draw && { shown: isPreviewVisible, toggle: () => show(!isPreviewVisible) }}
      />
    </>
  );
}

interface LocalSorting {
  /** Key of the sorted search. Another search starts in the order of the server. */
  readonly search: string;
  readonly sorting: Sorting | undefined;
}

/**
 * Sorts the rows. Sorts locally if all rows are loaded. Otherwise requests the order from the server if it supports
 * the column, and sorts only the loaded rows if it does not; `partial` names that column.
 */
function useSorting({ submittedQuery, state, rows, total, complete, submit }: Search) {
  const announce = useAnnounce();
  const [local, setLocal] = useState<LocalSorting>();
  const { submittedCriteria } = state;
  const key = submittedQuery ? keyOf(submittedQuery) : '';
  const order = submittedCriteria ? orderOf(submittedCriteria) : '';
  const localSorting = local?.search === key ? local : undefined;
  const sorting = localSorting
    ? localSorting.sorting
    : submittedCriteria && sortingOf(order, submittedCriteria.type);
  const columns = resultColumns[(submittedCriteria ?? state.form).type];
  const column = columns.find(({ id }) => id === localSorting?.sorting?.column);
  const descending = localSorting?.sorting?.descending ?? false;

  const sortedRows = useMemo(
    () => (column ? orderRows(rows, column, descending) : rows),
    [rows, column, descending],
  );

  function toggle(id: string) {
    if (!submittedCriteria) return;
    const clicked = columns.find((candidate) => candidate.id === id);
    if (!clicked) return;
    const next = nextSorting(sorting, clicked);
    const { label } = clicked;
    const requestedOrder = next && orderBy(next, submittedCriteria.type);
    if (!complete && (requestedOrder !== undefined || (!next && !localSorting))) {
      setLocal(undefined);
      submit(withOrder(submittedCriteria, requestedOrder ?? ''), { noted: false });
      if (requestedOrder !== undefined) announce(text.results.sortedByServer(label, total));
      return;
    }
    setLocal({ search: key, sorting: next });
    if (!complete && next) announce(text.results.sortedHere(label, rows.length, total));
  }

  return { sortedRows, sorting, toggle, partial: column && !complete ? column.label : undefined };
}
