import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useRef, type KeyboardEvent } from 'react';
import type { ImportResult } from '../../../core/app/transfer.ts';
import { formatCount } from '../../ui/format.ts';
import { ToneDot } from '../../ui/tone-dot.tsx';
import { text } from '../../ui/text.ts';
import styles from './data.module.css';
import type { OutcomeFilter } from './import-log.ts';
import type { OutcomeGroup } from './outcome-groups.ts';

interface OutcomeByReasonProps {
  readonly groups: readonly OutcomeGroup[];
  /** Labels of the results. */
  readonly results: Readonly<Record<ImportResult, string>>;
  readonly filter: OutcomeFilter;
  readonly onFilter: (filter: OutcomeFilter) => void;
}

const messages = text.data.import;
const tones = {
  stored: 'good',
  kept: 'good',
  replaced: 'good',
  unchanged: 'neutral',
  storable: 'warning',
  refused: 'danger',
  skipped: 'info',
} as const;

/** Results grouped by reason. An open group limits the list of lines to its own. */
export function OutcomeByReason({ groups, results, filter, onFilter }: OutcomeByReasonProps) {
  const body = useRef<HTMLDivElement>(null);
  const toggle = (group: OutcomeGroup, isOpen: boolean) => onFilter(isOpen ? group.filter : 'all');
  const onKeyDown = (event: KeyboardEvent, group: OutcomeGroup, index: number) => {
    const rows = [...(body.current?.children ?? [])].filter((row) => row instanceof HTMLElement);
    const moves: Readonly<Record<string, () => void>> = {
      ArrowDown: () => rows[Math.min(index + 1, rows.length - 1)]?.focus(),
      ArrowUp: () => rows[Math.max(index - 1, 0)]?.focus(),
      Home: () => rows[0]?.focus(),
      End: () => rows.at(-1)?.focus(),
      ArrowRight: () => toggle(group, true),
      ArrowLeft: () => toggle(group, false),
      Enter: () => toggle(group, filter !== group.filter),
    };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    move();
  };
  const openIndex = Math.max(
    0,
    groups.findIndex((group) => group.filter === filter),
  );
  return (
    <div className={styles.reasons} role="treegrid" aria-label={messages.reasons} aria-colcount={2}>
      <div role="rowgroup">
        <div role="row">
          <span role="columnheader">{messages.reasonColumns.reason}</span>
          <span role="columnheader">{messages.reasonColumns.count}</span>
        </div>
      </div>
      <div role="rowgroup" ref={body}>
        {groups.map((group, index) => {
          const isOpen = group.filter === filter;
          const Icon = isOpen ? IconChevronDown : IconChevronRight;
          const label = group.kind === 'storable' ? messages.storable : results[group.kind];
          return (
            <div
              key={group.filter}
              role="row"
              aria-level={1}
              aria-expanded={isOpen}
              tabIndex={index === openIndex ? 0 : -1}
              onClick={() => toggle(group, !isOpen)}
              onKeyDown={(event) => onKeyDown(event, group, index)}
            >
              <span role="gridcell">
                <Icon size={14} aria-hidden />
                <ToneDot tone={tones[group.kind]} label={label} />
                {group.reason !== undefined && <span className={styles.groupReason}>{group.reason}</span>}
              </span>
              <span role="gridcell">{formatCount(group.lines.length)}</span>
            </div>
          );
        })}
      </div>
    </div>
  );
}
