import { excerptOf } from '../../../core/app/excerpt.ts';
import { formatCount } from '../../ui/format.ts';
import { parseTyped } from '../../platform/read-json.ts';
import { text } from '../../ui/text.ts';
import styles from './bulk.module.css';
import { valuesAt, type Sample } from './sample.ts';

const mostShown = 12;
const excerptLength = 40;

interface OperationValuesProps {
  readonly sample: Sample;
  readonly path: string;
  /** What is typed as the value that must stand there. */
  readonly now: string;
  readonly onNow: (now: string) => void;
}

/** The values that stand at a path in the first records, with their counts; each can be chosen. */
export function OperationValues({ sample, path, now, onNow }: OperationValuesProps) {
  const values = valuesAt(sample, path.trim());
  const { records, all } = sample;
  if (path.trim() === '' || records.length === 0) return null;
  const chosen = parseTyped(now);
  const where = text.bulk.sampled(records.length, all);
  if (values.length === 0) return <p className={styles.values}>{text.bulk.noValues(where)}</p>;
  return (
    <div className={styles.values} role="group" aria-label={text.bulk.values(where)}>
      <span>{text.bulk.values(where)}</span>
      {values.slice(0, mostShown).map(({ value, node, count }) => {
        const isChosen = 'source' in chosen && chosen.source === value;
        return (
          <button
            key={value}
            type="button"
            title={value}
            aria-pressed={isChosen}
            onClick={() => onNow(isChosen ? '' : value)}
          >
            {excerptOf(node, excerptLength)} <span>{formatCount(count)}</span>
          </button>
        );
      })}
      {values.length > mostShown && <span>{text.bulk.moreValues(values.length - mostShown)}</span>}
    </div>
  );
}
