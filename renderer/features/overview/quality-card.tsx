import { Button, Skeleton } from '@mantine/core';
import { categories } from '../../../core/app/quality.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { lineOf, useMeasures } from '../../platform/measures.ts';
import { Sparkline } from '../../ui/sparkline.tsx';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { formatPercent } from '../../ui/format.ts';
import { MessageNodes } from '../../ui/message-nodes.tsx';
import { text } from '../../ui/text.ts';
import { Card } from './card.tsx';
import styles from './overview.module.css';
import { useQualityShares } from './use-records-overview.ts';

const messages = text.overview.quality;
const sum = (counts: Readonly<Record<string, number>>) =>
  Object.values(counts).reduce((total, count) => total + count, 0);

/** Share of records without issues, and the number of issues by category. */
export function QualityCard() {
  const query = useQualityShares();
  const { data: measures } = useMeasures(30);
  const line = measures ? lineOf(measures, 'all') : [];
  const { openView } = useWorkbenchActions();
  if (!query.data) {
    return (
      <Card title={messages.title}>
        {query.isError ? (
          <RequestFailure title={messages.failed} query={query} />
        ) : (
          <Skeleton height={96} aria-hidden />
        )}
      </Card>
    );
  }
  const { records, flagged: flaggedByType, open = flaggedByType, groups } = query.data;
  const [recordCount, flaggedCount] = [sum(records), sum(open)];
  // Rounded down, so that it is never 100% while a record has an issue.
  const share =
    recordCount === 0 ? 1 : Math.floor(((recordCount - flaggedCount) / recordCount) * 1000) / 1000;
  return (
    <Card title={messages.title} note={messages.flagged(flaggedCount)}>
      <p>
        <MessageNodes
          message={messages.share}
          nodes={{ share: <b className={styles.share}>{formatPercent(share)}</b> }}
        />
      </p>
      {line.length > 1 && (
        <Sparkline
          label={messages.trend}
          days={line.map(({ day, share: value }) => ({ day, value }))}
          headings={[text.quality.trend.day, messages.withoutIssues]}
          format={text.quality.trend.percent}
          width={240}
          height={32}
        />
      )}
      <dl className={styles.categories}>
        {categories.map((category) => (
          <div key={category}>
            <dt>{text.quality.categories[category]}</dt>
            <dd>
              {messages.findings(
                groups
                  .filter((group) => group.category === category)
                  .reduce((total, { findings }) => total + findings, 0),
              )}
            </dd>
          </div>
        ))}
      </dl>
      {sum(flaggedByType) > 0 && <Button onClick={() => openView('quality')}>{messages.open}</Button>}
    </Card>
  );
}
