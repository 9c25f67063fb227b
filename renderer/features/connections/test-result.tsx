import { IconAlertTriangle, IconCheck, IconCircleCheck, IconMinus, IconX } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import type { AnnouncedType, ConnectionTest, TestStep } from '../../../core/app/connections.ts';
import { resourceTypes } from '../../../core/fhir/resource.ts';
import { FactPair } from '../../ui/log/log-details.tsx';
import { text } from '../../ui/text.ts';
import styles from './connections.module.css';

const words = text.connection;

/** What a server said of itself, or why it said nothing. */
export function TestResult({ result }: { readonly result: ConnectionTest }) {
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    section.current?.scrollIntoView({ block: 'nearest' });
  }, [result]);
  if (!result.ok) {
    return (
      <section ref={section} className={styles.test} role="alert">
        <p data-good={false}>
          <IconAlertTriangle size={16} aria-hidden /> {words.testFailed} {result.text}
        </p>
        <Steps steps={result.steps} />
      </section>
    );
  }
  const { software, version, fhirVersion, formats, types, remarks, ms, steps } = result;
  return (
    <section ref={section} className={styles.test} aria-label={words.tested} role="status">
      <p data-good>
        <IconCircleCheck size={16} aria-hidden /> {words.answered(ms)}
      </p>
      <Steps steps={steps} />
      <dl>
        <FactPair
          name={words.software}
          value={[software ?? words.unnamed, version].filter(Boolean).join(' ')}
        />
        <FactPair name={words.fhir} value={fhirVersion ?? words.unnamed} />
        <FactPair name={words.formats} value={formats.join(', ') || words.unnamed} />
        {resourceTypes.map((type) => (
          <Announced key={type} type={type} announced={types[type]} />
        ))}
      </dl>
      {remarks.length > 0 && (
        <ul>
          {remarks.map((remark) => (
            <li key={remark}>{remark}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

const outcomeIcons = { done: IconCheck, failed: IconX, skipped: IconMinus } as const;

/** What was tried in turn, and what came of it. */
function Steps({ steps }: { readonly steps: readonly TestStep[] }) {
  return (
    <ol className={styles.steps} aria-label={words.steps}>
      {steps.map(({ step, outcome, text: said }) => {
        const Icon = outcomeIcons[outcome];
        return (
          <li key={step} data-outcome={outcome}>
            <Icon size={14} aria-label={words.outcomes[outcome]} />
            <strong>{words.stepNames[step]}</strong>
            <span>{said}</span>
          </li>
        );
      })}
    </ol>
  );
}

interface AnnouncedProps {
  readonly type: string;
  readonly announced: AnnouncedType | undefined;
}

function Announced({ type, announced }: AnnouncedProps) {
  if (!announced) return <FactPair name={words.offers(type)} value={words.noType} />;
  const offered = (['create', 'update', 'patch', 'history'] as const).filter((name) => announced[name]);
  return (
    <>
      <FactPair name={words.versions(type)} value={versioningOf(announced)} />
      <FactPair name={words.offers(type)} value={['read', 'search', ...offered].join(', ')} />
    </>
  );
}

function versioningOf({ versioning = '' }: AnnouncedType): string {
  const known: Readonly<Record<string, string>> = words.versioning;
  return known[versioning] ?? words.versioning.unsaid;
}
