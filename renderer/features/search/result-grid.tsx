import { useCallback, useMemo, useRef, useState } from 'react';
import { useConnection } from '../../platform/connection.ts';
import { useRowHeight } from '../../platform/preferences.ts';
import type { Sorting } from '../../ui/grid/columns.ts';
import { Grid } from '../../ui/grid/grid.tsx';
import { currentRow } from '../../ui/grid/row-pointer.ts';
import type { Selection } from '../../ui/grid/use-selection.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import { resultColumns, withPeriods } from './result-columns.tsx';
import { rowKey, type ResultRow } from './result-rows.ts';
import { RowMenu, type MenuPlace } from './row-menu.tsx';
import { withSeenIssues } from './seen-issues.tsx';
import type { Columns } from './use-columns.ts';
import { useRowActions } from './use-row-actions.ts';

interface ResultGridProps {
  /** In the order that they are shown in. */
  readonly rows: readonly ResultRow[];
  readonly total: number;
  readonly busy: boolean;
  readonly columns: Columns;
  readonly sorting: Sorting | undefined;
  readonly onSort: (id: string) => void;
  readonly selection: Selection<ResultRow>;
}

/** The matches, sorted by any column; rows that are chosen are opened, copied and patched together. */
export function ResultGrid(props: ResultGridProps) {
  const { rows, total, busy, columns, sorting, onSort, selection } = props;
  const { shown, layout, resize } = columns;
  const { current } = selection;
  const scroller = useRef<HTMLDivElement>(null);
  const announce = useAnnounce();
  const actions = useRowActions();
  const [menu, setMenu] = useState<MenuPlace>();

  const hasPeriods = useMemo(() => rows.some(({ end }) => end !== ''), [rows]);
  const remote = useConnection().remote !== undefined;
  const drawn = useMemo(() => {
    const judged = remote ? withSeenIssues(shown) : shown;
    return hasPeriods ? withPeriods(judged) : judged;
  }, [remote, hasPeriods, shown]);
  const onResize = useCallback(
    (id: string, width: number | undefined) => {
      const pixels = resize(id, width);
      const column = resultColumns.find((one) => one.id === id);
      if (column && pixels !== undefined) announce(text.results.width(column.label, pixels));
    },
    [resize, announce],
  );

  return (
    <>
      <Grid
        label={text.results.name}
        columns={drawn}
        widths={layout.widths}
        rows={rows}
        total={total}
        rowHeight={useRowHeight()}
        current={current}
        keyOf={rowKey}
        selection={selection}
        sorting={sorting}
        busy={busy}
        scroller={scroller}
        onSort={onSort}
        onResize={onResize}
        onCurrent={(index) => selection.move(index)}
        onOpen={(row) => actions.open([row])}
        onEnter={() => actions.open(selection.rowsAt(current))}
        onCopy={() => actions.copyIds(selection.rowsAt(current))}
        onMenu={setMenu}
      />
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
