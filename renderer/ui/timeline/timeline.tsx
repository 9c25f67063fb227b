import { ActionIcon, Button, VisuallyHidden } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useMemo, useRef, type ReactNode } from 'react';
import { dayNumber, dayText } from '../../../core/app/days.ts';
import { useDates } from '../date-language.ts';
import { TableHead } from '../table-head.tsx';
import { text } from '../text.ts';
import { localDay } from '../time.ts';
import { Bars } from './bars.tsx';
import { layOut, type TimelineItem } from './layout.ts';
import { measure } from './measure.ts';
import styles from './timeline.module.css';
import { useTimeline } from './use-timeline.ts';
import { zooms } from './window.ts';

const words = text.timeline;

export interface TimelineProps {
  /** What has a time; at most `mostDrawn` of them are drawn. */
  readonly items: readonly TimelineItem[];
  /** Key of the item whose time the others belong into, which is shaded behind them. */
  readonly frame?: string;
  /** Days since 1970. */
  readonly today: number;
  readonly onOpen: (key: string) => void;
  /** In words, beside the heading. */
  readonly note?: string | undefined;
  /** What has no place in it. */
  readonly children?: ReactNode;
}

/** More rows than these are a wall of bars. */
export const mostDrawn = 200;

/** Things over time: bars in lanes, today's line, and the same as a table for who does not see them. */
export function Timeline({ items, frame, today, onOpen, note, children }: TimelineProps) {
  useDates();
  const { ref, width } = useElementSize<HTMLDivElement>();
  const svg = useRef<SVGSVGElement>(null);
  const drawn = useMemo(() => items.slice(0, mostDrawn), [items]);
  const { zoom, window, current, zoomTo, page, showToday, touch, onKeyDown } = useTimeline(
    drawn,
    today,
    svg,
    onOpen,
  );
  const [first, last] = [window?.first, window?.last];
  const layout = useMemo(
    () =>
      first === undefined || last === undefined || width === 0
        ? undefined
        : layOut(drawn, { window: { first, last }, width, today, measure }),
    [drawn, first, last, width, today],
  );
  return (
    <figure className={styles.timeline} aria-label={words.name}>
      <div className={styles.head}>
        <h3>{words.name}</h3>
        {note && <span className={styles.note}>{note}</span>}
        {window && <Tools {...{ zoom, zoomTo, page, showToday }} />}
      </div>
      <div ref={ref} className={styles.sight}>
        {layout && (
          <svg
            ref={svg}
            role="group"
            aria-label={words.bars}
            viewBox={`0 0 ${layout.width} ${layout.height}`}
            height={layout.height}
            onKeyDown={onKeyDown}
          >
            <Bars layout={layout} frame={frame} current={current} onOpen={onOpen} onTouch={touch} />
          </svg>
        )}
      </div>
      {window && zoom !== 'all' && (
        <p className={styles.inSight}>{words.inSight(dayText(window.first), dayText(window.last))}</p>
      )}
      {drawn.length < items.length && <p>{words.drawn(drawn.length, items.length)}</p>}
      <TimelineTable items={items} />
      {children}
    </figure>
  );
}

type ToolsProps = Pick<ReturnType<typeof useTimeline>, 'zoom' | 'zoomTo' | 'page' | 'showToday'>;

/** The ways to other days. */
function Tools({ zoom, zoomTo, page, showToday }: ToolsProps) {
  return (
    <div className={styles.tools} role="group" aria-label={words.zoomName}>
      {zoom !== 'all' && (
        <>
          <ActionIcon size="sm" aria-label={words.earlier} title={words.earlier} onClick={() => page(-1)}>
            <IconChevronLeft size={14} aria-hidden />
          </ActionIcon>
          <ActionIcon size="sm" aria-label={words.later} title={words.later} onClick={() => page(1)}>
            <IconChevronRight size={14} aria-hidden />
          </ActionIcon>
        </>
      )}
      <Button size="compact-xs" variant="subtle" onClick={showToday}>
        {words.today}
      </Button>
      {zooms.map((one) => (
        <Button
          key={one}
          size="compact-xs"
          variant={zoom === one ? 'light' : 'subtle'}
          aria-pressed={zoom === one}
          onClick={() => zoomTo(one)}
        >
          {words.zoom[one]}
        </Button>
      ))}
    </div>
  );
}

/** What the bars show, for who does not see them. */
function TimelineTable({ items }: { readonly items: readonly TimelineItem[] }) {
  const { columns, table } = words;
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

/** The local day of now. */
export function dayNow(): number {
  return dayNumber(Date.parse(localDay()));
}
