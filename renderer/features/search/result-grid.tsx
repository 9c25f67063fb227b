import { useRef, useState } from 'react';
import { usePreference, useRowHeight } from '../../platform/preferences.ts';
import type { Sorting } from '../../ui/grid/columns.ts';
import { Grid } from '../../ui/grid/grid.tsx';
import { currentRow } from '../../ui/grid/row-pointer.ts';
import type { Selection } from '../../ui/grid/use-selection.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import { useStable } from '../../ui/use-stable.ts';
import { CopyButton } from './copy-button.tsx';
import { useVisibleColumns } from './visible-columns.tsx';
import { rowKey, type ResultRow } from './result-rows.ts';
import { RowMenu, type MenuPosition } from './row-menu.tsx';
import type { Columns } from './use-columns.ts';
import { useRowActions } from './use-row-actions.ts';

/** Height of a row with two lines in CSS pixels. */
const twoLinesHeight = 46;

interface ResultGridProps {
  /** Rows in their visible order. */
  readonly rows: readonly ResultRow[];
  readonly total: number;
  readonly busy: boolean;
  readonly columns: Columns;
  readonly sorting: Sorting | undefined;
  readonly onSort: (id: string) => void;
  readonly selection: Selection<ResultRow>;
  /** Called with the IDs of the columns that fit. */
  readonly onFit: (ids: readonly string[]) => void;
}

/** Grid of the matches, sortable by any column. Selected rows are opened, copied and patched together. */
export function ResultGrid(props: ResultGridProps) {
  const { rows, total, busy, columns, sorting, onSort, selection } = props;
  const [density] = usePreference('density');
  const comfortable = density === 'comfortable';
  const rowHeight = useRowHeight();
  const { current } = selection;
  const scroller = useRef<HTMLDivElement>(null);
  const actions = useRowActions();
  const [menu, setMenu] = useState<MenuPosition>();
  const visibleColumns = useVisibleColumns(rows, columns.visibleColumns, comfortable);
  const { onResize, onMove } = useAnnouncedLayout(columns);
  return (
    <>
      <Grid
        label={text.results.name}
        columns={visibleColumns}
        widths={columns.layout.widths}
        rows={rows}
        total={total}
        rowHeight={comfortable ? twoLinesHeight : rowHeight}
        current={current}
        keyOf={rowKey}
        selection={selection}
        sorting={sorting}
        busy={busy}
        scroller={scroller}
        onSort={onSort}
        onResize={onResize}
        onMove={onMove}
        onFit={props.onFit}
        onCurrent={(index) => selection.move(index)}
        onOpen={(row) => actions.open([row])}
        onEnter={() => actions.open(selection.rowsAt(current))}
        onCopy={() => actions.copyIds(selection.rowsAt(current))}
        onMenu={setMenu}
      />
      <CopyButton gridRef={scroller} />
      <RowMenu
        place={menu}
        rows={menu ? selection.rowsAt(current) : []}
        actions={actions}
        onClose={() => {
          setMenu(undefined);
          currentRow(scroller.current)?.focus({ preventScroll: true });
        }}
      />
    </>
  );
}

/** Returns handlers for widths and positions of columns that announce each change. */
function useAnnouncedLayout({ allColumns, resize, move }: Columns) {
  const announce = useAnnounce();
  const onResize = useStable((id: string, width: number | undefined) => {
    const pixels = resize(id, width);
    const column = allColumns.find((candidate) => candidate.id === id);
    if (column && pixels !== undefined) announce(text.results.width(column.label, pixels));
  });
  const onMove = useStable((id: string, place: number) => {
    const order = move(id, place);
    const column = allColumns.find((candidate) => candidate.id === id);
    if (column) announce(text.results.moved(column.label, order.indexOf(id) + 1, order.length));
  });
  return { onResize, onMove };
}
