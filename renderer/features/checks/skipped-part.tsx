import { Answered } from '../../ui/answered.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { text } from '../../ui/text.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import styles from './checks.module.css';
import { useSkipped } from './use-checks.ts';

interface SkippedPartProps {
  readonly id: string;
  /** Before a record is opened. */
  readonly onLeave: () => void;
}

/** Records for which a check could not be asked. */
export function SkippedPart({ id, onLeave }: SkippedPartProps) {
  const query = useSkipped(id);
  const { openRecord } = useWorkbenchActions();
  return (
    <section aria-label={text.checks.unasked}>
      <h3>{text.checks.unasked}</h3>
      <Answered query={query} failed={text.checks.failed}>
        {({ type, ids }) => (
          <ul className={styles.named}>
            {ids.map((one) => (
              <li key={one}>
                <LinkButton
                  onClick={() => {
                    onLeave();
                    openRecord({ type, id: one, title: one });
                  }}
                >
                  {one}
                </LinkButton>
              </li>
            ))}
          </ul>
        )}
      </Answered>
    </section>
  );
}
