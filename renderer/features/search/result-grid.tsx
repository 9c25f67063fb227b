import { useRef, useState, useEffect, type RefObject, type Ref } from 'react';
import { usePreference, useRowHeight } from '../../platform/preferences.ts';
import type { Sorting } from '../../ui/grid/columns.ts';
import { Grid } from '../../ui/grid/grid.tsx';
import { currentRow } from '../../ui/grid/row-pointer.ts';
import type { Selection } from '../../ui/grid/use-selection.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import { useStable } from '../../ui/use-stable.ts';
import { useVisibleColumns } from './visible-columns.tsx';
import { rowKey, type ResultRow } from './result-rows.ts';
import type { Columns } from './use-columns.ts';
import { useRowActions, type RowActions } from './use-row-actions.ts';
import { ActionIcon, Menu } from '@mantine/core';
import {
  IconCopy,
  IconBraces,
  IconFileText,
  IconReplace,
  IconTerminal2,
  IconUser,
  IconUserHeart,
} from '@tabler/icons-react';
import styles from './search.module.css';
import { useCopy } from '../../ui/use-copy.ts';
import { patientOf } from '../../../core/fhir/follow.ts';
import { isResourceType } from '../../../core/fhir/resource.ts';

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

interface PointedId {
  readonly value: string;
  readonly left: number;
  readonly top: number;
}

const size = 20;

/** Delay in milliseconds before the button appears, so that clicks reach the row. */
const hoverDelayMs = 300;

/**
 * One button for all IDs of a grid, placed at the end of the ID under the pointer. A button in each cell would slow
 * down every row.
 */
function CopyButton({ gridRef }: { readonly gridRef: RefObject<HTMLElement | null> }) {
  const [pointedId, setPointedId] = useState<PointedId>();
  const copy = useCopy();
  useEffect(() => {
    const grid = gridRef.current;
    if (!grid) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const hide = () => {
      clearTimeout(timer);
      setPointedId(undefined);
    };
    function onOver({ target }: MouseEvent) {
      const idElement = target instanceof Element ? target.closest<HTMLElement>('[data-copy]') : null;
      hide();
      if (!idElement) return;
      timer = setTimeout(() => {
        const { right, top, height } = idElement.getBoundingClientRect();
        setPointedId({
          value: idElement.dataset.copy ?? '',
          left: right - size,
          top: top + (height - size) / 2,
        });
      }, hoverDelayMs);
    }
    // Moving onto the button, which overlays the ID, does not leave the grid.
    const onLeave = ({ relatedTarget }: MouseEvent) => {
      if (!(relatedTarget instanceof Element && relatedTarget.closest('[data-copies]'))) hide();
    };
    const controller = new AbortController();
    const { signal } = controller;
    grid.addEventListener('mouseover', onOver, { signal });
    grid.addEventListener('mouseleave', onLeave, { signal });
    grid.addEventListener('scroll', hide, { signal, passive: true });
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [gridRef]);

  if (!pointedId) return null;
  const { value, left: x, top: y } = pointedId;
  return (
    <ActionIcon
      size={size}
      data-copies
      className={styles.copy ?? ''}
      style={{ left: x, top: y }}
      aria-label={text.results.copy}
      title={text.results.copyValue(value)}
      // Keys copy with Ctrl+C.
      tabIndex={-1}
      onMouseLeave={() => setPointedId(undefined)}
      onClick={() => copy(value, text.results.copied(value))}
    >
      <IconCopy size={13} aria-hidden />
    </ActionIcon>
  );
}

/** Position of the menu in CSS pixels of the window. */
interface MenuPosition {
  readonly x: number;
  readonly y: number;
}

interface RowMenuProps {
  readonly place: MenuPosition | undefined;
  /** Rows that the actions apply to. */
  readonly rows: readonly ResultRow[];
  readonly actions: RowActions;
  readonly onClose: () => void;
}

/** Context menu with the actions for the current row or the selected rows. */
function RowMenu({ place, rows, actions, onClose }: RowMenuProps) {
  const count = rows.length;
  const singleRow = count === 1 ? rows[0] : undefined;
  const patient =
    singleRow && isResourceType(singleRow.type) ? patientOf(singleRow.type, singleRow) : undefined;
  return (
    <Menu
      opened={place !== undefined && count > 0}
      onClose={onClose}
      position="bottom-start"
      offset={2}
      returnFocus={false}
    >
      <Menu.Target>
        <MenuPlace x={place?.x} y={place?.y} />
      </Menu.Target>
      <Menu.Dropdown aria-label={text.rowMenu.name}>
        <Menu.Item leftSection={<IconFileText size={14} />} onClick={() => actions.open(rows)}>
          {text.rowMenu.open(count)}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconCopy size={14} />} onClick={() => actions.copyIds(rows)}>
          {text.rowMenu.copyIds(count)}
        </Menu.Item>
        <Menu.Item leftSection={<IconBraces size={14} />} onClick={() => actions.copyReferences(rows)}>
          {text.rowMenu.copyReferences(count)}
        </Menu.Item>
        {singleRow && (
          <>
            <Menu.Item leftSection={<IconTerminal2 size={14} />} onClick={() => actions.copyCurl(singleRow)}>
              {text.rowMenu.copyCurl}
            </Menu.Item>
            <Menu.Divider />
            <Menu.Item
              leftSection={<IconUserHeart size={14} />}
              disabled={!patient}
              onClick={() => patient && actions.openPatient(patient)}
            >
              {text.rowMenu.openPatient}
            </Menu.Item>
            <Menu.Item
              leftSection={<IconUser size={14} />}
              disabled={singleRow.subject === ''}
              onClick={() => actions.searchPatient(singleRow)}
            >
              {text.rowMenu.searchPatient}
            </Menu.Item>
            <Menu.Item
              leftSection={<IconReplace size={14} />}
              onClick={() => actions.composePatch(singleRow)}
            >
              {text.rowMenu.composePatch}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

interface MenuPlaceProps {
  readonly x: number | undefined;
  readonly y: number | undefined;
  readonly ref?: Ref<HTMLSpanElement>;
}

/** Anchor of the menu. It is no control, so it ignores the ARIA props of a menu target. */
function MenuPlace({ x, y, ref }: MenuPlaceProps) {
  return <span ref={ref} className={styles.menuPlace} style={{ left: x, top: y }} />;
}
