import { text } from '../text.ts';
import { toneOf } from '../status-dot.tsx';
import { axisHeight, rowHeight, type Bar, type Layout, type PlacedItem } from './layout.ts';
import styles from './timeline.module.css';

interface BarsProps {
  readonly layout: Layout;
  readonly frame: string | undefined;
  /** Key of the item in the tab order. */
  readonly current: string | undefined;
  readonly onOpen: (key: string) => void;
  readonly onTouch: (key: string) => void;
}

/** The drawing: axis, lanes, bars with labels, and today. */
export function Bars({ layout, frame, current, onOpen, onTouch }: BarsProps) {
  const { width, height, ticks, lanes, items, today } = layout;
  const [frameBar] = items.find(({ item }) => item.key === frame)?.bars ?? [];
  const tabStop = items.some(({ item }) => item.key === current) ? current : items[0]?.item.key;
  return (
    <>
      {frameBar && (
        <rect
          className={styles.shade}
          x={frameBar.x}
          width={frameBar.width}
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
      {items.map((placedItem) => (
        <Item
          key={placedItem.item.key}
          placedItem={placedItem}
          isFrame={placedItem.item.key === frame}
          tabIndex={placedItem.item.key === tabStop ? 0 : -1}
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
  readonly placedItem: PlacedItem;
  readonly isFrame: boolean;
  readonly tabIndex: 0 | -1;
}

const inset = 4;
const barHeight = rowHeight - 2 * inset;

function Item({ placedItem: { item, top, bars, label }, isFrame, tabIndex, onOpen, onTouch }: ItemProps) {
  const { key, status, negated, when, warning } = item;
  // The name starts with the visible text.
  const name = [item.label, status, warning, when].filter(Boolean).join(', ');
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
      {/* The style sheet cuts a long label, because a shorter text would not be part of the name. */}
      <foreignObject
        x={label.place === 'before' ? label.x - label.room : label.x}
        y={top}
        width={Math.max(0, label.room)}
        height={rowHeight}
        aria-hidden
      >
        <div className={styles.label} data-place={label.place}>
          {bars.length === 0 && label.place === 'after' && <i>‹</i>}
          <span>{item.label}</span>
          {status !== '' && <small>{` ${status}`}</small>}
          {warning !== '' && <strong>{` ${status === '' ? '' : '· '}${warning}`}</strong>}
          {bars.length === 0 && label.place === 'before' && <i>›</i>}
        </div>
      </foreignObject>
    </g>
  );
}

/** A bar. An open end has a point. The uncertain days of a partial date are lighter. */
function Shape({ bar, top }: { readonly bar: Bar; readonly top: number }) {
  const { x, width, certain, openStart, openEnd } = bar;
  const tip = Math.min(6, width / 2);
  const [leftX, rightX, middleY, bottomY] = [x, x + width, top + barHeight / 2, top + barHeight];
  const path = [
    `M${openStart ? leftX + tip : leftX},${top}`,
    openEnd
      ? `L${rightX - tip},${top}L${rightX},${middleY}L${rightX - tip},${bottomY}`
      : `L${rightX},${top}L${rightX},${bottomY}`,
    openStart ? `L${leftX + tip},${bottomY}L${leftX},${middleY}Z` : `L${leftX},${bottomY}Z`,
  ].join('');
  const isExact = certain !== undefined && certain.width >= width;
  return (
    <>
      <path className={styles.bar} d={path} data-partial={!isExact || undefined} />
      {certain && !isExact && (
        <rect className={styles.certain} x={certain.x} y={top} width={certain.width} height={barHeight} />
      )}
    </>
  );
}
