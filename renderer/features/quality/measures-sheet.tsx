import { Button, TextInput } from '@mantine/core';
import { IconDownload, IconPrinter } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { waivedCheck, wholeChecks, type FindingTrend, type Measures } from '../../../core/app/measures.ts';
import { isDay } from '../../../core/types/definition/dates.ts';
import { useConnection } from '../../platform/connection.ts';
import { daysBefore, lineOf, visibleDays, useCompared, useMeasures } from '../../platform/measures.ts';
import { printPart } from '../../platform/print-page.ts';
import { saveFile, useSaveCsv } from '../../platform/save-file.ts';
import { useThresholds } from '../../platform/thresholds.ts';
import { QueryContent } from '../../ui/query-state.tsx';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { SheetFooter } from '../../ui/sheet-footer.tsx';
import { text } from '../../ui/text.ts';
import { localDay } from '../../ui/time.ts';
import frame from '../../ui/view.module.css';
import { lastSum, measureRows } from './measure-rows.ts';
import styles from './measures.module.css';
import { MeasureTable } from './measure-table.tsx';

const messages = text.quality.measures;

/** Default and maximum length of the compared period in days. */
const defaultDays = 7;
const maxDays = 400;

const files = {
  csv: 'measures.csv',
  report: 'measure-report.json',
} as const;

/** Quality between two days: counts, new, resolved and persisting findings, thresholds, and the report. */
export function MeasuresSheet({ onClose }: { readonly onClose: () => void }) {
  const { client } = useConnection();
  const saveCsv = useSaveCsv();
  const [to, setTo] = useState(localDay());
  const [from, setFrom] = useState(daysBefore(to, defaultDays));
  const isPeriodValid = isDay(from) && isDay(to) && from <= to && from >= daysBefore(to, maxDays);
  const report = useRef<HTMLElement>(null);
  const download = useMutation({
    mutationFn: async (kind: keyof typeof files) => {
      const path = kind === 'csv' ? '/quality/measures.csv' : '/quality/report';
      const content = await client.appText(`${path}?from=${from}&to=${to}`);
      if (kind === 'csv') saveCsv([content], files.csv);
      else saveFile(new Blob([content], { type: 'application/fhir+json' }), files.report);
    },
  });
  const renderDateField = (label: string, value: string, set: (value: string) => void) => (
    <TextInput
      type="date"
      label={label}
      value={value}
      max={localDay()}
      onChange={({ currentTarget }) => set(currentTarget.value)}
    />
  );
  return (
    <Sheet title={messages.name} closeLabel={messages.close} onClose={onClose}>
      <div className={styles.bar}>
        {renderDateField(messages.from, from, setFrom)}
        {renderDateField(messages.to, to, setTo)}
        {!isPeriodValid && <p role="alert">{messages.outOfOrder(maxDays)}</p>}
      </div>
      <RequestFailure title={messages.exportFailed} query={download} />
      <div className={frame.panel}>
        {isPeriodValid && <Period key={`${from} ${to}`} from={from} to={to} report={report} />}
      </div>
      <SheetFooter>
        {(['csv', 'report'] as const).map((kind) => (
          <Button
            key={kind}
            leftSection={<IconDownload size={16} aria-hidden />}
            disabled={!isPeriodValid}
            onClick={() => download.mutate(kind)}
          >
            {messages[kind]}
          </Button>
        ))}
        <Button
          variant="filled"
          leftSection={<IconPrinter size={16} aria-hidden />}
          disabled={!isPeriodValid}
          onClick={() => {
            if (report.current) printPart(report.current, messages.printed(from, to));
          }}
        >
          {messages.print}
        </Button>
      </SheetFooter>
    </Sheet>
  );
}

interface PeriodProps {
  readonly from: string;
  readonly to: string;
  readonly report: React.Ref<HTMLElement>;
}

function Period({ from, to, report }: PeriodProps) {
  const measures = useMeasures(visibleDays, to);
  const trend = useCompared(from, to);
  return (
    <QueryContent query={measures} failureTitle={messages.failed}>
      {(periodMeasures) => (
        <article ref={report} aria-label={messages.printed(from, to)}>
          <h2 className={styles.paper}>{messages.printed(from, to)}</h2>
          <MeasureSummary measures={periodMeasures} />
          <RequestFailure title={messages.failed} query={trend} />
          <Rules measures={periodMeasures} trend={trend.data} />
        </article>
      )}
    </QueryContent>
  );
}

/** Shares over all rules on the last measured day, and the number of waived findings. */
function MeasureSummary({ measures }: { readonly measures: Measures }) {
  const { applied = 0 } = lineOf(measures, 'all').at(-1) ?? {};
  const day = measures.days.at(-1);
  const waivedSeries = measures.series.filter(({ check }) => check === waivedCheck);
  return (
    <dl className={styles.whole}>
      <div>
        <dt>{messages.measured}</dt>
        <dd>{day ?? messages.never}</dd>
      </div>
      <div>
        <dt>{messages.records}</dt>
        <dd>{messages.count(applied)}</dd>
      </div>
      {wholeChecks.map((check) => (
        <div key={check}>
          <dt>{text.quality.trend.checks[check]}</dt>
          <dd>{text.quality.trend.percent(lineOf(measures, check).at(-1)?.share ?? 100)}</dd>
        </div>
      ))}
      <div>
        <dt>{messages.waived}</dt>
        <dd>{messages.count(lastSum(waivedSeries, measures, 4))}</dd>
      </div>
    </dl>
  );
}

interface RulesProps {
  readonly measures: Measures;
  readonly trend: FindingTrend | undefined;
}

function Rules({ measures, trend }: RulesProps) {
  const thresholds = useThresholds();
  const rows = measureRows(measures, trend, thresholds);
  if (rows.length === 0) return <p className={styles.none}>{messages.none}</p>;
  return <MeasureTable rows={rows} thresholds={thresholds} />;
}
