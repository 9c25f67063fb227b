import { Skeleton } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react';
import type { OutcomeIssue } from '../../../../core/fhir/outcome.ts';
import type { SavePreview } from '../../../../core/fhir/validation/save-preview.ts';
import { useConnection } from '../../../platform/connection.ts';
import { RequestFailure } from '../../../ui/failure-message.tsx';
import type { FailureIssue } from '../../../ui/failure.ts';
import { isStaleWarning, useSavePreview } from '../../../platform/use-verdict.ts';
import { text } from '../../../ui/text.ts';
import type { RecordState } from '../record-state.ts';
import { IssueList } from './issue-list.tsx';
import styles from './review.module.css';

interface VerdictPaneProps {
  readonly state: RecordState;
  readonly onGo: (pointer: string) => void;
}

/** The server's validation of the text before the save. */
export function SavePreviewPane({ state, onGo }: VerdictPaneProps) {
  const query = useSavePreview(state);
  const { data, isPending } = query;
  return (
    <section className={styles.pane} aria-label={text.verdict.name} aria-busy={isPending}>
      <h2>{text.verdict.name}</h2>
      {isPending && (
        <div role="img" aria-label={text.verdict.checking}>
          <Skeleton height={10} width="60%" mb={8} />
          <Skeleton height={10} width="40%" />
        </div>
      )}
      <RequestFailure title={text.verdict.failed} query={query} />
      {data && <Findings preview={data} onGo={onGo} />}
    </section>
  );
}

interface FindingsProps extends Pick<VerdictPaneProps, 'onGo'> {
  readonly preview: SavePreview;
}

function Findings({ preview: { rejected, tolerated, warnings }, onGo }: FindingsProps) {
  const { remote, host } = useConnection();
  const hasNoIssues = tolerated.length + warnings.length === 0;
  return (
    <>
      {rejected.length > 0 ? (
        <>
          <p className={styles.verdict} data-good={false}>
            <IconAlertTriangle size={16} aria-hidden />
            {text.verdict.refused(rejected.length)}
          </p>
          <IssueList issues={rejected.map(issueOf)} severity="error" onGo={onGo} />
        </>
      ) : (
        <p className={styles.verdict} data-good={hasNoIssues || undefined}>
          {hasNoIssues ? <IconCircleCheck size={16} aria-hidden /> : <IconInfoCircle size={16} aria-hidden />}
          {hasNoIssues ? text.verdict.good : remote ? text.verdict.found : text.verdict.accepted}
        </p>
      )}
      {remote && <p className={styles.reason}>{text.verdict.theirs(host)}</p>}
      {tolerated.length > 0 && (
        <details>
          <summary>{text.verdict.errors(tolerated.length)}</summary>
          <IssueList issues={tolerated.map(issueOf)} severity="error" onGo={onGo} />
        </details>
      )}
      {warnings.length > 0 && (
        <details open={warnings.some(isStaleWarning)}>
          <summary>{text.verdict.warnings(warnings.length)}</summary>
          <IssueList issues={warnings.map(issueOf)} severity="warning" onGo={onGo} />
        </details>
      )}
    </>
  );
}

function issueOf(issue: OutcomeIssue): FailureIssue {
  const { details, diagnostics, expression } = issue;
  const [element] = expression ?? [];
  return {
    // Before the save, the narrative is not outdated yet.
    text: isStaleWarning(issue) ? text.verdict.stale : (details?.text ?? diagnostics ?? ''),
    ...(element !== undefined && { expression: element }),
  };
}
