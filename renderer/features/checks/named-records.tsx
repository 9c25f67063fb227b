import type { TrialResult } from '../../../core/app/checks.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { Answered } from '../../ui/answered.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { text } from '../../ui/text.ts';
import styles from './checks.module.css';
import { Place } from './live-part.tsx';
import { useSkipped } from './use-checks.ts';

const words = text.checks;

interface NamedRecordsProps {
  readonly title: string;
  readonly type: ResourceType;
  readonly named: TrialResult['broken'];
  /** Before a record is opened. */
  readonly onLeave: () => void;
}

/** Records with what a check says of each; each opens, at its element. Nothing where there is none. */
export function NamedRecords({ title, type, named, onLeave }: NamedRecordsProps) {
  const { openRecord } = useWorkbenchActions();
  if (named.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul className={styles.named}>
        {named.map(({ id, pointers, why }) => (
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
              {why}
              {pointers?.[0] !== undefined && <Place pointer={pointers[0]} type={type} />}{' '}
              {pointers && words.elements(pointers.length)}
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

/** Records for which a check could not be asked. */
export function SkippedPart({ id, onLeave }: SkippedPartProps) {
  const query = useSkipped(id);
  return (
    <section aria-label={words.unasked}>
      <Answered query={query} failed={words.failed}>
        {({ type, ids }) => (
          <NamedRecords
            title={words.unasked}
            type={type}
            named={ids.map((one) => ({ id: one }))}
            onLeave={onLeave}
          />
        )}
      </Answered>
    </section>
  );
}
