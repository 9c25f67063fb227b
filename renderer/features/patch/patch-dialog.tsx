import { Button, Checkbox } from '@mantine/core';
import { useMemo, useReducer, useState } from 'react';
import { pathOf } from '../../../core/api/contract.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { placeOf, useConnection } from '../../platform/connection.ts';
import { useLacksReason } from '../../platform/people.ts';
import { ifMatchFor, type Version } from '../../platform/record-version.ts';
import { WhyFields } from '../../platform/why-fields.tsx';
import { sendLabel } from '../../platform/write-consent.ts';
import { Question } from '../../ui/question.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { SheetFoot } from '../../ui/sheet-foot.tsx';
import { text } from '../../ui/text.ts';
import { ElementTree } from './element-tree.tsx';
import { OperationsPane } from './operations-pane.tsx';
import { placeIssues } from './patch-issues.ts';
import { composeJson, rowsOf } from './patch-json.ts';
import { PatchPreview, PatchVerdict } from './patch-effect.tsx';
import { PatchNotice } from './patch-notice.tsx';
import { pathsOf } from './patch-paths.ts';
import { compose, type PatchRow } from './patch-rows.ts';
import { canSend, isComposed, patchReducer, startPatch } from './patch-state.ts';
import { usePatchSend } from './use-patch-send.ts';
import frame from '../../ui/view.module.css';
import styles from './patch.module.css';

export interface PatchDialogProps {
  readonly type: ResourceType;
  readonly id: string;
  /** The version shown; absent where it could not be read: paths are then typed, and nothing is compared. */
  readonly record: Version | undefined;
  /** The element that it opens at. */
  readonly path?: string | undefined;
  /** The operations that it opens with, a JSON array: those of an edit. */
  readonly operations?: string | undefined;
  readonly onClose: () => void;
  /** `before` is the version that the operations were composed for. */
  readonly onApplied: (answer: Version, before: Version | undefined) => void;
}

/** Composes replace operations over the record's own tree, shows their effect, and sends them with If-Match. */
export function PatchDialog(props: PatchDialogProps) {
  const { type, id, onClose } = props;
  const patch = usePatch(props);
  const { state, dispatch, paths, composed, placed, sending } = patch;
  const { base } = state;
  const [leaving, setLeaving] = useState(false);
  const [reason, setReason] = useState('');
  const leave = () => (isComposed(state) ? setLeaving(true) : onClose());
  return (
    <Sheet title={text.patch.title} closeLabel={text.patch.close} busy={sending} onClose={leave}>
      <PatchNotice
        {...{ state, placed }}
        paths={patch.touched}
        reading={patch.reading}
        onReread={(sent) => void patch.reread(sent)}
      />
      <div className={frame.beside}>
        {base && (
          <ElementTree
            {...{ type, paths }}
            record={base.root}
            onPick={(path) => dispatch({ type: 'picked', path })}
          />
        )}
        <div className={frame.column}>
          <OperationsPane {...{ state, type, composed, paths, placed, dispatch }} />
          <PatchPreview base={base} composed={composed} />
        </div>
      </div>
      {base && <PatchVerdict {...{ type, id, base, composed }} />}
      <WhyFields reason={reason} disabled={sending} onReason={setReason} />
      <PatchFoot {...{ type, id, patch, reason }} onLeave={leave} />
      {leaving && (
        <Question
          title={text.patch.leaveTitle}
          confirm={text.patch.leaveConfirm}
          keep={text.patch.leaveKeep}
          onConfirm={onClose}
          onKeep={() => setLeaving(false)}
        >
          <p>{text.patch.leaveDetail}</p>
        </Question>
      )}
    </Sheet>
  );
}

/** The operations as they are composed, what they make of the record, and how they are sent. */
function usePatch({ type, id, record, path, operations, onApplied }: PatchDialogProps) {
  const [state, dispatch] = useReducer(patchReducer, undefined, () => startPatch(record, path, operations));
  const { base, rows, json, phase } = state;
  const requests = usePatchSend({
    ...{ type, id, state, dispatch },
    onApplied: (answer) => onApplied(answer, base),
  });
  const paths = useMemo(() => (base ? pathsOf(base.root) : []), [base]);
  const composed = useMemo(
    () => (json ? composeJson(json.text, type, base?.root) : compose(rows, type, base?.root)),
    [json, rows, type, base],
  );
  const placed = useMemo(
    () => placeIssues(phase.name === 'refused' ? phase.issues : [], json ? [] : rows, type),
    [phase, json, rows, type],
  );
  const touched = useMemo(() => touchedPaths(rows, json?.text), [rows, json]);
  return {
    state,
    dispatch,
    paths,
    composed,
    placed,
    touched,
    sending: phase.name === 'sending',
    ...requests,
  };
}

interface PatchFootProps extends Pick<PatchDialogProps, 'type' | 'id'> {
  readonly patch: ReturnType<typeof usePatch>;
  readonly reason: string;
  readonly onLeave: () => void;
}

/** The request, where it goes, and what must be said before it is sent. */
function PatchFoot({ type, id, patch, reason, onLeave }: PatchFootProps) {
  const { state, composed, sending } = patch;
  const { base, phase } = state;
  const connection = useConnection();
  const { remote, fhirBase } = connection;
  const [blind, setBlind] = useState(false);
  const lacksReason = useLacksReason(reason);
  const match = base && ifMatchFor(base);
  return (
    <SheetFoot>
      <code className={styles.request}>
        {`PATCH ${remote ? `${fhirBase}/${type}/${encodeURIComponent(id)}` : pathOf(type, id)}`}
        {match !== undefined && <span>{`If-Match: ${match}`}</span>}
      </code>
      {remote && base && base.etag === undefined && (
        <span className={styles.weaker}>{text.review.noEtag}</span>
      )}
      {!base && (
        <Checkbox
          label={text.patch.blind}
          checked={blind}
          onChange={({ currentTarget }) => setBlind(currentTarget.checked)}
        />
      )}
      <Button onClick={onLeave} disabled={sending}>
        {text.patch.cancel}
      </Button>
      <Button
        variant="filled"
        loading={sending}
        disabled={!composed.ready || !canSend(phase) || (!base && !blind) || lacksReason}
        onClick={() => void patch.send(composed.body, composed.result, reason)}
      >
        {sendLabel(remote, text.patch.apply, text.consent.to)}
      </Button>
      <span className={styles.saveAs}>
        {lacksReason ? text.why.first : text.review.saveAs(base?.version, placeOf(connection))}
      </span>
    </SheetFoot>
  );
}

/** The paths that the operations replace, in either form of the array. */
function touchedPaths(rows: readonly PatchRow[], json: string | undefined): string[] {
  const read = json === undefined ? { rows } : rowsOf(json, 0);
  return 'rows' in read ? read.rows.map(({ path }) => path.trim()).filter((path) => path !== '') : [];
}
