import { Button, VisuallyHidden } from '@mantine/core';
import { IconChartLine } from '@tabler/icons-react';
import { useState } from 'react';
import { wholeChecks, type Measures } from '../../../core/app/measures.ts';
import { lineOf, visibleDays, useMeasures } from '../../platform/measures.ts';
import { lazyDialog } from '../../ui/lazy-component.tsx';
import { Sparkline } from '../../ui/sparkline.tsx';
import { TableHead } from '../../ui/table-head.tsx';
import { text } from '../../ui/text.ts';
import styles from './quality.module.css';

const messages = text.quality.trend;

const MeasuresSheet = lazyDialog(async () => (await import('./measures-sheet.tsx')).MeasuresSheet);

/**
 * Share of records without a finding, overall and by category, with its trend. Includes a table for screen readers.
 */
export function TrendHead() {
  const { data } = useMeasures(visibleDays);
  const [isOpen, setOpen] = useState(false);
  if (!data || data.days.length === 0) return null;
  const lines = linesOf(data);
  return (
    <section className={styles.trend} aria-label={messages.name}>
      {lines.map(({ check, line }) => (
        <div key={check}>
          <span>{messages.checks[check]}</span>
          <b>{messages.percent(line.at(-1)?.share ?? 100)}</b>
          {line.length > 1 && (
            <Sparkline
              width={64}
              label={messages.days(line.length)}
              days={line.map(({ day, share: value }) => ({ day, value }))}
            />
          )}
        </div>
      ))}
      <Button
        variant="subtle"
        size="compact-sm"
        className={styles.measures ?? ''}
        leftSection={<IconChartLine size={16} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        {text.quality.measures.open}
      </Button>
      {isOpen && <MeasuresSheet onClose={() => setOpen(false)} />}
      <TrendTable days={data.days} lines={lines} />
    </section>
  );
}

function linesOf(measures: Measures) {
  return wholeChecks.map((check) => ({ check, line: lineOf(measures, check) }));
}

interface TrendTableProps extends Pick<Measures, 'days'> {
  readonly lines: ReturnType<typeof linesOf>;
}

function TrendTable({ days, lines }: TrendTableProps) {
  return (
    <VisuallyHidden>
      <table aria-label={messages.table}>
        <TableHead columns={[messages.day, ...lines.map(({ check }) => messages.checks[check])]} />
        <tbody>
          {days.map((day, index) => (
            <tr key={day}>
              <th scope="row">{day}</th>
              {lines.map(({ check, line }) => (
                <td key={check}>{messages.percent(line[index]?.share ?? 100)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </VisuallyHidden>
  );
}
