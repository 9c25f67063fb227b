import { Button, Checkbox } from '@mantine/core';
import { useMemo, useReducer, useState, useDeferredValue } from 'react';
import { pathOf } from '../../../core/api/contract.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { placeOf, useConnection } from '../../platform/connection.ts';
import { useIsReasonMissing, provenanceFor, waitForCurrentPerson, usePerson } from '../../platform/people.ts';
import { ifMatchFor, holdsSent, toVersion, type Version } from '../../platform/record-version.ts';
import { WhyFields } from '../../platform/reason-fields.tsx';
import { sendLabel, consentOf } from '../../platform/write-consent.ts';
import { Question } from '../../ui/question.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { SheetFooter } from '../../ui/sheet-footer.tsx';
import { text } from '../../ui/text.ts';
import { ElementTree } from './element-tree.tsx';
import { OperationsPane } from './operations-pane.tsx';
import { placeIssues } from './patch-issues.ts';
import { composeJson, rowsOf } from './patch-json.ts';
import { PatchBanner } from './patch-notice.tsx';
import { pathsOf } from './patch-paths.ts';
import { compose, type PatchRow, type ComposedPatch } from './patch-rows.ts';
import {
  canSend,
  isComposed,
  patchReducer,
  startPatch,
  type PatchAction,
  type PatchState,
} from './patch-state.ts';
import frame from '../../ui/view.module.css';
import styles from './patch.module.css';
import { useDebouncedValue } from '@mantine/hooks';
import { formatNode, copy, type JsonNode } from '../../../core/json/node.ts';
import { DiffView } from '../../platform/diff-view.tsx';
import { isStaleWarning, useSavePreview } from '../../platform/use-verdict.ts';
import { ApiFailure, isTokenRejected, UnconfirmedWriteError } from '../../../core/api/failure.ts';
import { isSameVersion } from '../../../core/api/same-version.ts';
import { session } from '../../platform/session.ts';
import { toFailure } from '../../ui/failure.ts';
import { useAnnounce } from '../../ui/status-store.ts';

export interface PatchDialogProps {
  readonly type: ResourceType;
  readonly id: string;
  /** Version of the record. Undefined if it could not be read: paths are then typed, and nothing is compared. */
  readonly record: Version | undefined;
  /** Path of the initially selected element. */
  readonly path?: string | undefined;
  /** Initial operations as a JSON array, from an edit. */
  readonly operations?: string | undefined;
  readonly onClose: () => void;
  /** `before` is the version for which the operations were composed. */
  readonly onApplied: (answer: Version, before: Version | undefined) => void;
}

/** Composes replace operations over the tree of the record, previews their effect and sends them with If-Match. */
export function PatchDialog(props: PatchDialogProps) {
  const { type, id, onClose } = props;
  const patch = usePatch(props);
  const { state, dispatch, paths, composedPatch, placedIssues, isSending } = patch;
  const { base } = state;
  const [isLeaving, setIsLeaving] = useState(false);
  const [reason, setReason] = useState('');
  const handleLeave = () => (isComposed(state) ? setIsLeaving(true) : onClose());
  return (
    <Sheet title={text.patch.title} closeLabel={text.patch.close} busy={isSending} onClose={handleLeave}>
      <PatchBanner
        type={type}
        id={id}
        state={state}
        placedIssues={placedIssues}
        paths={patch.touched}
        reading={patch.reading}
        onReread={(sentResult) => void patch.reread(sentResult)}
      />
      <div className={frame.beside}>
        {base && (
          <ElementTree
            type={type}
            paths={paths}
            record={base.root}
            onPick={(path) => dispatch({ type: 'picked', path })}
          />
        )}
        <div className={frame.column}>
          <OperationsPane
            state={state}
            type={type}
            patch={composedPatch}
            paths={paths}
            placedIssues={placedIssues}
            dispatch={dispatch}
          />
          <PatchPreview base={base} patch={composedPatch} />
        </div>
      </div>
      {base && <PatchPreviewIssues type={type} id={id} base={base} patch={composedPatch} />}
      <WhyFields reason={reason} disabled={isSending} onReason={setReason} />
      <PatchFoot type={type} id={id} patch={patch} reason={reason} onLeave={handleLeave} />
      {isLeaving && (
        <Question
          title={text.patch.leaveTitle}
          confirm={text.patch.leaveConfirm}
          keep={text.patch.leaveKeep}
          onConfirm={onClose}
          onKeep={() => setIsLeaving(false)}
        >
          <p>{text.patch.leaveDetail}</p>
        </Question>
      )}
    </Sheet>
  );
}

/** State of the composer with the composed patch and its requests. */
function usePatch({ type, id, record, path, operations, onApplied }: PatchDialogProps) {
  const [state, dispatch] = useReducer(patchReducer, undefined, () => startPatch(record, path, operations));
  const { base, rows, json, phase } = state;
  const requests = usePatchSend({
    type,
    id,
    state,
    dispatch,
    onApplied: (answer) => onApplied(answer, base),
  });
  const paths = useMemo(() => (base ? pathsOf(base.root) : []), [base]);
  const composedPatch = useMemo(
    () => (json ? composeJson(json.text, type, base?.root) : compose(rows, type, base?.root)),
    [json, rows, type, base],
  );
  const placedIssues = useMemo(
    () => placeIssues(phase.name === 'refused' ? phase.issues : [], json ? [] : rows, type),
    [phase, json, rows, type],
  );
  const touched = useMemo(() => touchedPaths(rows, json?.text), [rows, json]);
  return {
    state,
    dispatch,
    paths,
    composedPatch,
    placedIssues,
    touched,
    isSending: phase.name === 'sending',
    ...requests,
  };
}

interface PatchFootProps extends Pick<PatchDialogProps, 'type' | 'id'> {
  readonly patch: ReturnType<typeof usePatch>;
  readonly reason: string;
  readonly onLeave: () => void;
}

/** Request line, target and confirmation before sending. */
function PatchFoot({ type, id, patch, reason, onLeave }: PatchFootProps) {
  const { state, composedPatch, isSending } = patch;
  const { base, phase } = state;
  const connection = useConnection();
  const { remote, fhirBase } = connection;
  const [isBlindWriteAllowed, setBlindWriteAllowed] = useState(false);
  const isReasonMissing = useIsReasonMissing(reason);
  const match = base && ifMatchFor(base);
  return (
    <SheetFooter>
      <code className={styles.request}>
        {`PATCH ${remote ? `${fhirBase}/${type}/${encodeURIComponent(id)}` : pathOf(type, id)}`}
        {match !== undefined && <span>{`If-Match: ${match}`}</span>}
      </code>
      {remote && base && base.etag === undefined && (
        <span className={styles.weaker}>{text.review.noEtag}</span>
      )}
      {!base && (
        <Checkbox
          label={text.patch.sendWithoutIfMatch}
          checked={isBlindWriteAllowed}
          onChange={({ currentTarget }) => setBlindWriteAllowed(currentTarget.checked)}
        />
      )}
      <Button onClick={onLeave} disabled={isSending}>
        {text.patch.cancel}
      </Button>
      <Button
        variant="filled"
        loading={isSending}
        disabled={
          !composedPatch.ready || !canSend(phase) || (!base && !isBlindWriteAllowed) || isReasonMissing
        }
        onClick={() => void patch.send(composedPatch.body, composedPatch.result, reason)}
      >
        {sendLabel(remote, text.patch.apply, text.consent.applyPatch)}
      </Button>
      <span className={styles.saveAs}>
        {isReasonMissing ? text.why.first : text.patch.saveAs(base?.version, placeOf(connection))}
      </span>
    </SheetFooter>
  );
}

/** Returns the paths that the operations replace, from rows or JSON. */
function touchedPaths(rows: readonly PatchRow[], json: string | undefined): string[] {
  const parsed = json === undefined ? { rows } : rowsOf(json, 0);
  return 'rows' in parsed ? parsed.rows.map(({ path }) => path.trim()).filter((path) => path !== '') : [];
}

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

interface PatchSendOptions {
  readonly type: ResourceType;
  readonly id: string;
  readonly state: PatchState;
  readonly dispatch: (action: PatchAction) => void;
  readonly onApplied: (answer: Version) => void;
}

/** Sends the requests of the composer. Each reports by dispatching or by `onApplied`; none rejects. */
export function usePatchSend({ type, id, state, dispatch, onApplied }: PatchSendOptions) {
  const { client, remote } = useConnection();
  const announce = useAnnounce();
  const person = usePerson();
  const [reading, setReading] = useState(false);

  /** Sends the patch. `result` is the expected record, to recognize an applied patch after a lost response. */
  async function send(body: string, result: JsonNode | undefined, reason: string): Promise<void> {
    const { base } = state;
    const provenance = provenanceFor(reason, person);
    // Without a base version, the user has agreed to change any current version.
    const anyVersion = base === undefined;
    const from = { etag: base?.etag, text: base?.text, anyVersion, provenance, ...consentOf(remote) };
    dispatch({ type: 'sent' });
    try {
      await waitForCurrentPerson();
      onApplied(toVersion(await client.patch(type, id, body, from)));
    } catch (error) {
      if (!(error instanceof ApiFailure)) {
        dispatch({ type: 'unanswered', sentResult: result });
        announce(error instanceof UnconfirmedWriteError ? error.message : text.patch.unconfirmedTitle);
        return;
      }
      if (isTokenRejected(error)) session.requireToken();
      const failure = toFailure(error);
      if (error.status === 412) {
        dispatch({ type: 'stale', version: failure.currentVersion });
        announce(text.patch.conflictTitle(failure.currentVersion));
        await reread(undefined);
        return;
      }
      dispatch({ type: 'refused', failure, issues: error.outcome?.issue ?? [] });
      announce(text.patch.failed);
    }
  }

  /** Reads the current version. The patch was applied if it equals `sentResult`. */
  async function reread(sentResult: JsonNode | undefined): Promise<void> {
    setReading(true);
    try {
      const currentVersion = toVersion(await client.read(type, id));
      const { base } = state;
      const hasChanged = !base || !isSameVersion(currentVersion, base);
      if (sentResult && hasChanged && holdsSent(copy(sentResult), currentVersion)) onApplied(currentVersion);
      else dispatch({ type: 'reread', serverVersion: currentVersion });
    } catch (error) {
      dispatch({ type: 'rereadFailed' });
      announce(toFailure(error).sentences.join(' '));
    } finally {
      setReading(false);
    }
  }

  return { send, reread, reading };
}
