import { Skeleton } from '@mantine/core';
import { memo, type ReactNode } from 'react';
import type { RecordCard, CardSection } from '../../../../core/fhir/card/card.ts';
import type { Target } from '../../../../core/fhir/follow.ts';
import { text } from '../../../ui/text.ts';
import styles from './inspector.module.css';
import { Narrative } from './narrative.tsx';
import { ReferenceLink } from './reference-link.tsx';
import type { CardDetail, FactValue } from '../../../../core/fhir/card/facts.ts';
import type { CardPeriod } from '../../../../core/fhir/card/span.ts';
import { useDates } from '../../../ui/date-language.ts';
import { formatList, formatCount } from '../../../ui/format.ts';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { formatDays } from '../../../ui/time.ts';
import type { CardActivity } from '../../../../core/fhir/card/activity.ts';
import { ReferredName } from '../../../platform/referred-name.tsx';

type Reveal = (pointer: string) => void;

interface PartProps {
  readonly title: string;
  readonly count?: number;
  readonly children: ReactNode;
}

/** Section of the summary with a heading and a count. Renders nothing if the count is 0. */
function Part({ title, count, children }: PartProps) {
  if (count === 0) return null;
  return (
    <section className={styles.part}>
      <h2>
        {title}
        {count !== undefined && <span className={styles.count}>{formatCount(count)}</span>}
      </h2>
      {children}
    </section>
  );
}

interface ListProps<Item> {
  readonly list: readonly Item[];
  readonly onReveal: Reveal;
}

/** Activities of the plan, each with its status and due date. */
function Activities({ list, onReveal }: ListProps<CardActivity>) {
  return (
    <ul className={styles.list2}>
      {list.map(({ title, negation, status, due, overdueDays, reference, pointer }, index) => (
        <li key={pointer}>
          <Go pointer={pointer} onReveal={onReveal}>
            <ReferredName
              title={title}
              negation={negation}
              reference={reference?.reference ?? ''}
              fallback={(reference?.reference ?? '') || text.summary.activity(index + 1)}
            />
          </Go>
          <div className={styles.aside}>
            {status !== '' && <StatusDot status={status} negated={negation !== undefined} />}
            {due !== '' && <span title={due}>{text.summary.due(formatDays(due))}</span>}
            {overdueDays !== undefined && (
              <span className={styles.over}>{text.summary.overdue(overdueDays)}</span>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}

/** Highest number of sections shown per level. */
const maxSections = 200;

/** Sections of the document, indented by level, up to a limit. */
function Sections({ list, onReveal }: ListProps<CardSection>) {
  return (
    <ul className={styles.list2}>
      {list.slice(0, maxSections).map((section, index) => (
        <SectionItem key={section.pointer} section={section} index={index} onReveal={onReveal} />
      ))}
      {list.length > maxSections && (
        <li className={styles.missing}>{text.summary.moreSections(list.length - maxSections)}</li>
      )}
    </ul>
  );
}

interface SectionItemProps {
  readonly section: CardSection;
  readonly index: number;
  readonly onReveal: Reveal;
}

/** Memoized, because a document may have hundreds of sections. */
const SectionItem = memo(function SectionItem({ section, index, onReveal }: SectionItemProps) {
  const { title, entries, hasText, emptyReason, sections, pointer } = section;
  return (
    <li>
      <Go pointer={pointer} onReveal={onReveal}>
        {title || text.summary.section(index + 1)}
      </Go>
      <div className={styles.aside}>
        {entries > 0 && <span>{text.summary.entries(entries)}</span>}
        {!hasText && sections.length === 0 && <span>{text.summary.noText}</span>}
        {emptyReason !== '' && <span>{text.summary.empty(emptyReason)}</span>}
      </div>
      {sections.length > 0 && <Sections list={sections} onReveal={onReveal} />}
    </li>
  );
});

interface GoProps {
  readonly pointer: string;
  readonly onReveal: Reveal;
  readonly children: ReactNode;
}

function Go({ pointer, onReveal, children }: GoProps) {
  return (
    <button type="button" className={styles.go} title={text.summary.reveal} onClick={() => onReveal(pointer)}>
      {children}
    </button>
  );
}

interface SummaryPaneProps {
  /** Undefined before the first validation, or if the text was never JSON. */
  readonly card: RecordCard | undefined;
  /** Line of the first JSON error, if the text has one. */
  readonly faultLine: number | undefined;
  readonly onFollow: (target: Target) => void;
  readonly onReveal: (pointer: string) => void;
}

/** Summary of the open plan or document. */
export const SummaryPane = memo(function SummaryPane(props: SummaryPaneProps) {
  const { card, faultLine, onFollow, onReveal } = props;
  if (!card && faultLine !== undefined)
    return <p className={styles.hint}>{text.inspector.unread(faultLine)}</p>;
  if (!card) return <PaneSkeleton />;
  const { summary } = text;
  return (
    <section className={styles.summary} aria-label={summary.name}>
      <SummaryDetails card={card} onFollow={onFollow} />
      {card.description !== '' && (
        <Part title={summary.description}>
          <p>{card.description}</p>
        </Part>
      )}
      <Part title={summary.goals} count={card.goals.length}>
        <ul className={styles.list2}>
          {card.goals.map((goal) => (
            <li key={goal.pointer}>
              <ReferenceLink type={card.type} reference={goal} onFollow={onFollow} />
            </li>
          ))}
        </ul>
      </Part>
      <Part title={summary.activities} count={card.activities.length}>
        <Activities list={card.activities} onReveal={onReveal} />
      </Part>
      <Part title={summary.sections} count={card.sections.length}>
        <Sections list={card.sections} onReveal={onReveal} />
      </Part>
      <Part title={summary.notes} count={card.notes.length}>
        <ul className={styles.list2}>
          {card.notes.map((note) => (
            <li key={note.pointer}>
              <Go pointer={note.pointer} onReveal={onReveal}>
                {note.text}
              </Go>
            </li>
          ))}
        </ul>
      </Part>
      {card.narrative !== '' && (
        <Part title={summary.narrative}>
          <Narrative xhtml={card.narrative} onShow={() => onReveal('/text/div')} />
        </Part>
      )}
    </section>
  );
});

/** Placeholder of a pane that is loading. */
export function PaneSkeleton() {
  return (
    <div className={styles.skeleton} role="img" aria-label={text.inspector.judging} aria-busy="true">
      {[60, 40, 75, 50, 65, 35].map((width) => (
        <Skeleton key={width} height={10} width={`${width}%`} />
      ))}
    </div>
  );
}

interface SummaryFactsProps {
  readonly card: RecordCard;
  readonly onFollow: (target: Target) => void;
}

/** Top-level details of the record, one row each. Important details are listed even if they are missing. */
function SummaryDetails({ card: { type, facts }, onFollow }: SummaryFactsProps) {
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
