import { useMemo, useState, type CSSProperties } from 'react';
import { targetStates, type TargetState } from '../../../core/app/bulk.ts';
import { useRowHeight } from '../../platform/preferences.ts';
import { formatCount } from '../../ui/format.ts';
import type { GridColumn } from '../../ui/grid/columns.ts';
import { Grid } from '../../ui/grid/grid.tsx';
import { text } from '../../ui/text.ts';
import type { BulkState, Target } from './bulk-state.ts';
import { stateName } from './bulk-words.ts';
import styles from './bulk.module.css';
import { TargetDetail } from './target-detail.tsx';

const tones: Readonly<Record<TargetState, string>> = {
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
  const { targets, counts } = state;
  const [shown, setShown] = useState<TargetState>();
  const [current, setCurrent] = useState(0);
  const rowHeight = useRowHeight();
  const labelOf = (one: TargetState) => stateName(state, one);
  const rows = useMemo(
    () => (shown === undefined ? targets : targets.filter((target) => target.state === shown)),
    [targets, shown],
  );
  const columns: GridColumn<Target>[] = [
    {
      id: 'state',
      label: text.bulk.columns.state,
      width: 158,
      cell: (row) => (
        <span className={styles.state}>
          <i data-tone={tones[row.state]} aria-hidden />
          {labelOf(row.state)}
        </span>
      ),
    },
    {
      id: 'title',
      label: text.bulk.columns.title,
      width: 120,
      share: 1,
      cell: (row) => row.title || row.id,
      hint: (row) => `${row.type}/${row.id}`,
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
      hint: (row) => `${row.type}/${row.id}`,
    },
  ];
  const present = targetStates.filter((one) => counts[one] > 0 || one === shown);
  const at = Math.min(current, rows.length - 1);
  const row = rows[at];
  // In full for the row that the keys are at: a reason rarely fits in its cell.
  const hint = row && hintOf(row);
  return (
    <div className={styles.list} style={heightOf(targets.length, rowHeight)}>
      <div className={styles.chips} role="group" aria-label={text.bulk.show}>
        <Chip
          label={text.bulk.everything}
          count={targets.length}
          pressed={shown === undefined}
          onPress={() => setShown(undefined)}
        />
        {present.map((one) => (
          <Chip
            key={one}
            label={labelOf(one)}
            count={counts[one]}
            pressed={shown === one}
            onPress={() => setShown(one)}
          />
        ))}
      </div>
      {rows.length === 0 ? (
        <p className={styles.none}>{text.bulk.noneShown}</p>
      ) : (
        <>
          <Grid
            label={text.bulk.targets}
            columns={columns}
            rows={rows}
            total={rows.length}
            rowHeight={rowHeight}
            current={at}
            keyOf={({ type, id }) => `${type}/${id}`}
            onCurrent={setCurrent}
            {...(onOpen && { onOpen })}
          />
          <p className={styles.detail}>{[hint, onOpen && text.bulk.openRecord].filter(Boolean).join('\n')}</p>
        </>
      )}
    </div>
  );
}

/** As high as its rows, with what stands above and below them; it yields where there is less room. */
function heightOf(rows: number, rowHeight: number): CSSProperties & Record<'--height', string> {
  return { '--height': `${(rows + 1) * rowHeight + 110}px` };
}

interface ChipProps {
  readonly label: string;
  readonly count: number;
  readonly pressed: boolean;
  readonly onPress: () => void;
}

function Chip({ label, count, pressed, onPress }: ChipProps) {
  return (
    <button type="button" aria-pressed={pressed} onClick={onPress}>
      {label} <span>{formatCount(count)}</span>
    </button>
  );
}

function hintOf({ detail, changes = [], warnings = [] }: Target): string {
  const lines = changes.map(
    ({ pointer, before, after }) =>
      `${pointer}: ${before ?? text.bulk.nothing} → ${after ?? text.bulk.nothing}`,
  );
  return [detail, ...lines, ...warnings].filter((line) => line !== undefined).join('\n');
}
