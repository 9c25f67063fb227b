import { useState } from 'react';
import { ApiFailure, isTokenRefused, Unconfirmed } from '../../../core/api/failure.ts';
import { isSameVersion } from '../../../core/api/same-version.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { copy, type JsonNode } from '../../../core/json/node.ts';
import { useConnection } from '../../platform/connection.ts';
import { provenanceFor, seated, usePerson } from '../../platform/people.ts';
import { holdsSent, toVersion, type Version } from '../../platform/record-version.ts';
import { session } from '../../platform/session.ts';
import { consentOf } from '../../platform/write-consent.ts';
import { toFailure } from '../../ui/failure.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import type { PatchAction, PatchState } from './patch-state.ts';

interface Sending {
  readonly type: ResourceType;
  readonly id: string;
  readonly state: PatchState;
  readonly dispatch: (action: PatchAction) => void;
  readonly onApplied: (answer: Version) => void;
}

/** The requests of the composer: each reports by dispatching or by `onApplied`; none rejects. */
export function usePatchSend({ type, id, state, dispatch, onApplied }: Sending) {
  const { client, remote } = useConnection();
  const announce = useAnnounce();
  const person = usePerson();
  const [reading, setReading] = useState(false);

  /** `reason` is why; `result` is what the record will be, to recognise it where no answer comes. */
  async function send(body: string, result: JsonNode | undefined, reason: string): Promise<void> {
    const { base } = state;
    const provenance = provenanceFor(reason, person);
    // Without a version that was read, the steward has agreed to change whatever is current.
    const anyVersion = base === undefined;
    const from = { etag: base?.etag, text: base?.text, anyVersion, provenance, ...consentOf(remote) };
    dispatch({ type: 'sent' });
    try {
      await seated();
      onApplied(toVersion(await client.patch(type, id, body, from)));
    } catch (error) {
      if (!(error instanceof ApiFailure)) {
        dispatch({ type: 'unanswered', sent: result });
        announce(error instanceof Unconfirmed ? error.message : text.patch.unconfirmedTitle);
        return;
      }
      if (isTokenRefused(error)) session.requireToken();
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

  /** Reads what the server holds now; where that is `sent`, the patch was applied. */
  async function reread(sent: JsonNode | undefined): Promise<void> {
    setReading(true);
    try {
      const found = toVersion(await client.read(type, id));
      const { base } = state;
      const moved = !base || !isSameVersion(found, base);
      if (sent && moved && holdsSent(copy(sent), found)) onApplied(found);
      else dispatch({ type: 'reread', found });
    } catch (error) {
      dispatch({ type: 'rereadFailed' });
      announce(toFailure(error).sentences.join(' '));
    } finally {
      setReading(false);
    }
  }

  return { send, reread, reading };
}
