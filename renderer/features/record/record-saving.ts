import { ApiFailure, isTokenRefused, Unconfirmed } from '../../../core/api/failure.ts';
import { provenanceHeader } from '../../../core/api/provenance.ts';
import { isSameVersion, type HeldVersion } from '../../../core/api/same-version.ts';
import { blank, isUnstored } from '../../../core/fhir/new-record.ts';
import { definitionOf } from '../../../core/fhir/resource.ts';
import { member, stringMember } from '../../../core/json/node.ts';
import { format } from '../../../core/json/print.ts';
import { scan } from '../../../core/json/scan.ts';
import { modelAt } from '../../platform/monaco-loader.ts';
import { amendModelText, replaceModelText } from '../../platform/monaco-text.ts';
import { seated } from '../../platform/people.ts';
import { session } from '../../platform/session.ts';
import { consentOf } from '../../platform/write-consent.ts';
import { toFailure } from '../../ui/failure.ts';
import { text } from '../../ui/text.ts';
import { mergeOf, rebaseOf } from './conflict/merge-record.ts';
import { fetchVersion, isGone, type Means } from './record-reading.ts';
import type { RecordState, RecordTarget } from './record-state.ts';
import { holdsSent, toVersion, type Version } from '../../platform/record-version.ts';
import { requestOf } from './review/save-request.ts';

/** Sends the text; where another client was first, both texts are brought together. */
export async function save(means: Means, target: RecordTarget): Promise<void> {
  const { client, remote, person } = means;
  const { state, dispatch } = target;
  const { type, id, base } = state;
  const { method, body, headers } = requestOf(state, person);
  const provenance = headers.find(([header]) => header === provenanceHeader)?.[1];
  const from = { etag: base?.etag, text: base?.text, provenance, ...consentOf(remote) };
  dispatch({ type: 'sent' });
  try {
    await seated();
    const write = method === 'PUT' ? 'update' : 'patch';
    const answer = await (method === 'POST'
      ? client.create(type, body, from)
      : client[write](type, id, body, from));
    takeSaved(means, target, toVersion(answer), method === 'POST' ? undefined : base);
  } catch (error) {
    await takeRefused(means, target, error);
  }
}

/** Takes an answer over as the tab's text, and lets tables and counts follow. */
export function takeSaved(means: Means, target: RecordTarget, version: Version, before?: HeldVersion): void {
  const { announce, queries } = means;
  const { state, modelPath, dispatch } = target;
  dispatch({ type: 'saved', version });
  // What was typed since the text was sent stays, in the editor as in the state.
  if ((modelAt(modelPath)?.getValue() ?? state.text) === state.text) {
    amendModelText(modelPath, version.text);
  }
  const same = before !== undefined && isSameVersion(version, before);
  if (isUnstored(state.id)) announce(text.record.stored(version.summary.id));
  else announce(same ? text.record.nothingToSave(version.version) : text.record.saved(version.version));
  for (const key of ['search', 'overview', 'quality']) void queries.invalidateQueries({ queryKey: [key] });
}

/** A save that did not go through: no answer came, another client was first, or the server refused it. */
async function takeRefused(means: Means, target: RecordTarget, error: unknown): Promise<void> {
  const { announce } = means;
  if (!(error instanceof ApiFailure)) {
    target.dispatch({ type: 'unanswered' });
    announce(error instanceof Unconfirmed ? error.message : text.review.unconfirmedTitle);
    return;
  }
  if (isTokenRefused(error)) session.requireToken();
  target.dispatch({ type: 'refused', failure: toFailure(error) });
  if (error.status === 412) await compare(means, target);
  else announce(text.review.failedTitle);
}

/** What became of a new record whose answer was lost: the version that holds its text, else what it began from. */
async function findStored({ client }: Means, { type, base, text: sent }: RecordState): Promise<Version> {
  const subject = stringMember(member(scan(sent).root, definitionOf(type).summary.subject), 'reference');
  const { records } = await client.search(type, [
    ...(subject === undefined ? [] : [['subject', subject] as const]),
    ['_sort', '-_lastUpdated'],
  ]);
  const versions = records.map(({ text: held }) => toVersion({ text: held }));
  return (
    versions.find((held) => holdsSent(scan(sent).root, held)) ?? base ?? toVersion({ text: blank(type) })
  );
}

/** Reads what the server holds now: to learn whether a save arrived, or to bring both texts together. */
export async function compare(means: Means, target: RecordTarget): Promise<void> {
  const { state, dispatch } = target;
  try {
    const theirs = isUnstored(state.id) ? await findStored(means, state) : await fetchVersion(means, state);
    const unconfirmed = state.phase.name === 'unconfirmed';
    if (unconfirmed && holdsSent(scan(state.text).root, theirs)) {
      takeSaved(means, target, theirs);
      return;
    }
    dispatch({ type: 'compared', theirs });
    if (!unconfirmed || !state.base || !isSameVersion(theirs, state.base)) meet(means, target, theirs);
  } catch (error) {
    const failure = toFailure(error);
    if (isGone(failure)) dispatch({ type: 'refused', failure });
    means.announce(failure.sentences.join(' '));
  }
}

/** Brings the text together with what the server holds now, as a save that was refused for it does. */
export async function merge(means: Means, target: RecordTarget): Promise<void> {
  target.dispatch({ type: 'refused', failure: { status: 412, sentences: [] } });
  await compare(means, target);
}

/** Brings both texts together where no change of one touches one of the other; else the steward chooses. */
function meet({ announce }: Means, { state, modelPath, dispatch }: RecordTarget, theirs: Version): void {
  const { base, text: mine } = state;
  const merged = base && mergeOf(base, mine, theirs);
  if (!merged?.disjoint) {
    announce(text.conflict.found(theirs.version));
    return;
  }
  const result = format(merged.resolve());
  const rebase = rebaseOf('merged', merged, theirs);
  dispatch({ type: 'rebased', onto: theirs, text: result, rebase });
  replaceModelText(modelPath, result);
  const mineIsThere = merged.rows.every(({ by }) => by === 'theirs' || by === 'same');
  announce(mineIsThere ? text.review.alreadyThere(theirs.version) : text.conflict.merged(theirs.version));
}
