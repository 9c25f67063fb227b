import type { ReactNode } from 'react';
import type { RecordCard } from '../../../../core/fhir/card/card.ts';
import type { CardReference } from '../../../../core/fhir/card/parts.ts';
import type { CardPeriod } from '../../../../core/fhir/card/span.ts';
import type { Target } from '../../../../core/fhir/follow.ts';
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
export function SummaryFacts({ card, onFollow }: SummaryFactsProps) {
  const { rows } = text.summary;
  const plan = card.type === 'CarePlan';
  const link = (reference: CardReference | undefined) =>
    reference && <ReferenceLink type={card.type} reference={reference} onFollow={onFollow} />;
  const links = (references: readonly CardReference[]) =>
    references.length > 0 && references.map((one) => <div key={one.pointer}>{link(one)}</div>);
  return (
    <dl className={styles.facts}>
      <Row label={rows.status} always>
        {card.status !== '' && <StatusDot status={card.status} />}
      </Row>
      {plan && (
        <Row label={rows.intent} always>
          {card.intent}
        </Row>
      )}
      {!plan && (
        <Row label={rows.kind} always>
          {card.kind}
        </Row>
      )}
      <Row label={rows.subject} always>
        {link(card.subject)}
      </Row>
      <Row label={rows.encounter}>{link(card.encounter)}</Row>
      {plan && (
        <Row label={rows.period} always>
          {card.period && <Period period={card.period} overdue={card.overdue} />}
        </Row>
      )}
      <Row label={plan ? rows.created : rows.date}>{card.date !== '' && <Day date={card.date} />}</Row>
      <Row label={rows.author} always={!plan}>
        {links(card.authors)}
      </Row>
      <Row label={rows.attester}>{links(card.attesters)}</Row>
      <Row label={rows.category}>{card.categories.map((one) => one.text).join(', ')}</Row>
      <Row label={rows.careTeam}>{links(card.careTeam)}</Row>
      <Row label={rows.addresses}>{links(card.addresses)}</Row>
      <Row label={rows.custodian}>{link(card.custodian)}</Row>
    </dl>
  );
}

interface RowProps {
  readonly label: string;
  readonly children: ReactNode;
  readonly always?: boolean;
}

function Row({ label, children, always = false }: RowProps) {
  const missing = children === undefined || children === false || children === '';
  if (missing && !always) return null;
  return (
    <>
      <dt>{label}</dt>
      <dd>{missing ? <span className={styles.missing}>{text.summary.missing}</span> : children}</dd>
    </>
  );
}

function Day({ date }: { readonly date: string }) {
  return <span title={date}>{writtenDays(date)}</span>;
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
