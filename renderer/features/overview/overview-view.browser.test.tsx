import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { WorkbenchActionsContext, type WorkbenchActions } from '../../platform/workbench-actions.ts';
import { send, show, startServer } from '../../testing/show.tsx';
import { text } from '../../ui/text.ts';
import { OverviewView } from './overview-view.tsx';

beforeEach(startServer);

const region = page.getByRole('region', { name: text.overview.name });
const part = (name: string) => region.getByRole('region', { name });

test('shows records by status, recent changes and patients, each with a link', async () => {
  for (const status of ['active', 'active', 'on-hold']) {
    const plan = {
      resourceType: 'CarePlan',
      status,
      intent: 'plan',
      title: 'Wound care',
      subject: { reference: 'Patient/patient-number-17', display: 'Ada Example' },
    };
    await send('POST', '/fhir-r4/v1/CarePlan', JSON.stringify(plan));
  }
  const actionCalls: unknown[] = [];
  onTestFinished(() => void actionCalls.splice(0));
  const actions: WorkbenchActions = {
    openRecord: ({ title }) => actionCalls.push(title),
    search: (pairs, type) => actionCalls.push([type, ...pairs]),
    beginRecord: () => undefined,
    openPatient: (patient) => actionCalls.push(patient),
    openView: (id) => actionCalls.push(id),
    worklistOf: () => undefined,
    auditOf: () => undefined,
    composePatch: () => undefined,
    replaceInAll: () => undefined,
    loadedRecords: () => [],
    openBulkRun: () => undefined,
  };
  await show(
    <WorkbenchActionsContext value={actions}>
      <OverviewView />
    </WorkbenchActionsContext>,
  );
  await userEvent.click(part('Records').getByRole('button', { name: 'on-hold 1 CarePlan' }));
  await userEvent.click(
    part('Changed today')
      .getByRole('button', { name: /Wound care/ })
      .first(),
  );
  await userEvent.click(part(text.overview.patients.title).getByRole('button', { name: /Ada Example/ }));
  expect(actionCalls).toEqual([
    ['CarePlan', ['status', 'on-hold']],
    'Wound care',
    { id: 'patient-number-17', name: 'Ada Example' },
  ]);
  await expect.element(part('Quality').getByText(/of records without issues/)).toBeVisible();
  await expect.element(part('Unfinished').getByText(text.overview.unfinished.none)).toBeVisible();
  await expect.element(part('Connections').getByText(text.overview.connections.none)).toBeVisible();
});

test('lists a rejected import as unfinished until another import has no rejections', async () => {
  const note = (rejectedCount: number) =>
    send(
      'POST',
      '/app/activity',
      JSON.stringify({
        kind: 'import',
        note: 'Imported the ward.',
        counts: { stored: 2, refused: rejectedCount },
      }),
    );
  await note(24);
  const view = await show(<OverviewView />);
  await expect
    .element(part('Unfinished').getByRole('button', { name: /^24 records refused by an import/ }))
    .toBeVisible();
  await view.unmount();
  await note(0);
  await show(<OverviewView />);
  await expect.element(part('Unfinished').getByText(text.overview.unfinished.none)).toBeVisible();
});

test('names a patient whose name only the patient’s own resource states', async () => {
  const resources = [
    {
      resourceType: 'CarePlan',
      id: 'c1',
      status: 'active',
      intent: 'plan',
      subject: { reference: 'Patient/p1' },
    },
    { resourceType: 'Patient', id: 'p1', name: [{ given: ['Ada'], family: 'Example' }] },
  ];
  await send('POST', '/app/import', JSON.stringify(resources));
  await show(<OverviewView />);
  const patients = part(text.overview.patients.title);
  await expect.element(patients.getByRole('button', { name: /Ada Example/ })).toBeVisible();
});
