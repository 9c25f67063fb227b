import type { ReactNode } from 'react';
import type { FactValue } from '../../../core/fhir/card/facts.ts';
import type { ReadableDocument } from '../../../core/fhir/reading/document.ts';
import type { ReadableRecord } from '../../../core/fhir/reading/reading.ts';
import { useDates } from '../../ui/date-language.ts';
import { StatusChip } from '../../ui/status-chip.tsx';
import { text } from '../../ui/text.ts';
import { exactDays, formatDays } from '../../ui/time.ts';
import { FindingMarks } from './marks.tsx';
import { timeWords } from '../../ui/timeline/time-words.ts';
import styles from './reading.module.css';
import { References, ReferenceText } from './reference-text.tsx';

/** Header of the record: type, patient, dates and authors. */
export function ReadingHead({ reading }: { readonly reading: ReadableRecord }) {
  useDates();
  const { type, title, description, facts, relations, contributors, document } = reading;
  const attestedPaths = new Set(
    document?.attesters.map(({ pointer }) => pointer.slice(0, pointer.lastIndexOf('/'))),
  );
  return (
    <header className={styles.head}>
      <h2 data-pointer="/title">
        <FindingMarks pointer="" />
        {title}
      </h2>
      <dl className={styles.facts}>
        {facts
          .filter(
            ({ pointer, value, isAlwaysShown }) =>
              !attestedPaths.has(pointer) && (value !== undefined || isAlwaysShown),
          )
          .map((fact) => (
            <Fact key={fact.id} label={text.types.fact(type, fact.id)} pointer={fact.pointer}>
              {fact.value && <Value value={fact.value} />}
            </Fact>
          ))}
        {document && <DocumentFacts document={document} />}
        {relations.map(({ kind, to }) => (
          <Fact key={to.pointer} label={text.reading.relations[kind] ?? kind} pointer={to.pointer}>
            <ReferenceText reference={to} />
          </Fact>
        ))}
        {contributors.length > 0 && (
          <Fact label={text.reading.contributors} pointer="/contributor">
            <References references={contributors} />
          </Fact>
        )}
      </dl>
      {description !== '' && (
        <p className={styles.description} data-pointer="/description">
          {description}
        </p>
      )}
    </header>
  );
}

/** Details of a document: attesters, confidentiality and events. */
function DocumentFacts({ document }: { readonly document: ReadableDocument }) {
  const { attesters, confidentiality, events } = document;
  return (
    <>
      {attesters.map(({ mode, time, party, pointer }) => (
        <Fact key={pointer} label={text.reading.attesters} pointer={pointer}>
          {party && <ReferenceText reference={party} />}
          <span className={styles.aside} title={exactDays(time)}>
            {[mode, formatDays(time)].filter(Boolean).join(', ')}
          </span>
        </Fact>
      ))}
      {confidentiality !== '' && (
        <Fact label={text.reading.confidentiality} pointer="/confidentiality">
          {confidentiality}
        </Fact>
      )}
      {events.map(({ text: eventText, start, end, details, pointer }) => (
        <Fact key={pointer} label={text.reading.events} pointer={pointer}>
          {eventText}
          <span className={styles.aside} title={exactDays(start, end)}>
            {formatDays(start, end)}
          </span>
          <References references={details} />
        </Fact>
      ))}
    </>
  );
}

function Fact(props: { readonly label: string; readonly pointer: string; readonly children: ReactNode }) {
  const { label, pointer, children } = props;
  return (
    <div data-pointer={pointer}>
      <dt>{label}</dt>
      <dd>
        <FindingMarks pointer={pointer} />
        {children ?? <span className={styles.missing}>{text.reading.missing}</span>}
      </dd>
    </div>
  );
}

function Value({ value }: { readonly value: FactValue }) {
  switch (value.kind) {
    case 'status':
      return <StatusChip status={value.text} />;
    case 'code':
      return value.text;
    case 'date':
      return <span title={exactDays(value.text)}>{formatDays(value.text)}</span>;
    case 'concepts':
      return value.concepts.map((concept) => concept.text).join(', ');
    case 'references':
      return <References references={value.references} />;
    case 'period': {
      const { start, end, overdueDays } = value.period;
      return (
        <>
          <span title={exactDays(start, end)}>{timeWords({ start, end })}</span>
          {value.overdue && overdueDays !== undefined && (
            <span className={styles.warn}>{text.reading.overdue(overdueDays)}</span>
          )}
        </>
      );
    }
  }
}
