import { VisuallyHidden } from '@mantine/core';
import { scaleLinear } from 'd3-scale';
import type { Tone } from './tone-dot.tsx';
import { TableHead } from './table-head.tsx';
import styles from './ui.module.css';

interface SparklineProps {
  /** What it shows, for who does not see it. */
  readonly label: string;
  readonly days: readonly { readonly day: string; readonly value: number }[];
  /** Names of a day and of its value: the days then stand in a table for who does not see the line. */
  readonly headings?: readonly [day: string, value: string];
  /** How a value is written in that table. */
  readonly written?: (value: number) => string;
  readonly tone?: Tone;
  readonly width?: number;
  readonly height?: number;
}

/** A line of values over days, drawn from the least to the greatest; a single day is a dot. */
export function Sparkline({
  label,
  days,
  headings,
  written = String,
  tone,
  width = 88,
  height = 18,
}: SparklineProps) {
  if (days.length === 0) return null;
  const values = days.map(({ value }) => value);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const x = scaleLinear([0, Math.max(1, values.length - 1)], [2, width - 2]);
  const y = scaleLinear(least === most ? [least - 1, least + 1] : [least, most], [height - 3, 3]);
  const points = values.map((value, index) => `${x(index).toFixed(1)},${y(value).toFixed(1)}`);
  const last = values.at(-1) ?? 0;
  const said = headings
    ? ({ 'aria-hidden': true } as const)
    : ({ role: 'img', 'aria-label': label } as const);
  return (
    <>
      <svg className={styles.sparkline} data-tone={tone} width={width} height={height} {...said}>
        <polyline points={points.join(' ')} />
        <circle cx={x(values.length - 1)} cy={y(last)} r={2} />
      </svg>
      {headings && (
        <VisuallyHidden>
          <table aria-label={label}>
            <TableHead columns={headings} />
            <tbody>
              {days.map(({ day, value }) => (
                <tr key={day}>
                  <th scope="row">{day}</th>
                  <td>{written(value)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </VisuallyHidden>
      )}
    </>
  );
}
