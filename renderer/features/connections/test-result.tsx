import { IconAlertTriangle, IconCheck, IconCircleCheck, IconMinus, IconX } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import type { AnnouncedType, ConnectionTest, TestStep } from '../../../core/app/connections.ts';
import { resourceTypes } from '../../../core/fhir/resource.ts';
import { formatList } from '../../ui/format.ts';
import { DetailItem } from '../../ui/log/log-details.tsx';
import { text } from '../../ui/text.ts';
import styles from './connections.module.css';

const words = text.connection;

/** Result of a connection test: server details, or the reason of the failure. */
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
        <DetailItem
          name={words.software}
          value={[software ?? words.unnamed, version].filter(Boolean).join(' ')}
        />
        <DetailItem name={words.fhir} value={fhirVersion ?? words.unnamed} />
        <DetailItem name={words.formats} value={formatList(formats, 'unit') || words.unnamed} />
        {resourceTypes.map((type) => (
          <TypeCapabilities key={type} type={type} capabilities={types[type]} />
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

/** Steps of the test with their outcomes. */
function Steps({ steps }: { readonly steps: readonly TestStep[] }) {
  return (
    <ol className={styles.steps} aria-label={words.steps}>
      {steps.map(({ step, outcome, text: message }) => {
        const Icon = outcomeIcons[outcome];
        return (
          <li key={step} data-outcome={outcome}>
            <Icon size={14} aria-label={words.outcomes[outcome]} />
            <strong>{words.stepNames[step]}</strong>
            <span>{message}</span>
          </li>
        );
      })}
    </ol>
  );
}

interface AnnouncedProps {
  readonly type: string;
  readonly capabilities: AnnouncedType | undefined;
}

function TypeCapabilities({ type, capabilities }: AnnouncedProps) {
  if (!capabilities) return <DetailItem name={words.offers(type)} value={words.noType} />;
  const interactions = (['create', 'update', 'patch', 'history'] as const).filter(
    (name) => capabilities[name],
  );
  return (
    <>
      <DetailItem name={words.versions(type)} value={versioningOf(capabilities)} />
      <DetailItem name={words.offers(type)} value={formatList(['read', 'search', ...interactions], 'unit')} />
    </>
  );
}

function versioningOf({ versioning = '' }: AnnouncedType): string {
  const versioningLabels: Readonly<Record<string, string>> = words.versioning;
  return versioningLabels[versioning] ?? words.versioning.unsaid;
}
