import { useCallback, useEffect, useMemo, useReducer } from 'react';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import { disposeModel, loadMonaco } from '../../../platform/monaco-loader.ts';
import { formerWindows } from '../../../platform/window-ids.ts';
import { send, show, startServer } from '../../../testing/show.tsx';
import { useStatus } from '../../../ui/status-store.ts';
import { JsonEditor } from '../json-editor.tsx';
import { openRecord, recordReducer, type RecordAction } from '../record-state.ts';
import { changeStored, modelPathOf, storedPlan, storePlan } from '../testing/record-host.tsx';
import { useRecordIo } from '../use-record-io.ts';
import { useDraftReturn } from './use-draft-return.ts';

beforeEach(async () => {
  await startServer();
  formerWindows.set(new Set(['before']));
  onTestFinished(() => formerWindows.set(new Set()));
});

/** A tab of a window that was loaded anew: its text, how it stands, and what the status bar says. */
function Tab({ id }: { readonly id: string }) {
  const [record, dispatch] = useReducer(recordReducer, openRecord('CarePlan', id));
  const path = modelPathOf(id);
  const io = useRecordIo();
  const { message } = useStatus();
  const tabs = useMemo(() => [{ path, record }], [path, record]);
  useDraftReturn(
    tabs,
    useCallback((_: string, action: RecordAction) => dispatch(action), []),
  );
  const isToBeRead = record.phase.name === 'loading';
  useEffect(() => {
    if (isToBeRead) void io.read({ state: openRecord('CarePlan', id), modelPath: path, dispatch });
  }, [id, io, isToBeRead, path]);
  return (
    <>
      <output>{message}</output>
      <p>{record.phase.name}</p>
      <pre>{record.text}</pre>
    </>
  );
}

/** What a window before wrote over the title of a plan, and did not save. */
async function leaveDraft(draftId: string, recordId: string, window = 'before'): Promise<void> {
  const base = await storedPlan(recordId);
  const draft = {
    ...{ type: 'CarePlan', recordId, title: 'Alpha', baseVersion: 1, baseEtag: 'W/"1"', window },
    ...{ base, text: base.replace('Alpha', `Written in ${draftId}`) },
  };
  await send('PUT', `/app/drafts/${draftId}`, JSON.stringify(draft));
}

test('what this window wrote comes back into its tab; of records without a tab, and of other windows, nothing does', async () => {
  const [id, other] = [await storePlan('Alpha'), await storePlan('Alpha')];
  await leaveDraft('mine', id);
  await leaveDraft('shut', other);
  await leaveDraft('strange', id, 'another');
  await show(<Tab id={id} />);
  await expect.element(page.getByRole('status')).toMatchTextContent(/^Your unsaved text of Alpha .* is back/);
  await expect.element(page.getByText(/Written in mine/)).toBeVisible();
  await expect.element(page.getByText('dirty')).toBeVisible();
  expect(await storedPlan(id)).toContain('"title":"Alpha"');
});

test('what was written on a version that is not the newest does not come back by itself', async () => {
  const id = await storePlan('Alpha');
  await leaveDraft('mine', id);
  await changeStored(id, { title: 'Newer' });
  await show(<Tab id={id} />);
  await expect.element(page.getByText(/"Newer"/)).toBeVisible();
  await expect.element(page.getByText('clean')).toBeVisible();
  await expect.element(page.getByRole('status')).not.toMatchTextContent('is back');
});

test('an editor that opens a moment later, with the text from before the draft, shows the draft', async () => {
  await loadMonaco();
  const id = await storePlan('Alpha');
  await leaveDraft('late', id);
  const path = modelPathOf(id);
  onTestFinished(() => disposeModel(path));
  const { rerender } = await show(<Tab id={id} />);
  await expect.element(page.getByText('dirty')).toBeVisible();
  const ignore = () => undefined;
  await rerender(
    <div style={{ height: 400 }}>
      <JsonEditor
        {...{ path, initialText: await storedPlan(id), readOnly: false }}
        onChange={ignore}
        onReady={ignore}
      />
    </div>,
  );
  await expect.element(page.getByText(/Written\sin\slate/).first()).toBeVisible();
});
