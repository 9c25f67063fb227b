import type { Draft } from '../../../../core/app/drafts.ts';
import { putModelText } from '../../../platform/monaco-text.ts';
import { toVersion, type Version } from '../../../platform/record-version.ts';
import type { RecordTarget } from '../use-record-io.ts';
import type { DraftKeeper } from './draft-keeper.ts';

/** The version that a draft was made on. */
export function baseOf({ base, baseVersion: version, baseEtag: etag }: Draft): Version {
  return toVersion({ text: base, version, etag });
}

/** Puts a draft that this window has claimed into its tab, which goes on with it. */
export function takeDraft(
  keeper: DraftKeeper,
  { modelPath, dispatch }: Pick<RecordTarget, 'modelPath' | 'dispatch'>,
  draft: Draft,
): void {
  const { id, type, recordId, title, baseVersion, baseEtag, text, saved } = draft;
  const base = baseOf(draft);
  dispatch({ type: 'restored', text, base });
  // In the same turn: a tab without unsaved text would give its draft up.
  const held = { type, recordId, title, baseVersion, baseEtag, base: base.text, text };
  keeper.adopt(modelPath, id, held, Date.parse(saved));
  putModelText(modelPath, text);
}
