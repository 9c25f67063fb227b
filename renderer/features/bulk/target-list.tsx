import { useMemo, useState, type CSSProperties } from 'react';
import { targetStates, type TargetState } from '../../../core/app/bulk.ts';
import { useRowHeight } from '../../platform/preferences.ts';
import { formatCount } from '../../ui/format.ts';
import type { GridColumn } from '../../ui/grid/columns.ts';
import { Grid } from '../../ui/grid/grid.tsx';
import { text } from '../../ui/text.ts';
import { ToneDot, type Tone } from '../../ui/tone-dot.tsx';
import type { BulkState, Target } from './bulk-state.ts';
import { stateName } from './bulk-messages.ts';
import styles from './bulk.module.css';
import { TargetDetail } from './target-detail.tsx';

const tones: Readonly<Record<TargetState, Tone>> = {
  waiting: 'neutral',
  ready: 'info',
  unchanged: 'neutral',
  cannot: 'warning',
  refused: 'danger',
  unread: 'warning',
  done: 'good',
  changed: 'warning',
  gone: 'warning',
  failed: 'danger',
};

interface TargetListProps {
  readonly state: BulkState;
  /** Leaves the sheet to open a record; undefined while the sheet must stay open. */
  readonly onOpen?: ((target: Target) => void) | undefined;
}

/** List of the records with their results and changes. Can be filtered by result. */
export function TargetList({ state, onOpen }: TargetListProps) {
  const { targets } = state;
  const [stateFilter, setStateFilter] = useState<TargetState>();
  const [current, setCurrent] = useState(0);
  const rowHeight = useRowHeight();
  const rows = useMemo(
    () => (stateFilter === undefined ? targets : targets.filter((target) => target.state === stateFilter)),
    [targets, stateFilter],
  );
  const currentIndex = Math.min(current, rows.length - 1);
  const row = rows[currentIndex];
  // Full text for the current row, because a reason rarely fits in its cell.
  const hint = row && hintOf(row);
  return (
    <div className={styles.list} style={heightOf(targets.length, rowHeight)}>
      <Chips state={state} stateFilter={stateFilter} onShow={setStateFilter} />
      {rows.length === 0 ? (
        <p className={styles.none}>{text.bulk.noneShown}</p>
      ) : (
        <>
          <Grid
            label={text.bulk.targets}
            columns={[stateColumn(state), ...columns]}
            rows={rows}
            total={rows.length}
            rowHeight={rowHeight}
            current={currentIndex}
            keyOf={nameOf}
            onCurrent={setCurrent}
            {...(onOpen && { onOpen })}
          />
          <p className={styles.detail}>{[hint, onOpen && text.bulk.openRecord].filter(Boolean).join('\n')}</p>
        </>
      )}
    </div>
  );
}

function stateColumn(run: BulkState): GridColumn<Target> {
  return {
    id: 'state',
    label: text.bulk.columns.state,
    width: 158,
    cell: ({ state }) => <ToneDot tone={tones[state]} label={stateName(run, state)} />,
  };
}

const columns: readonly GridColumn<Target>[] = [
  {
    id: 'title',
    label: text.bulk.columns.title,
    width: 120,
    flexShare: 1,
    cell: (row) => row.title || row.id,
    hint: nameOf,
  },
  {
    id: 'detail',
    label: text.bulk.columns.detail,
    width: 240,
    flexShare: 2.6,
    cell: (row) => <TargetDetail target={row} />,
    hint: hintOf,
  },
  {
    id: 'version',
    label: text.bulk.columns.version,
    width: 84,
    isMonospaced: true,
    cell: (row) => row.version ?? '',
  },
  {
    id: 'id',
    label: text.bulk.columns.id,
    width: 96,
    flexShare: 0.8,
    isMonospaced: true,
    cell: (row) => row.id,
    hint: nameOf,
  },
];

function nameOf({ type, id }: Target): string {
  return `${type}/${id}`;
}

/** Sets the height of all rows and the parts around them. The list shrinks if there is less space. */
function heightOf(rows: number, rowHeight: number): CSSProperties & Record<'--height', string> {
  return { '--height': `${(rows + 1) * rowHeight + 110}px` };
}

interface ChipsProps {
  readonly state: BulkState;
  /** Result state of the visible records; undefined shows all. */
  readonly stateFilter: TargetState | undefined;
  readonly onShow: (stateFilter: TargetState | undefined) => void;
}

/** Filter buttons of the existing result states, with counts. */
function Chips({ state, stateFilter, onShow }: ChipsProps) {
  const { targets, counts } = state;
  const present = targetStates.filter((state) => counts[state] > 0 || state === stateFilter);
  return (
    <div className={styles.chips} role="group" aria-label={text.bulk.show}>
      {[undefined, ...present].map((filter) => (
        <button
          key={filter ?? ''}
          type="button"
          aria-pressed={stateFilter === filter}
          onClick={() => onShow(filter)}
        >
          {filter === undefined ? text.bulk.everything : stateName(state, filter)}{' '}
          <span>{formatCount(filter === undefined ? targets.length : counts[filter])}</span>
        </button>
      ))}
    </div>
  );
}

function hintOf({ detail, changes = [], warnings = [] }: Target): string {
  const lines = changes.map(
    ({ pointer, before, after }) =>
      `${pointer}: ${before ?? text.bulk.nothing} → ${after ?? text.bulk.nothing}`,
  );
  return [detail, ...lines, ...warnings].filter((line) => line !== undefined).join('\n');
}
