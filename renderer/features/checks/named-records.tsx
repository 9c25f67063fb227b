import type { TrialResult } from '../../../core/app/checks.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { QueryContent } from '../../ui/query-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { text } from '../../ui/text.ts';
import styles from './checks.module.css';
import { ElementExpression } from './live-part.tsx';
import { useSkipped } from './use-checks.ts';

const messages = text.checks;

interface NamedRecordsProps {
  readonly title: string;
  readonly type: ResourceType;
  readonly records: TrialResult['broken'];
  /** Called before a record is opened. */
  readonly onLeave: () => void;
}

/** Records with the result of a check. Each opens at its element. Renders nothing if there are none. */
export function NamedRecords({ title, type, records, onLeave }: NamedRecordsProps) {
  const { openRecord } = useWorkbenchActions();
  if (records.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul className={styles.named}>
        {records.map(({ id, pointers, why: reason }) => (
          <li key={id}>
            <LinkButton
              title={id}
              onClick={() => {
                onLeave();
                openRecord({ type, id, title: id, ...(pointers?.[0] && { pointer: pointers[0] }) });
              }}
            >
              {id}
            </LinkButton>
            <span>
              {reason}
              {pointers?.[0] !== undefined && <ElementExpression pointer={pointers[0]} type={type} />}{' '}
              {pointers && pointers.length > 1 && messages.elements(pointers.length - 1)}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

interface SkippedPartProps extends Pick<NamedRecordsProps, 'onLeave'> {
  readonly id: string;
}

/** Records that a check could not evaluate. */
export function SkippedPart({ id, onLeave }: SkippedPartProps) {
  const query = useSkipped(id);
  return (
    <section aria-label={messages.unasked}>
      <QueryContent query={query} failureTitle={messages.failed}>
        {({ type, ids }) => (
          <NamedRecords
            title={messages.unasked}
            type={type}
            records={ids.map((recordId) => ({ id: recordId }))}
            onLeave={onLeave}
          />
        )}
      </QueryContent>
    </section>
  );
}
