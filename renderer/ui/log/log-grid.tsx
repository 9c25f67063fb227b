import { useState, type RefObject } from 'react';
import type { GridColumn } from '../grid/columns.ts';
import { Grid } from '../grid/grid.tsx';

interface LogGridProps<Entry> {
  readonly label: string;
  readonly columns: readonly GridColumn<Entry>[];
  readonly entries: readonly Entry[];
  /** On all pages; absent where nobody knows. */
  readonly total?: number | undefined;
  readonly rowHeight: number;
  readonly busy: boolean;
  /** `seq` of the entry whose details are shown. */
  readonly shown: number | undefined;
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly onShow: (entry: Entry) => void;
  readonly onHide: () => void;
  /** The end of what is loaded comes near. */
  readonly onEnd: () => void;
}

/** The entries of a log, newest first; the chosen one stays chosen where newer ones come above it. */
export function LogGrid<Entry extends { readonly seq: number }>(props: LogGridProps<Entry>) {
  const { entries, shown, onShow, onHide } = props;
  const [active, setActive] = useState<number>();
  const current = Math.max(
    0,
    entries.findIndex(({ seq }) => seq === active),
  );

  function move(index: number) {
    const entry = entries[index];
    if (!entry) return;
    setActive(entry.seq);
    // Open details follow the keys.
    if (shown !== undefined && shown !== entry.seq) onShow(entry);
  }

  return (
    <Grid
      label={props.label}
      columns={props.columns}
      rows={entries}
      total={props.total}
      rowHeight={props.rowHeight}
      current={current}
      keyOf={keyOf}
      onCurrent={move}
      onOpen={onShow}
      onEnd={props.onEnd}
      details={{ shown: shown === undefined ? undefined : String(shown), onHide }}
      busy={props.busy}
      scroller={props.scroller}
    />
  );
}

function keyOf({ seq }: { readonly seq: number }): string {
  return String(seq);
}
