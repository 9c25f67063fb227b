import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { BulkOperation } from '../../../core/app/bulk.ts';
import { examine } from '../../../core/app/bulk-replace.ts';
import { useOverview } from '../../platform/app-queries.ts';
import { zoneOf } from '../../platform/zone.ts';
import { text } from '../../ui/text.ts';
import { localDay } from '../../ui/time.ts';
import type { Target } from './bulk-state.ts';
import styles from './bulk.module.css';
import { compute } from './compute.ts';
import type { Sample } from './sample.ts';
import { TargetDetail } from './target-detail.tsx';

const maxVisible = 10;

/** Pause in typing before the preview is computed, in milliseconds. */
const typingPause = 300;

interface FirstResultsProps {
  readonly sample: Sample;
  readonly operations: readonly BulkOperation[];
}

/** Previews the operations on the first records, before the dry run. */
export function FirstResults({ sample, operations }: FirstResultsProps) {
  const level = useOverview().data?.level ?? 'standard';
  const [debouncedOperations] = useDebouncedValue(operations, typingPause);
  const { data: results } = useQuery({
    queryKey: [
      'bulk first',
      level,
      debouncedOperations,
      sample.records.slice(0, maxVisible).map(({ text }) => text),
    ],
    queryFn: () => resultsOf(sample, debouncedOperations, level),
    gcTime: 0,
    placeholderData: (previous) => previous,
  });
  if (!results || results.length === 0) return null;
  return (
    <section className={styles.first} aria-label={text.bulk.first(results.length)}>
      <h3>{text.bulk.first(results.length)}</h3>
      <ul aria-live="polite">
        {results.map((target) => (
          <li key={`${target.type}/${target.id}`} data-state={target.state}>
            <span>
              {target.title}
              <small>{target.id}</small>
            </span>
            <div>
              <TargetDetail target={target} />
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

async function resultsOf(
  { records }: Sample,
  operations: readonly BulkOperation[],
  level: Parameters<typeof examine>[3]['level'],
): Promise<readonly Target[]> {
  const options = { level, today: localDay(), zoneOf, compute };
  const results: Target[] = [];
  for (const { target, text: record } of records.slice(0, maxVisible)) {
    results.push({ ...target, ...(await examine(record, target.type, operations, options)) });
  }
  return results;
}
