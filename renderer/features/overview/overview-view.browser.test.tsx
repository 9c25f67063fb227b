import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { WorkbenchActionsContext, type WorkbenchActions } from '../../platform/workbench-actions.ts';
import { send, show, startServer } from '../../testing/show.tsx';
import { text } from '../../ui/text.ts';
import { OverviewView } from './overview-view.tsx';

beforeEach(startServer);

const region = page.getByRole('region', { name: text.overview.name });
const part = (name: string) => region.getByRole('region', { name });

test('a store is told by status, by what was changed and by its patients, each a way to its records', async () => {
  for (const status of ['active', 'active', 'on-hold']) {
    const plan = {
      ...{ resourceType: 'CarePlan', status, intent: 'plan', title: 'Wound care' },
      subject: { reference: 'Patient/patient-number-17', display: 'Ada Example' },
    };
    await send('POST', '/fhir-r4/v1/CarePlan', JSON.stringify(plan));
  }
  const asked: unknown[] = [];
  onTestFinished(() => void asked.splice(0));
  const actions: WorkbenchActions = {
    openRecord: ({ title }) => asked.push(title),
    search: (pairs, type) => asked.push([type, ...pairs]),
    beginRecord: () => undefined,
    openPatient: (patient) => asked.push(patient),
    openView: (id) => asked.push(id),
    worklistOf: () => undefined,
    auditOf: () => undefined,
    composePatch: () => undefined,
    replaceInAll: () => undefined,
    recordsInHand: () => [],
    openBulkRun: () => undefined,
  };
  await show(
    <WorkbenchActionsContext value={actions}>
      <OverviewView />
    </WorkbenchActionsContext>,
  );
  await userEvent.click(part('Records').getByRole('button', { name: '1 CarePlans: on-hold' }));
  await userEvent.click(
    part('Changed today')
      .getByRole('button', { name: /Wound care/ })
      .first(),
  );
  await userEvent.click(
    part('Patients with the newest records').getByRole('button', { name: /Ada Example/ }),
  );
  expect(asked).toEqual([
    ['CarePlan', ['status', 'on-hold']],
    'Wound care',
    { id: 'patient-number-17', name: 'Ada Example' },
  ]);
  await expect.element(part('Quality').getByText(/without a finding/)).toBeVisible();
  await expect.element(part('Unfinished').getByText(text.overview.unfinished.none)).toBeVisible();
  await expect.element(part('Connections').getByText(text.overview.connections.none)).toBeVisible();
});

test('what the newest import refused is unfinished until another one leaves nothing', async () => {
  const note = (refused: number) =>
    send(
      'POST',
      '/app/activity',
      JSON.stringify({ kind: 'import', note: 'Imported the ward.', counts: { stored: 2, refused } }),
    );
  await note(24);
  const shown = await show(<OverviewView />);
  await expect
    .element(part('Unfinished').getByRole('button', { name: /^24 records refused by an import/ }))
    .toBeVisible();
  await shown.unmount();
  await note(0);
  await show(<OverviewView />);
  await expect.element(part('Unfinished').getByText(text.overview.unfinished.none)).toBeVisible();
});
