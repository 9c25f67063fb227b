import { useCallback, useEffect, useMemo, useReducer, useState } from 'react';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import { disposeModel, loadMonaco } from '../../../platform/monaco-loader.ts';
import { previousWindows } from '../../../platform/window-ids.ts';
import { send, show, startServer } from '../../../testing/show.tsx';
import { useStatus } from '../../../ui/status-store.ts';
import type { EditorHandle } from '../json-editor.tsx';
import { RecordEditor } from '../record-editor.tsx';
import { openRecord, recordReducer, type RecordAction } from '../record-state.ts';
import { patchAsOtherClient, modelPathOf, record, storedPlan, storePlan } from '../testing/record-host.tsx';
import { useRecordRequests } from '../use-record-requests.ts';
import { useDraftRestore } from './use-draft-return.ts';

beforeEach(async () => {
  await startServer();
  previousWindows.set(new Set(['before']));
  onTestFinished(() => previousWindows.set(new Set()));
});

const ignore = () => undefined;

interface TabSampleProps {
  readonly id: string;
  readonly hasEditor?: boolean;
}

/** A tab after a reload of its window: its text, its phase, the status message, and its editor on request. */
function TabSample({ id, hasEditor = false }: TabSampleProps) {
  const [editor, setEditor] = useState<EditorHandle>();
  const [recordState, dispatch] = useReducer(recordReducer, openRecord('CarePlan', id));
  const path = modelPathOf(id);
  const requests = useRecordRequests();
  const { message } = useStatus();
  const tabs = useMemo(() => [{ path, record: recordState }], [path, recordState]);
  useDraftRestore(
    tabs,
    useCallback((_: string, action: RecordAction) => dispatch(action), []),
  );
  const isToBeRead = recordState.phase.name === 'loading';
  useEffect(() => {
    if (isToBeRead)
      void requests.loadRecord({ state: openRecord('CarePlan', id), modelPath: path, dispatch });
  }, [id, requests, isToBeRead, path]);
  return (
    <>
      <output>{message}</output>
      <p>{recordState.phase.name}</p>
      <pre>{recordState.text}</pre>
      {hasEditor && (
        <div style={{ height: 400 }}>
          <RecordEditor
            target={{ state: recordState, modelPath: path, dispatch }}
            layout={{ isShown: false, toggle: ignore }}
            editor={editor}
            tokens={[]}
            isHidden={false}
            onReady={setEditor}
          />
        </div>
      )}
    </>
  );
}

/** Stores a draft of another window that replaces the title of a plan. */
async function leaveDraft(draftId: string, recordId: string, window = 'before'): Promise<void> {
  const base = await storedPlan(recordId);
  const draft = {
    type: 'CarePlan',
    recordId,
    title: 'Alpha',
    baseVersion: 1,
    baseEtag: 'W/"1"',
    window,
    base,
    text: base.replace('Alpha', `Written in ${draftId}`),
  };
  await send('PUT', `/app/drafts/${draftId}`, JSON.stringify(draft));
}

test('restores drafts of this window into open tabs only', async () => {
  const [id, otherId] = [await storePlan('Alpha'), await storePlan('Alpha')];
  await leaveDraft('mine', id);
  await leaveDraft('shut', otherId);
  await leaveDraft('strange', id, 'another');
  await show(<TabSample id={id} />);
  await expect
    .element(page.getByRole('status'))
    .toMatchTextContent(/^Your unsaved changes to Alpha .* were restored/);
  await expect.element(page.getByText(/Written in mine/)).toBeVisible();
  await expect.element(page.getByText('dirty')).toBeVisible();
  expect(await storedPlan(id)).toContain('"title":"Alpha"');
});

test('does not restore a draft of an older version', async () => {
  const id = await storePlan('Alpha');
  await leaveDraft('mine', id);
  await patchAsOtherClient(id, { title: 'Newer' });
  await show(<TabSample id={id} />);
  await expect.element(page.getByText(/"Newer"/)).toBeVisible();
  await expect.element(page.getByText('clean')).toBeVisible();
  await expect.element(page.getByRole('status')).not.toMatchTextContent('were restored');
});

test('shows the restored draft in an editor that opens later', async () => {
  await loadMonaco();
  const id = await storePlan('Alpha');
  await leaveDraft('late', id);
  const path = modelPathOf(id);
  onTestFinished(() => disposeModel(path));
  const { rerender } = await show(<TabSample id={id} />);
  await expect.element(page.getByText('dirty')).toBeVisible();
  await rerender(<TabSample id={id} hasEditor />);
  await expect.element(record.editor).toMatchTextContent('Written in late');
});
