import { useDebouncedValue } from '@mantine/hooks';
import { useDeferredValue, useMemo } from 'react';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { formatNode } from '../../../core/json/node.ts';
import { useConnection } from '../../platform/connection.ts';
import { DiffView } from '../../platform/diff-view.tsx';
import type { Version } from '../../platform/record-version.ts';
import { isStaleWarning, useSavePreview } from '../../platform/use-verdict.ts';
import { text } from '../../ui/text.ts';
import type { ComposedPatch } from './patch-rows.ts';
import styles from './patch.module.css';

interface PatchPreviewProps {
  readonly base: Version | undefined;
  readonly patch: ComposedPatch;
}

/** Previews the effect of the operations as a diff. */
export function PatchPreview({ base, patch }: PatchPreviewProps) {
  const { changes, ready } = patch;
  // Deferred: typing must not wait for the diff of a large record.
  const result = useDeferredValue(patch.result);
  const modified = useMemo(() => (result ? formatNode(result) : ''), [result]);
  const hasChanges = base !== undefined && changes.length > 0;
  return (
    <section className={styles.preview} aria-label={text.patch.effect}>
      {hasChanges ? (
        <DiffView
          key={base.version ?? 0}
          original={base.text}
          modified={modified}
          originalLabel={text.patch.before(base.version)}
          modifiedLabel={text.patch.after}
        />
      ) : (
        <p className={styles.dim}>{describeNoChange(base, ready)}</p>
      )}
    </section>
  );
}

function describeNoChange(base: Version | undefined, ready: boolean): string {
  if (!base) return text.patch.noPreview;
  return ready ? text.patch.noEffect : text.patch.nothingYet;
}

interface PatchVerdictProps {
  readonly type: ResourceType;
  readonly id: string;
  readonly base: Version;
  readonly patch: ComposedPatch;
}

/** Pause in typing before the result is validated, in milliseconds. */
const validationDelayMs = 400;

/** Previews whether the server will accept the result of the operations. */
export function PatchPreviewIssues({ type, id, base, patch: { ready, result, changes } }: PatchVerdictProps) {
  const { remote, host } = useConnection();
  const currentResult = ready && changes.length > 0 ? result : undefined;
  const [validatedResult] = useDebouncedValue(currentResult, validationDelayMs);
  const json = useMemo(() => (validatedResult ? formatNode(validatedResult) : ''), [validatedResult]);
  const { data, isError } = useSavePreview({ type, id, base, text: json }, json !== '');
  if (!currentResult || currentResult !== validatedResult || !(data ?? isError)) return null;
  const { rejected: rejectedIssues = [], tolerated: toleratedIssues = [], warnings = [] } = data ?? {};
  const [firstRejection] = rejectedIssues;
  const message = remote ? text.verdict.found : text.verdict.accepted;
  return (
    <p
      className={styles.verdict}
      role="group"
      aria-label={text.verdict.name}
      data-refused={firstRejection && true}
    >
      {isError
        ? text.verdict.failed
        : firstRejection
          ? `${text.verdict.refused(rejectedIssues.length)} ${firstRejection.expression?.[0] ?? ''} ${firstRejection.details?.text ?? ''}`
          : toleratedIssues.length + warnings.length === 0
            ? text.verdict.good
            : message}
      {warnings.some(isStaleWarning) && ` ${text.verdict.stale}`}
      {remote && ` ${text.verdict.theirs(host)}`}
    </p>
  );
}
