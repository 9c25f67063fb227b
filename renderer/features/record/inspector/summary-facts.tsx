import type { ReactNode } from 'react';
import type { CardFact, FactValue } from '../../../../core/fhir/card/facts.ts';
import type { RecordCard } from '../../../../core/fhir/card/card.ts';
import type { CardPeriod } from '../../../../core/fhir/card/span.ts';
import type { Target } from '../../../../core/fhir/follow.ts';
import { useDates } from '../../../ui/date-language.ts';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { text } from '../../../ui/text.ts';
import { writtenDays } from '../../../ui/time.ts';
import styles from './inspector.module.css';
import { ReferenceLink } from './reference-link.tsx';

interface SummaryFactsProps {
  readonly card: RecordCard;
  readonly onFollow: (target: Target) => void;
}

/** What the record states at its top, a row each; what a person asks for first is named even where it is missing. */
export function SummaryFacts({ card: { type, facts }, onFollow }: SummaryFactsProps) {
  useDates();
  return (
    <dl className={styles.facts}>
      {facts.map(({ label, always, value }: CardFact) =>
        value || always ? (
          <Row key={label} label={label}>
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
  switch (value.as) {
    case 'status':
      return <StatusDot status={value.text} />;
    case 'code':
      return value.text;
    case 'date':
      return <span title={value.text}>{writtenDays(value.text)}</span>;
    case 'concepts':
      return value.concepts.map((one) => one.text).join(', ');
    case 'references':
      return value.references.map((one) => (
        <div key={one.pointer}>
          <ReferenceLink type={type} reference={one} onFollow={onFollow} />
        </div>
      ));
    case 'period':
      return <Period {...value} />;
  }
}

function Period({ period, overdue }: { readonly period: CardPeriod; readonly overdue: boolean }) {
  const { start, end, days, over } = period;
  const words = [
    end === '' ? text.summary.openEnd : days !== undefined && text.summary.days(days),
    over !== undefined && !overdue && text.summary.ended(over),
  ].filter((one) => typeof one === 'string');
  return (
    <>
      <div title={`${start} – ${end}`}>{writtenDays(start, end)}</div>
      <div className={styles.aside}>
        {words.join(', ')}
        {overdue && over !== undefined && <span className={styles.over}>{text.summary.overdue(over)}</span>}
      </div>
    </>
  );
}
