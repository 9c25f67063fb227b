import { TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Threshold } from '../../../core/app/measures.ts';
import { boundOf, boundText } from '../../../core/app/thresholds.ts';
import type { HeldThresholds } from '../../platform/thresholds.ts';
import { Sparkline } from '../../ui/sparkline.tsx';
import { text } from '../../ui/text.ts';
import { ToneDot } from '../../ui/tone-dot.tsx';
import table from '../../ui/table.module.css';
import type { MeasureRow } from './measure-rows.ts';
import styles from './measures.module.css';
import { formatShare, toneOf } from './shares.ts';

const words = text.quality.measures;

interface MeasureTableProps {
  readonly rows: readonly MeasureRow[];
  readonly thresholds: HeldThresholds;
}

/** The rules of a period, each with its counts, its line and its thresholds. */
export function MeasureTable({ rows, thresholds }: MeasureTableProps) {
  const { columns } = words;
  const numbers = [columns.violated, columns.findings, columns.skipped];
  const changes = [columns.new, columns.resolved, columns.persisting, columns.waived];
  return (
    <table className={`${table.table ?? ''} ${styles.table ?? ''}`} aria-label={words.table}>
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

function Rule({ row, thresholds }: { readonly row: MeasureRow; readonly thresholds: HeldThresholds }) {
  const { check, applied, violated, skipped, findings, change, waived, standing, line } = row;
  const bound = (name: keyof Threshold) => (
    <td>
      <BoundField
        label={words.boundOf(words.columns[name], row.text)}
        bound={thresholds.of(check)[name]}
        own={thresholds.isOwn(check)}
        onSet={(value) => {
          const bounds: Bounds = { ...thresholds.of(check), [name]: value };
          const { warnAbove, failAbove } = bounds;
          thresholds.set(check, { ...(warnAbove && { warnAbove }), ...(failAbove && { failAbove }) });
        }}
      />
    </td>
  );
  return (
    <tr data-standing={standing}>
      <th scope="row" title={check}>
        {row.text}
      </th>
      <td className={table.end}>
        {standing && (
          <span className={styles.standing}>
            <ToneDot tone={toneOf[standing]} label={words.standings[standing]} />
          </span>
        )}
        {words.of(violated, applied)} <small className="dim">{formatShare(violated, applied)}</small>
      </td>
      <td className={table.end}>{words.count(findings)}</td>
      <td className={table.end}>{words.count(skipped)}</td>
      <td className={table.end}>{change && words.more(change.new)}</td>
      <td className={table.end}>{change && words.fewer(change.resolved)}</td>
      <td className={table.end}>{change && words.count(change.persisting)}</td>
      <td className={table.end}>{words.count(waived)}</td>
      <td data-screen>
        {line.length > 1 && (
          <Sparkline
            width={64}
            label={words.lineOf(row.text)}
            days={line.map(({ day, violated: value }) => ({ day, value }))}
            headings={[text.quality.trend.day, words.columns.violated]}
            {...(standing && { tone: toneOf[standing] })}
          />
        )}
      </td>
      {bound('warnAbove')}
      {bound('failAbove')}
    </tr>
  );
}

/** Thresholds as they are being changed. */
type Bounds = { readonly [Name in keyof Threshold]: Threshold[Name] | undefined };

interface BoundFieldProps {
  readonly label: string;
  readonly bound: Threshold['warnAbove'];
  /** It stands with a check of one's own. */
  readonly own: boolean;
  readonly onSet: (bound: Threshold['warnAbove']) => void;
}

/** A threshold, kept when its field is left or by Enter; Escape takes back what was typed. */
function BoundField({ label, bound, own, onSet }: BoundFieldProps) {
  const kept = boundText(bound);
  const [typed, setTyped] = useState<string>();
  const read = boundOf(typed ?? kept);
  const keep = () => {
    if (typed === undefined || read === 'wrong') return;
    setTyped(undefined);
    if (boundText(read) !== kept) onSet(read);
  };
  if (own) return <span title={words.ownHint}>{kept}</span>;
  return (
    <>
      <span className={styles.paper}>{kept}</span>
      <TextInput
        data-screen
        // Escape takes back what was typed, and the sheet stays.
        data-mantine-stop-propagation={typed !== undefined}
        className={styles.bound ?? ''}
        aria-label={label}
        placeholder={words.boundHint}
        value={typed ?? kept}
        error={read === 'wrong' && words.boundWrong}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        onBlur={keep}
        onKeyDown={(event) => {
          if (event.key === 'Enter') keep();
          if (event.key === 'Escape') setTyped(undefined);
        }}
      />
    </>
  );
}
