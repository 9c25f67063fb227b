import { excerptOf } from '../../../core/app/excerpt.ts';
import { formatCount } from '../../ui/format.ts';
import { parseTyped } from '../../platform/read-json.ts';
import { text } from '../../ui/text.ts';
import styles from './bulk.module.css';
import { valuesAt, type Sample } from './sample.ts';

const maxVisible = 12;
const excerptLength = 40;

interface OperationValuesProps {
  readonly sample: Sample;
  readonly path: string;
  /** Text of the condition field. */
  readonly now: string;
  readonly onNow: (now: string) => void;
}

/** Values at a path in the first records with their counts. Each can be selected as the condition. */
export function OperationValues({ sample, path, now, onNow }: OperationValuesProps) {
  const values = valuesAt(sample, path.trim());
  const { records, isComplete } = sample;
  if (path.trim() === '' || records.length === 0) return null;
  const condition = parseTyped(now);
  if (values.length === 0)
    return <p className={styles.values}>{text.bulk.noValues(records.length, isComplete)}</p>;
  const label = text.bulk.values(records.length, isComplete);
  return (
    <div className={styles.values} role="group" aria-label={label}>
      <span>{label}</span>
      {values.slice(0, maxVisible).map(({ value, node, count }) => {
        const isSelected = 'source' in condition && condition.source === value;
        return (
          <button
            key={value}
            type="button"
            title={value}
            aria-pressed={isSelected}
            onClick={() => onNow(isSelected ? '' : value)}
          >
            {excerptOf(node, excerptLength)} <span>{formatCount(count)}</span>
          </button>
        );
      })}
      {values.length > maxVisible && <span>{text.bulk.moreValues(values.length - maxVisible)}</span>}
    </div>
  );
}
