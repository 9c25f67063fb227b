import { useReducer, useState } from 'react';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { isUnsaved } from '../features/record/record-state.ts';
import { toVersion } from '../platform/record-version.ts';
import { storedPlan, storePlan } from '../features/record/testing/record-host.tsx';
import { useRecordRequests } from '../features/record/use-record-io.ts';
import { localConnection } from '../platform/connection.ts';
import { loadMonaco } from '../platform/monaco-loader.ts';
import { show, startServer } from '../testing/show.tsx';
import { useStatus } from '../ui/status-store.ts';
import { text } from '../ui/text.ts';
import { RecordOverlays, type Overlay } from './record-overlays.tsx';
import { initialTabs, listRecordTabs, tabsReducer, type TabsAction } from './tabs-state.ts';

beforeAll(async () => {
  await loadMonaco();
});

beforeEach(startServer);

/** What lies over tabs that these actions opened. */
function Desk({ over, actions }: { readonly over: Overlay; readonly actions: readonly TabsAction[] }) {
  const [tabs, dispatch] = useReducer(tabsReducer, actions.reduce(tabsReducer, initialTabs));
  const [overlay, onOverlay] = useState<Overlay | undefined>(over);
  const io = useRecordRequests();
  const { message } = useStatus();
  return (
    <>
      <RecordOverlays
        overlay={overlay}
        tabs={tabs}
        dispatch={dispatch}
        io={io}
        onOverlay={onOverlay}
        onRestore={() => undefined}
      />
      {listRecordTabs(tabs).map(({ key, record }) => (
        <h2 key={key}>{`Version ${record.base?.version}${isUnsaved(record) ? ', unsaved' : ''}`}</h2>
      ))}
      <output>{message}</output>
    </>
  );
}

/** Opens a plan's tab, with another title where one is told. */
async function opened(id: string, title?: string): Promise<TabsAction[]> {
  const version = toVersion(await localConnection.client.read('CarePlan', id));
  const edited = version.text.replace('"Diet"', `"${title}"`);
  const edit: TabsAction = { type: 'record', key: 'record-1', action: { type: 'edited', text: edited } };
  return [
    { type: 'open', record: { type: 'CarePlan', id, title: 'Diet' }, outcome: { type: 'loaded', version } },
    ...(title === undefined ? [] : [edit]),
  ];
}

const composer = page.getByRole('dialog', { name: text.patch.title });
const value = composer.getByRole('textbox', { name: text.patch.value(0), exact: true });
const apply = composer.getByRole('button', { name: text.patch.apply });

test('the history of a tab’s record lies over it until it is closed', async () => {
  const id = await storePlan('Diet');
  await show(<Desk over={{ kind: 'history', key: 'record-1' }} actions={await opened(id)} />);
  const sheet = page.getByRole('dialog', { name: text.history.titleOf('Diet') });
  await expect.element(sheet).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(sheet).not.toBeInTheDocument();
});

test.each([
  ['sent as it is, nothing of it is left unsaved', 'Fasting', 'Version 2'],
  ['sent otherwise, what was written stays unsaved on the new version', 'Walking', 'Version 2, unsaved'],
])('an edit is what the composer begins with: %s', async (_what, sent, after) => {
  const id = await storePlan('Diet');
  const record = { type: 'CarePlan', id } as const;
  await show(<Desk over={{ kind: 'patch', record }} actions={await opened(id, 'Fasting')} />);
  await expect.element(value).toHaveValue('Fasting');
  await expect.element(page.getByText('Version 1, unsaved')).toBeInTheDocument();
  await value.fill(sent);
  await apply.click();
  await expect.element(composer).not.toBeInTheDocument();
  await expect.element(page.getByText(after, { exact: true })).toBeInTheDocument();
  expect(await storedPlan(id)).toContain(`"title":"${sent}"`);
});

test('a record that is not open is patched by its id', async () => {
  const id = await storePlan('Diet');
  await show(<Desk over={{ kind: 'patchById' }} actions={[]} />);
  await page.getByRole('textbox', { name: text.patch.byIdId }).fill(`CarePlan/${id}`);
  await userEvent.keyboard('{Enter}');
  await composer.getByRole('combobox', { name: text.patch.path(0), exact: true }).fill('/title');
  await value.fill('Fasting');
  await apply.click();
  await expect.element(page.getByText(text.patch.applied(`CarePlan/${id}`, 2))).toBeVisible();
  expect(await storedPlan(id)).toContain('"title":"Fasting"');
});

test('closes the tab of a record that is erased, unsaved edits included', async () => {
  const id = await storePlan('Diet');
  const record = { type: 'CarePlan', id } as const;
  await show(<Desk over={{ kind: 'erase', record, label: 'Diet' }} actions={await opened(id, 'Fasting')} />);
  await expect.element(page.getByText('Version 1, unsaved')).toBeInTheDocument();
  await page.getByLabelText(text.erase.reason).fill('Asked for.');
  await page.getByLabelText(text.erase.id).fill(id);
  await page.getByRole('button', { name: text.erase.confirm }).click();
  await expect.element(page.getByText('Version 1, unsaved')).not.toBeInTheDocument();
  await expect(localConnection.client.read('CarePlan', id)).rejects.toThrow();
});
