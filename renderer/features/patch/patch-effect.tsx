import { useDebouncedValue } from '@mantine/hooks';
import { useDeferredValue, useMemo } from 'react';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { format } from '../../../core/json/print.ts';
import { useConnection } from '../../platform/connection.ts';
import { DiffView } from '../../platform/diff-view.tsx';
import type { Version } from '../../platform/record-version.ts';
import { isStaleWarning, useVerdict } from '../../platform/use-verdict.ts';
import { text } from '../../ui/text.ts';
import type { ComposedPatch } from './patch-rows.ts';
import styles from './patch.module.css';

interface PatchPreviewProps {
  readonly base: Version | undefined;
  readonly composed: ComposedPatch;
}

/** What the operations make of the record, as a diff that follows them. */
export function PatchPreview({ base, composed }: PatchPreviewProps) {
  const { changes, ready } = composed;
  // Typing goes first, the diff of a large record after it.
  const result = useDeferredValue(composed.result);
  const modified = useMemo(() => (result ? format(result) : ''), [result]);
  const changed = base !== undefined && changes.length > 0;
  return (
    <section className={styles.preview} aria-label={text.patch.effect}>
      {changed ? (
        <DiffView
          key={base.version ?? 0}
          original={base.text}
          modified={modified}
          originalLabel={text.patch.before(base.version)}
          modifiedLabel={text.patch.after}
        />
      ) : (
        <p className={styles.dim}>{wordsFor(base, ready)}</p>
      )}
    </section>
  );
}

function wordsFor(base: Version | undefined, ready: boolean): string {
  if (!base) return text.patch.noPreview;
  return ready ? text.patch.noEffect : text.patch.nothingYet;
}

interface PatchVerdictProps {
  readonly type: ResourceType;
  readonly id: string;
  readonly base: Version;
  readonly composed: ComposedPatch;
}

/** Milliseconds without a key after which the result is judged. */
const rest = 400;

/** Whether the server will take what the operations make of the record. */
export function PatchVerdict({ type, id, base, composed: { ready, result, changes } }: PatchVerdictProps) {
  const { remote, host } = useConnection();
  const wanted = ready && changes.length > 0 ? result : undefined;
  const [judged] = useDebouncedValue(wanted, rest);
  const json = useMemo(() => (judged ? format(judged) : ''), [judged]);
  const { data, isError } = useVerdict({ type, id, base, text: json }, json !== '');
  if (!wanted || wanted !== judged || !(data ?? isError)) return null;
  const { refused = [], tolerated = [], warnings = [] } = data ?? {};
  const [first] = refused;
  const said = remote ? text.verdict.found : text.verdict.accepted;
  return (
    <p className={styles.verdict} role="group" aria-label={text.verdict.name} data-refused={first && true}>
      {isError
        ? text.verdict.failed
        : first
          ? `${text.verdict.refused(refused.length)} ${first.expression?.[0] ?? ''} ${first.details?.text ?? ''}`
          : tolerated.length + warnings.length === 0
            ? text.verdict.good
            : said}
      {warnings.some(isStaleWarning) && ` ${text.verdict.stale}`}
      {remote && ` ${text.verdict.theirs(host)}`}
    </p>
  );
}
