import { useState } from 'react';
import { ApiFailure, isTokenRejected, UnconfirmedWriteError } from '../../../core/api/failure.ts';
import { isSameVersion } from '../../../core/api/same-version.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { copy, type JsonNode } from '../../../core/json/node.ts';
import { useConnection } from '../../platform/connection.ts';
import { provenanceFor, waitForCurrentPerson, usePerson } from '../../platform/people.ts';
import { holdsSent, toVersion, type Version } from '../../platform/record-version.ts';
import { session } from '../../platform/session.ts';
import { consentOf } from '../../platform/write-consent.ts';
import { toFailure } from '../../ui/failure.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import type { PatchAction, PatchState } from './patch-state.ts';

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
