import { VisuallyHidden } from '@mantine/core';
import type { Tone } from './tone-dot.tsx';
import { TableHead } from './table-head.tsx';
import styles from './ui.module.css';

interface SparklineProps {
  /** Accessible description of the line. */
  readonly label: string;
  readonly days: readonly { readonly day: string; readonly value: number }[];
  /** Headings of day and value. With them, screen readers get the days as a table. */
  readonly headings?: readonly [day: string, value: string];
  readonly format?: (value: number) => string;
  readonly tone?: Tone;
  readonly width?: number;
  readonly height?: number;
}

/** Line of values over days, scaled from the minimum to the maximum. A single day is a dot. */
export function Sparkline({
  label,
  days,
  headings,
  format = String,
  tone,
  width = 88,
  height = 18,
}: SparklineProps) {
  if (days.length === 0) return null;
  const values = days.map(({ value }) => value);
  const [min, max] = [Math.min(...values), Math.max(...values)];
  const x = (index: number) => 2 + (index / Math.max(1, values.length - 1)) * (width - 4);
  // Equal values are a line in the middle.
  const y = (value: number) => height - 3 - (min === max ? 0.5 : (value - min) / (max - min)) * (height - 6);
  const points = values.map((value, index) => `${x(index).toFixed(1)},${y(value).toFixed(1)}`);
  const lastValue = values.at(-1) ?? 0;
  const accessibility = headings
    ? ({ 'aria-hidden': true } as const)
    : ({ role: 'img', 'aria-label': label } as const);
  return (
    <>
      <svg className={styles.sparkline} data-tone={tone} width={width} height={height} {...accessibility}>
        <polyline points={points.join(' ')} />
        <circle cx={x(values.length - 1)} cy={y(lastValue)} r={2} />
      </svg>
      {headings && (
        <VisuallyHidden>
          <table aria-label={label}>
            <TableHead columns={headings} />
            <tbody>
              {days.map(({ day, value }) => (
                <tr key={day}>
                  <th scope="row">{day}</th>
                  <td>{format(value)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </VisuallyHidden>
      )}
    </>
  );
}
