import { useMemo, useState, type CSSProperties } from 'react';
import { targetStates, type TargetState } from '../../../core/app/bulk.ts';
import { useRowHeight } from '../../platform/preferences.ts';
import { formatCount } from '../../ui/format.ts';
import type { GridColumn } from '../../ui/grid/columns.ts';
import { Grid } from '../../ui/grid/grid.tsx';
import { text } from '../../ui/text.ts';
import { ToneDot, type Tone } from '../../ui/tone-dot.tsx';
import type { BulkState, Target } from './bulk-state.ts';
import { stateName } from './bulk-words.ts';
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
  /** Leaves the sheet for a record; absent while it cannot be left. */
  readonly onOpen?: ((target: Target) => void) | undefined;
}

/** The records, each with its outcome and what changes or why not; filtered by outcome. */
export function TargetList({ state, onOpen }: TargetListProps) {
  const { targets } = state;
  const [shown, setShown] = useState<TargetState>();
  const [current, setCurrent] = useState(0);
  const rowHeight = useRowHeight();
  const rows = useMemo(
    () => (shown === undefined ? targets : targets.filter((target) => target.state === shown)),
    [targets, shown],
  );
  const at = Math.min(current, rows.length - 1);
  const row = rows[at];
  // In full for the row that the keys are at: a reason rarely fits in its cell.
  const hint = row && hintOf(row);
  return (
    <div className={styles.list} style={heightOf(targets.length, rowHeight)}>
      <Chips state={state} shown={shown} onShow={setShown} />
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
            current={at}
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
    share: 1,
    cell: (row) => row.title || row.id,
    hint: nameOf,
  },
  {
    id: 'detail',
    label: text.bulk.columns.detail,
    width: 240,
    share: 2.6,
    cell: (row) => <TargetDetail target={row} />,
    hint: hintOf,
  },
  {
    id: 'version',
    label: text.bulk.columns.version,
    width: 84,
    mono: true,
    cell: (row) => row.version ?? '',
  },
  {
    id: 'id',
    label: text.bulk.columns.id,
    width: 96,
    share: 0.8,
    mono: true,
    cell: (row) => row.id,
    hint: nameOf,
  },
];

function nameOf({ type, id }: Target): string {
  return `${type}/${id}`;
}

/** As high as its rows, with what stands above and below them; it yields where there is less room. */
function heightOf(rows: number, rowHeight: number): CSSProperties & Record<'--height', string> {
  return { '--height': `${(rows + 1) * rowHeight + 110}px` };
}

interface ChipsProps {
  readonly state: BulkState;
  /** The outcome that is shown alone; all where undefined. */
  readonly shown: TargetState | undefined;
  readonly onShow: (shown: TargetState | undefined) => void;
}

/** The outcomes that there are, each with its count, to show the records of one alone. */
function Chips({ state, shown, onShow }: ChipsProps) {
  const { targets, counts } = state;
  const present = targetStates.filter((one) => counts[one] > 0 || one === shown);
  return (
    <div className={styles.chips} role="group" aria-label={text.bulk.show}>
      {[undefined, ...present].map((one) => (
        <button key={one ?? ''} type="button" aria-pressed={shown === one} onClick={() => onShow(one)}>
          {one === undefined ? text.bulk.everything : stateName(state, one)}{' '}
          <span>{formatCount(one === undefined ? targets.length : counts[one])}</span>
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
