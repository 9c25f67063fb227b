import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { CommandsContext } from '../platform/commands.ts';
import { useWorkbenchActions, WorkbenchActionsContext } from '../platform/workbench-actions.ts';
import { answerWith } from '../testing/answers.ts';
import { show, startServer } from '../testing/show.tsx';
import { useStatus } from '../ui/status-store.ts';
import { text } from '../ui/text.ts';
import { Palette } from './palette.tsx';
import { initialTabs, tabsReducer, type TabsAction } from './tabs-state.ts';
import { useCommands } from './use-commands.ts';

const messages = text.launcher;
const performed: string[] = [];

beforeEach(async () => {
  performed.length = 0;
  await startServer();
});

/** The palette over the tabs that the actions open. */
function Desk({ actions }: { readonly actions: readonly TabsAction[] }) {
  const commands = useCommands((view) => void performed.push(`view ${view}`));
  const { message } = useStatus();
  const workbench = {
    ...useWorkbenchActions(),
    openRecord: ({ type, id }: { type: string; id: string }) => void performed.push(`${type}/${id}`),
  };
  return (
    <CommandsContext value={commands}>
      <WorkbenchActionsContext value={workbench}>
        <Palette
          tabs={actions.reduce(tabsReducer, initialTabs)}
          onActivate={(key) => void performed.push(key)}
        />
        <output>{message}</output>
      </WorkbenchActionsContext>
    </CommandsContext>
  );
}

const palette = page.getByRole('dialog', { name: messages.palette.label });
const quickOpen = page.getByRole('dialog', { name: messages.open.label });
const openAndType = async (keys: string, query: string) => {
  await userEvent.keyboard(`{Control>}${keys}{/Control}`);
  if (query !== '') await userEvent.keyboard(query);
};
const listLabels = (group: string) =>
  page
    .getByRole('group', { name: group })
    .getByRole('option')
    .elements()
    .map((option) => option.querySelector('span')?.textContent);

test('opens a record by id, offers a choice of two types, and reports an unknown id', async () => {
  const record = (resourceType: string, id: string) => () => ({
    resourceType,
    id,
    title: `${resourceType} of that id`,
  });
  answerWith({
    'GET /app/find': () => ({ patients: [], records: [], behind: 0 }),
    'GET /fhir-r4/v1/CarePlan/a1': record('CarePlan', 'a1'),
    'GET /fhir-r4/v1/Composition/a1': () => 404,
    'GET /fhir-r4/v1/CarePlan/b2': record('CarePlan', 'b2'),
    'GET /fhir-r4/v1/Composition/b2': record('Composition', 'b2'),
    'GET /fhir-r4/v1/CarePlan/c3': () => 404,
    'GET /fhir-r4/v1/Composition/c3': () => 410,
  });
  await show(<Desk actions={[]} />);
  await openAndType('p', 'a1');
  await expect
    .element(quickOpen.getByRole('option', { name: messages.find(['CarePlan', 'Composition'], 'a1') }))
    .toBeVisible();
  await userEvent.keyboard('{Enter}');
  await expect.element(quickOpen).not.toBeInTheDocument();
  expect(performed).toEqual(['CarePlan/a1']);

  await openAndType('p', 'b2{Enter}');
  await expect.element(quickOpen.getByText(messages.several(2, 'b2'))).toBeVisible();
  expect(listLabels(messages.groups.found)).toEqual(['CarePlan of that id', 'Composition of that id']);
  expect(listLabels(messages.groups.byId)).toEqual([]);
  await userEvent.keyboard('{ArrowDown}{Enter}');
  await expect.element(quickOpen).not.toBeInTheDocument();
  expect(performed).toEqual(['CarePlan/a1', 'Composition/b2']);

  await openAndType('p', 'c3{Enter}');
  await expect
    .element(quickOpen.getByText(messages.notFound(['CarePlan', 'Composition'], 'c3')))
    .toBeVisible();
  // Further typing clears the message.
  await userEvent.keyboard('4');
  await expect.element(quickOpen.getByText(/has the ID/)).not.toBeInTheDocument();
  expect(performed).toHaveLength(2);
});

test('lists open tabs before recent records, and distinguishes equal ids by type', async () => {
  await show(
    <Desk
      actions={[
        { type: 'open', record: { type: 'Composition', id: 'a1', title: 'Letter' } },
        { type: 'close', key: 'record-1' },
        { type: 'open', record: { type: 'CarePlan', id: 'a1', title: 'Diet' } },
        { type: 'openView', view: 'data' },
      ]}
    />,
  );
  await openAndType('k', '');
  expect(listLabels(messages.groups.tabs)).toEqual(['Diet', text.views.data]);
  expect(listLabels(messages.groups.records)).toEqual(['Letter']);
  expect(listLabels(messages.groups.byId)).toEqual([]);
  await palette.getByRole('option', { name: /Diet/ }).click();
  await expect.element(palette).not.toBeInTheDocument();
  expect(performed).toEqual(['record-2']);
});

test('treats a plain word as an id only in quick open', async () => {
  await show(<Desk actions={[]} />);
  await openAndType('k', 'diet');
  await expect.element(palette.getByText(messages.nothing('diet'))).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await openAndType('p', 'diet');
  await expect.element(quickOpen.getByRole('option', { name: /diet$/ })).toBeVisible();
  await quickOpen.getByRole('combobox').fill('two words');
  await expect.element(quickOpen.getByText(messages.nothing('two words'))).toBeVisible();
});

test('runs a command by name, and announces why a disabled one cannot run', async () => {
  await show(<Desk actions={[]} />);
  await openAndType('k', 'user’s guide{Enter}');
  await expect.element(palette).not.toBeInTheDocument();
  expect(performed).toEqual(['view guide']);
  await openAndType('k', 'review changes');
  await expect
    .element(palette.getByRole('option', { name: /^Review changes/ }))
    .toHaveAttribute('aria-disabled', 'true');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText(text.commands.noRecord)).toBeVisible();
  await expect.element(palette).not.toBeInTheDocument();
});
