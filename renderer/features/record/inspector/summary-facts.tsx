import type { ReactNode } from 'react';
import type { CardDetail, FactValue } from '../../../../core/fhir/card/facts.ts';
import type { RecordCard } from '../../../../core/fhir/card/card.ts';
import type { CardPeriod } from '../../../../core/fhir/card/span.ts';
import type { Target } from '../../../../core/fhir/follow.ts';
import { useDates } from '../../../ui/date-language.ts';
import { formatList } from '../../../ui/format.ts';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { text } from '../../../ui/text.ts';
import { formatDays } from '../../../ui/time.ts';
import styles from './inspector.module.css';
import { ReferenceLink } from './reference-link.tsx';

interface SummaryFactsProps {
  readonly card: RecordCard;
  readonly onFollow: (target: Target) => void;
}

/** Top-level details of the record, one row each. Important details are listed even if they are missing. */
export function SummaryDetails({ card: { type, facts }, onFollow }: SummaryFactsProps) {
  useDates();
  return (
    <dl className={styles.facts}>
      {facts.map(({ id, isAlwaysShown, value }: CardDetail) =>
        value || isAlwaysShown ? (
          <Row key={id} label={text.types.fact(type, id)}>
            {value && <Fact type={type} value={value} onFollow={onFollow} />}
          </Row>
        ) : null,
      )}
    </dl>
  );
}

function Row({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{children ?? <span className={styles.missing}>{text.summary.missing}</span>}</dd>
    </>
  );
}

interface FactProps {
  readonly type: string;
  readonly value: FactValue;
  readonly onFollow: (target: Target) => void;
}

function Fact({ type, value, onFollow }: FactProps) {
  switch (value.kind) {
    case 'status':
      return <StatusDot status={value.text} />;
    case 'code':
      return value.text;
    case 'date':
      return <span title={value.text}>{formatDays(value.text)}</span>;
    case 'concepts':
      return formatList(
        value.concepts.map((concept) => concept.text),
        'unit',
      );
    case 'references':
      return value.references.map((reference) => (
        <div key={reference.pointer}>
          <ReferenceLink type={type} reference={reference} onFollow={onFollow} />
        </div>
      ));
    case 'period':
      return <Period {...value} />;
  }
}

function Period({ period, overdue }: { readonly period: CardPeriod; readonly overdue: boolean }) {
  const { start, end, days, overdueDays: overDays } = period;
  const details = [
    end === '' ? text.summary.openEnd : days !== undefined && text.summary.days(days),
    overDays !== undefined && !overdue && text.summary.ended(overDays),
  ].filter((detail) => typeof detail === 'string');
  return (
    <>
      <div title={`${start} – ${end}`}>{formatDays(start, end)}</div>
      <div className={styles.aside}>
        {formatList(details, 'unit')}
        {overdue && overDays !== undefined && (
          <span className={styles.over}>{text.summary.overdue(overDays)}</span>
        )}
      </div>
    </>
  );
}
