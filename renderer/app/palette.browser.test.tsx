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

const words = text.launcher;
const done: string[] = [];

beforeEach(async () => {
  done.length = 0;
  await startServer();
});

/** The palette over tabs that these actions opened. */
function Desk({ actions }: { readonly actions: readonly TabsAction[] }) {
  const commands = useCommands((view) => void done.push(`view ${view}`));
  const { message } = useStatus();
  const workbench = {
    ...useWorkbenchActions(),
    openRecord: ({ type, id }: { type: string; id: string }) => void done.push(`${type}/${id}`),
  };
  return (
    <CommandsContext value={commands}>
      <WorkbenchActionsContext value={workbench}>
        <Palette tabs={actions.reduce(tabsReducer, initialTabs)} onActivate={(key) => void done.push(key)} />
        <output>{message}</output>
      </WorkbenchActionsContext>
    </CommandsContext>
  );
}

const palette = page.getByRole('dialog', { name: words.palette.label });
const quickOpen = page.getByRole('dialog', { name: words.open.label });
const ask = async (keys: string, typed: string) => {
  await userEvent.keyboard(`{Control>}${keys}{/Control}`);
  if (typed !== '') await userEvent.keyboard(typed);
};
const labels = (group: string) =>
  page
    .getByRole('group', { name: group })
    .getByRole('option')
    .elements()
    .map((one) => one.querySelector('span')?.textContent);

test('an id opens the record that bears it; of two types that have it both are offered, and none is said', async () => {
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
  await ask('p', 'a1');
  await expect
    .element(quickOpen.getByRole('option', { name: words.find(['CarePlan', 'Composition'], 'a1') }))
    .toBeVisible();
  await userEvent.keyboard('{Enter}');
  await expect.element(quickOpen).not.toBeInTheDocument();
  expect(done).toEqual(['CarePlan/a1']);

  await ask('p', 'b2{Enter}');
  await expect.element(quickOpen.getByText(words.several(2, 'b2'))).toBeVisible();
  expect(labels(words.groups.found)).toEqual(['CarePlan of that id', 'Composition of that id']);
  expect(labels(words.groups.byId)).toEqual([]);
  await userEvent.keyboard('{ArrowDown}{Enter}');
  await expect.element(quickOpen).not.toBeInTheDocument();
  expect(done).toEqual(['CarePlan/a1', 'Composition/b2']);

  await ask('p', 'c3{Enter}');
  await expect.element(quickOpen.getByText(words.notFound(['CarePlan', 'Composition'], 'c3'))).toBeVisible();
  // What is typed next is another question.
  await userEvent.keyboard('4');
  await expect.element(quickOpen.getByText(/has the ID/)).not.toBeInTheDocument();
  expect(done).toHaveLength(2);
});

test('what is open stands before what was open; a record of the same id and another type is another one', async () => {
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
  await ask('k', '');
  expect(labels(words.groups.tabs)).toEqual(['Diet', text.views.data]);
  expect(labels(words.groups.records)).toEqual(['Letter']);
  expect(labels(words.groups.byId)).toEqual([]);
  await palette.getByRole('option', { name: /Diet/ }).click();
  await expect.element(palette).not.toBeInTheDocument();
  expect(done).toEqual(['record-2']);
});

test('a word is no id among the commands, and may be one where an id is asked for', async () => {
  await show(<Desk actions={[]} />);
  await ask('k', 'diet');
  await expect.element(palette.getByText(words.nothing('diet'))).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await ask('p', 'diet');
  await expect.element(quickOpen.getByRole('option', { name: /diet$/ })).toBeVisible();
  await quickOpen.getByRole('combobox').fill('two words');
  await expect.element(quickOpen.getByText(words.nothing('two words'))).toBeVisible();
});

test('a command runs by its name; one that cannot run now says why', async () => {
  await show(<Desk actions={[]} />);
  await ask('k', 'user’s guide{Enter}');
  await expect.element(palette).not.toBeInTheDocument();
  expect(done).toEqual(['view guide']);
  await ask('k', 'review changes');
  await expect
    .element(palette.getByRole('option', { name: /^Review changes/ }))
    .toHaveAttribute('aria-disabled', 'true');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText(text.commands.noRecord)).toBeVisible();
  await expect.element(palette).not.toBeInTheDocument();
});
