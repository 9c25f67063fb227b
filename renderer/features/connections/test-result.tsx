import { IconAlertTriangle, IconCheck, IconCircleCheck, IconMinus, IconX } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import type { AnnouncedType, ConnectionTest, TestStep } from '../../../core/app/connections.ts';
import { resourceTypes } from '../../../core/fhir/resource.ts';
import { formatList } from '../../ui/format.ts';
import { DetailItem } from '../../ui/log/log-details.tsx';
import { text } from '../../ui/text.ts';
import styles from './connections.module.css';

const messages = text.connection;

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
          <IconAlertTriangle size={16} aria-hidden /> {messages.testFailed} {result.text}
        </p>
        <Steps steps={result.steps} />
      </section>
    );
  }
  const { software, version, fhirVersion, formats, types, remarks, ms, steps } = result;
  return (
    <section ref={section} className={styles.test} aria-label={messages.tested} role="status">
      <p data-good>
        <IconCircleCheck size={16} aria-hidden /> {messages.answered(ms)}
      </p>
      <Steps steps={steps} />
      <dl>
        <DetailItem
          name={messages.software}
          value={[software ?? messages.unnamed, version].filter(Boolean).join(' ')}
        />
        <DetailItem name={messages.fhir} value={fhirVersion ?? messages.unnamed} />
        <DetailItem name={messages.formats} value={formatList(formats, 'unit') || messages.unnamed} />
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
    <ol className={styles.steps} aria-label={messages.steps}>
      {steps.map(({ step, outcome, text: message }) => {
        const Icon = outcomeIcons[outcome];
        return (
          <li key={step} data-outcome={outcome}>
            <Icon size={14} aria-label={messages.outcomes[outcome]} />
            <strong>{messages.stepNames[step]}</strong>
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
  if (!capabilities) return <DetailItem name={messages.offers(type)} value={messages.noType} />;
  const interactions = (['create', 'update', 'patch', 'history'] as const).filter(
    (name) => capabilities[name],
  );
  return (
    <>
      <DetailItem name={messages.versions(type)} value={versioningOf(capabilities)} />
      <DetailItem
        name={messages.offers(type)}
        value={formatList(['read', 'search', ...interactions], 'unit')}
      />
    </>
  );
}

function versioningOf({ versioning = '' }: AnnouncedType): string {
  const versioningLabels: Readonly<Record<string, string>> = messages.versioning;
  return versioningLabels[versioning] ?? messages.versioning.unsaid;
}
