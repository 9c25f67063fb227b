import { text } from '../text.ts';
import { toneOf } from '../status-dot.tsx';
import { axisHeight, rowHeight, type Bar, type Layout, type PlacedItem } from './layout.ts';
import { cutTo, measure } from './measure.ts';
import styles from './timeline.module.css';

interface BarsProps {
  readonly layout: Layout;
  readonly frame: string | undefined;
  /** Key of the item that Tab leads to. */
  readonly current: string | undefined;
  readonly onOpen: (key: string) => void;
  readonly onTouch: (key: string) => void;
}

/** The drawing itself: axis, lanes, bars with their words, and today. */
export function Bars({ layout, frame, current, onOpen, onTouch }: BarsProps) {
  const { width, height, ticks, lanes, items, today } = layout;
  const [shade] = items.find(({ item }) => item.key === frame)?.bars ?? [];
  const reachable = items.some(({ item }) => item.key === current) ? current : items[0]?.item.key;
  return (
    <>
      {shade && (
        <rect
          className={styles.shade}
          x={shade.x}
          width={shade.width}
          y={axisHeight}
          height={height - axisHeight - 14}
        />
      )}
      <g aria-hidden>
        {ticks.map(({ x, label }) => (
          <g key={x} className={styles.tick}>
            <line x1={x} x2={x} y1={axisHeight - 4} y2={height - 14} />
            {x + 40 < width && (
              <text x={x + 4} y={12}>
                {label}
              </text>
            )}
          </g>
        ))}
        {lanes.map(({ name, top }) => (
          <text key={name} className={styles.lane} data-lane x={0} y={top + 14}>
            {name}
          </text>
        ))}
      </g>
      {items.map((placed) => (
        <Item
          key={placed.item.key}
          placed={placed}
          isFrame={placed.item.key === frame}
          tabIndex={placed.item.key === reachable ? 0 : -1}
          onOpen={onOpen}
          onTouch={onTouch}
        />
      ))}
      {today !== undefined && (
        <g className={styles.today} aria-hidden>
          <line x1={today} x2={today} y1={axisHeight - 4} y2={height - 12} />
          <text x={Math.min(Math.max(today, 18), width - 18)} y={height - 2} textAnchor="middle">
            {text.timeline.todayHere}
          </text>
        </g>
      )}
    </>
  );
}

interface ItemProps extends Pick<BarsProps, 'onOpen' | 'onTouch'> {
  readonly placed: PlacedItem;
  readonly isFrame: boolean;
  readonly tabIndex: 0 | -1;
}

const inset = 4;
const barHeight = rowHeight - 2 * inset;

function Item({ placed: { item, top, bars, label }, isFrame, tabIndex, onOpen, onTouch }: ItemProps) {
  const { key, status, negated, when, warning } = item;
  const name = [item.label, status, when, warning].filter(Boolean).join(', ');
  const rest = [status, warning].filter(Boolean).join(' · ');
  const behind = rest === '' ? '' : ` ${rest}`;
  const said = cutTo(item.label, label.room - measure(behind));
  return (
    <g
      role="button"
      className={styles.item}
      aria-label={name}
      data-item={key}
      data-tone={isFrame ? 'frame' : toneOf(status, negated)}
      data-warning={warning !== '' || undefined}
      tabIndex={tabIndex}
      onClick={() => onOpen(key)}
      onFocus={() => onTouch(key)}
    >
      <title>{name}</title>
      <rect className={styles.row} x={0} y={top} width="100%" height={rowHeight} />
      {bars.map((bar) => (
        <Shape key={bar.x} bar={bar} top={top + inset} />
      ))}
      <text
        x={label.x}
        y={top + rowHeight / 2}
        textAnchor={label.place === 'before' ? 'end' : 'start'}
        dominantBaseline="central"
        aria-hidden
      >
        {bars.length === 0 && label.place === 'after' && '‹ '}
        {said}
        {status !== '' && <tspan className={styles.status}>{` ${status}`}</tspan>}
        {warning !== '' && (
          <tspan className={styles.warning}>{` ${status === '' ? '' : '· '}${warning}`}</tspan>
        )}
        {bars.length === 0 && label.place === 'before' && ' ›'}
      </text>
    </g>
  );
}

/** A bar; an end that is not named has a point, days that a partial date leaves open are lighter. */
function Shape({ bar, top }: { readonly bar: Bar; readonly top: number }) {
  const { x, width, certain, openStart, openEnd } = bar;
  const tip = Math.min(6, width / 2);
  const [left, right, middle, bottom] = [x, x + width, top + barHeight / 2, top + barHeight];
  const path = [
    `M${openStart ? left + tip : left},${top}`,
    openEnd
      ? `L${right - tip},${top}L${right},${middle}L${right - tip},${bottom}`
      : `L${right},${top}L${right},${bottom}`,
    openStart ? `L${left + tip},${bottom}L${left},${middle}Z` : `L${left},${bottom}Z`,
  ].join('');
  const exact = certain !== undefined && certain.width >= width;
  return (
    <>
      <path className={styles.bar} d={path} data-partial={!exact || undefined} />
      {certain && !exact && (
        <rect className={styles.certain} x={certain.x} y={top} width={certain.width} height={barHeight} />
      )}
    </>
  );
}
