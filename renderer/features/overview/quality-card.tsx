import { Button, Skeleton } from '@mantine/core';
import { categories } from '../../../core/app/quality.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { lineOf, useMeasures } from '../../platform/measures.ts';
import { Sparkline } from '../../ui/sparkline.tsx';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { text } from '../../ui/text.ts';
import { Card } from './card.tsx';
import styles from './overview.module.css';
import { useQualityShares } from './use-records-overview.ts';

const words = text.overview.quality;
const sum = (counts: Readonly<Record<string, number>>) =>
  Object.values(counts).reduce((all, count) => all + count, 0);

/** The share of records without a finding, and the findings by category. */
export function QualityCard() {
  const query = useQualityShares();
  const { data: measures } = useMeasures(30);
  const line = measures ? lineOf(measures, 'all') : [];
  const { openView } = useWorkbenchActions();
  if (!query.data) {
    return (
      <Card title={words.title}>
        {query.isError ? (
          <RequestFailure title={words.failed} of={query} />
        ) : (
          <Skeleton height={96} aria-hidden />
        )}
      </Card>
    );
  }
  const { records, flagged, open = flagged, groups } = query.data;
  const [all, dirty] = [sum(records), sum(open)];
  // Never 100 % while there is a finding.
  const share = all === 0 ? 100 : Math.floor(((all - dirty) / all) * 1000) / 10;
  return (
    <Card title={words.title} note={words.flagged(dirty)}>
      <p>
        <b className={styles.share}>{share} %</b> {words.share}
      </p>
      {line.length > 1 && (
        <Sparkline
          label={words.trend}
          days={line.map(({ day, share: value }) => ({ day, value }))}
          headings={[text.quality.trend.day, words.share]}
          written={text.quality.trend.percent}
          width={240}
          height={32}
        />
      )}
      <dl className={styles.categories}>
        {categories.map((category) => (
          <div key={category}>
            <dt>{text.quality.categories[category]}</dt>
            <dd>
              {words.findings(
                groups
                  .filter((group) => group.category === category)
                  .reduce((found, { findings }) => found + findings, 0),
              )}
            </dd>
          </div>
        ))}
      </dl>
      {sum(flagged) > 0 && <Button onClick={() => openView('quality')}>{words.open}</Button>}
    </Card>
  );
}
