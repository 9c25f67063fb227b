import { useReducer, useState } from 'react';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { isUnsaved } from '../features/record/record-state.ts';
import { toVersion } from '../platform/record-version.ts';
import { storedPlan, storePlan } from '../features/record/testing/record-host.tsx';
import { useRecordRequests } from '../features/record/use-record-requests.ts';
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

/** An overlay over the tabs that the actions open. */
function Desk({
  initialOverlay,
  actions,
}: {
  readonly initialOverlay: Overlay;
  readonly actions: readonly TabsAction[];
}) {
  const [tabs, dispatch] = useReducer(tabsReducer, actions.reduce(tabsReducer, initialTabs));
  const [overlay, onOverlay] = useState<Overlay | undefined>(initialOverlay);
  const requests = useRecordRequests();
  const { message } = useStatus();
  return (
    <>
      <RecordOverlays
        overlay={overlay}
        tabs={tabs}
        dispatch={dispatch}
        requests={requests}
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

/** Returns the actions that open a plan, with an edited title if given. */
async function loadTab(id: string, title?: string): Promise<TabsAction[]> {
  const version = toVersion(await localConnection.client.read('CarePlan', id));
  const editedText = version.text.replace('"Diet"', `"${title}"`);
  const edit: TabsAction = { type: 'record', key: 'record-1', action: { type: 'edited', text: editedText } };
  return [
    { type: 'open', record: { type: 'CarePlan', id, title: 'Diet' }, outcome: { type: 'loaded', version } },
    ...(title === undefined ? [] : [edit]),
  ];
}

const composer = page.getByRole('dialog', { name: text.patch.title });
const value = composer.getByRole('textbox', { name: text.patch.value(0), exact: true });
const apply = composer.getByRole('button', { name: text.patch.apply });

test('shows the history of a record until it is closed', async () => {
  const id = await storePlan('Diet');
  await show(<Desk initialOverlay={{ kind: 'history', key: 'record-1' }} actions={await loadTab(id)} />);
  const sheet = page.getByRole('dialog', { name: text.history.titleOf('Diet') });
  await expect.element(sheet).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(sheet).not.toBeInTheDocument();
});

test.each([
  ['sent unchanged, no edit remains', 'Fasting', 'Version 2'],
  ['sent with another value, the edit stays unsaved on the new version', 'Walking', 'Version 2, unsaved'],
])('starts the composer with the unsaved edit: %s', async (_case, sentTitle, heading) => {
  const id = await storePlan('Diet');
  const record = { type: 'CarePlan', id } as const;
  await show(<Desk initialOverlay={{ kind: 'patch', record }} actions={await loadTab(id, 'Fasting')} />);
  await expect.element(value).toHaveValue('Fasting');
  await expect.element(page.getByText('Version 1, unsaved')).toBeInTheDocument();
  await value.fill(sentTitle);
  await apply.click();
  await expect.element(composer).not.toBeInTheDocument();
  await expect.element(page.getByText(heading, { exact: true })).toBeInTheDocument();
  expect(await storedPlan(id)).toContain(`"title":"${sentTitle}"`);
});

test('patches a closed record by id', async () => {
  const id = await storePlan('Diet');
  await show(<Desk initialOverlay={{ kind: 'patchById' }} actions={[]} />);
  await page.getByRole('textbox', { name: text.patch.byIdId }).fill(`CarePlan/${id}`);
  await userEvent.keyboard('{Enter}');
  await composer.getByRole('combobox', { name: text.patch.path(0), exact: true }).fill('/title');
  await value.fill('Fasting');
  await apply.click();
  await expect.element(page.getByText(text.patch.applied(`CarePlan/${id}`, 2))).toBeVisible();
  expect(await storedPlan(id)).toContain('"title":"Fasting"');
});

test('closes the tab of an erased record, including unsaved edits', async () => {
  const id = await storePlan('Diet');
  const record = { type: 'CarePlan', id } as const;
  await show(
    <Desk initialOverlay={{ kind: 'erase', record, label: 'Diet' }} actions={await loadTab(id, 'Fasting')} />,
  );
  await expect.element(page.getByText('Version 1, unsaved')).toBeInTheDocument();
  await page.getByLabelText(text.erase.reason).fill('Asked for.');
  await page.getByLabelText(text.erase.id).fill(id);
  await page.getByRole('button', { name: text.erase.confirm }).click();
  await expect.element(page.getByText('Version 1, unsaved')).not.toBeInTheDocument();
  await expect(localConnection.client.read('CarePlan', id)).rejects.toThrow();
});
