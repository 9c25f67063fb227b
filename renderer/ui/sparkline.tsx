import { scaleLinear } from 'd3-scale';
import styles from './ui.module.css';

interface SparklineProps {
  /** What it shows, for who does not see it. */
  readonly label: string;
  readonly values: readonly number[];
  readonly width?: number;
  readonly height?: number;
}

/** A line of values over days, drawn from the least to the greatest; a single day is a dot. */
export function Sparkline({ label, values, width = 88, height = 18 }: SparklineProps) {
  if (values.length === 0) return null;
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const x = scaleLinear([0, Math.max(1, values.length - 1)], [2, width - 2]);
  const y = scaleLinear(least === most ? [least - 1, least + 1] : [least, most], [height - 3, 3]);
  const points = values.map((value, index) => `${x(index).toFixed(1)},${y(value).toFixed(1)}`);
  const last = values.at(-1) ?? 0;
  return (
    <svg className={styles.sparkline} role="img" aria-label={label} width={width} height={height}>
      <polyline points={points.join(' ')} />
      <circle cx={x(values.length - 1)} cy={y(last)} r={2} />
    </svg>
  );
}
