import { TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Threshold } from '../../../core/app/measures.ts';
import { parseLimit, formatLimit } from '../../../core/app/thresholds.ts';
import type { StoredThresholds } from '../../platform/thresholds.ts';
import { Sparkline } from '../../ui/sparkline.tsx';
import { text } from '../../ui/text.ts';
import { ToneDot } from '../../ui/tone-dot.tsx';
import table from '../../ui/table.module.css';
import type { MeasureRow } from './measure-rows.ts';
import styles from './measures.module.css';
import { formatShare, toneOf } from './percentages.ts';

const messages = text.quality.measures;

interface MeasureTableProps {
  readonly rows: readonly MeasureRow[];
  readonly thresholds: StoredThresholds;
}

/** Rules of a period with counts, trend and thresholds. */
export function MeasureTable({ rows, thresholds }: MeasureTableProps) {
  const { columns } = messages;
  const numbers = [columns.violated, columns.findings, columns.skipped];
  const changes = [columns.new, columns.resolved, columns.persisting, columns.waived];
  return (
    <table className={`${table.table ?? ''} ${styles.table ?? ''}`} aria-label={messages.table}>
      <thead>
        <tr>
          <th scope="col">{columns.rule}</th>
          {[...numbers, ...changes].map((label) => (
            <th key={label} scope="col" className={table.end}>
              {label}
            </th>
          ))}
          <th scope="col" data-screen>
            {columns.line}
          </th>
          <th scope="col">{columns.warnAbove}</th>
          <th scope="col">{columns.failAbove}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Rule key={row.check} row={row} thresholds={thresholds} />
        ))}
      </tbody>
    </table>
  );
}

function Rule({ row, thresholds }: { readonly row: MeasureRow; readonly thresholds: StoredThresholds }) {
  const { check, applied, violationCount, skippedCount, findings, change, waivedCount, status, line } = row;
  const renderBound = (name: keyof Threshold) => (
    <td>
      <BoundField
        label={messages.boundOf(messages.columns[name], row.text)}
        threshold={thresholds.get(check)[name]}
        isCustomCheck={thresholds.isOwn(check)}
        onSet={(value) => {
          const bounds: Bounds = { ...thresholds.get(check), [name]: value };
          const { warnAbove, failAbove } = bounds;
          thresholds.set(check, { ...(warnAbove && { warnAbove }), ...(failAbove && { failAbove }) });
        }}
      />
    </td>
  );
  return (
    <tr data-standing={status}>
      <th scope="row" title={check}>
        {row.text}
      </th>
      <td className={table.end}>
        {status && (
          <span className={styles.standing}>
            <ToneDot tone={toneOf[status]} label={messages.standings[status]} />
          </span>
        )}
        {messages.of(violationCount, applied)}{' '}
        <small className="dim">{formatShare(violationCount, applied)}</small>
      </td>
      <td className={table.end}>{messages.count(findings)}</td>
      <td className={table.end}>{messages.count(skippedCount)}</td>
      <td className={table.end}>{change && messages.more(change.new)}</td>
      <td className={table.end}>{change && messages.fewer(change.resolved)}</td>
      <td className={table.end}>{change && messages.count(change.persisting)}</td>
      <td className={table.end}>{messages.count(waivedCount)}</td>
      <td data-screen>
        {line.length > 1 && (
          <Sparkline
            width={64}
            label={messages.lineOf(row.text)}
            days={line.map(({ day, violatedCount: value }) => ({ day, value }))}
            headings={[text.quality.trend.day, messages.columns.violated]}
            {...(status && { tone: toneOf[status] })}
          />
        )}
      </td>
      {renderBound('warnAbove')}
      {renderBound('failAbove')}
    </tr>
  );
}

/** Thresholds while they are edited. */
type Bounds = { readonly [Name in keyof Threshold]: Threshold[Name] | undefined };

interface BoundFieldProps {
  readonly label: string;
  readonly threshold: Threshold['warnAbove'];
  /** True for a custom check, which defines its own thresholds. */
  readonly isCustomCheck: boolean;
  readonly onSet: (threshold: Threshold['warnAbove']) => void;
}

/** Threshold field, saved on blur or Enter. Escape discards the draft. */
function BoundField({ label, threshold, isCustomCheck, onSet }: BoundFieldProps) {
  const savedText = formatLimit(threshold);
  const [draftText, setDraftText] = useState<string>();
  const parsed = parseLimit(draftText ?? savedText);
  const saveDraft = () => {
    if (draftText === undefined || parsed === 'wrong') return;
    setDraftText(undefined);
    if (formatLimit(parsed) !== savedText) onSet(parsed);
  };
  if (isCustomCheck) return <span title={messages.ownHint}>{savedText}</span>;
  return (
    <>
      <span className={styles.paper}>{savedText}</span>
      <TextInput
        data-screen
        // Escape discards the draft, and the sheet stays open.
        data-mantine-stop-propagation={draftText !== undefined}
        className={styles.bound ?? ''}
        aria-label={label}
        placeholder={messages.boundHint}
        value={draftText ?? savedText}
        error={parsed === 'wrong' && messages.boundWrong}
        onChange={({ currentTarget }) => setDraftText(currentTarget.value)}
        onBlur={saveDraft}
        onKeyDown={(event) => {
          if (event.key === 'Enter') saveDraft();
          if (event.key === 'Escape') setDraftText(undefined);
        }}
      />
    </>
  );
}
