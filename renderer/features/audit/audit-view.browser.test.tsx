import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { StatusMessage, send, show, startServer } from '../../testing/show.tsx';
import { text } from '../../ui/text.ts';
import { initialAuditFilter } from './audit-asked.ts';
import { AuditView } from './audit-view.tsx';

const { groups, actions, filter } = text.audit;

beforeEach(startServer);

const plan = (title: string) =>
  JSON.stringify({
    resourceType: 'CarePlan',
    status: 'active',
    intent: 'plan',
    title,
    subject: { reference: 'Patient/p' },
  });

/** Creates a plan that is read twice and updated once. Returns its ID. */
async function createUsedPlan(): Promise<string> {
  const { id } = (await (await send('POST', '/fhir-r4/v1/CarePlan', plan('Alpha'))).json()) as { id: string };
  const path = `/fhir-r4/v1/CarePlan/${id}`;
  await send('GET', path);
  await send('GET', path);
  await send('PUT', path, plan('Beta').replace('{', `{"id":"${id}",`));
  return id;
}

const grid = page.getByRole('grid', { name: text.audit.list });
const rows = () => grid.getByRole('row').elements().length - 1;
const group = (action: string, count: number) =>
  page.getByRole('group', { name: groups.name }).getByRole('button', { name: groups.count(action, count) });

test('groups entries by action with counts and filters by one group', async () => {
  await createUsedPlan();
  await show(<AuditView isActive />);
  await group(actions.read, 2).click();
  await expect.poll(rows).toBe(2);
  await expect.element(group(actions.read, 2)).toHaveAttribute('aria-pressed', 'true');
  await expect.element(page.getByLabelText(filter.action)).toHaveValue('read');
  // Other groups keep their counts.
  await group(actions.update, 1).click();
  await expect.poll(rows).toBe(1);
  await group(actions.update, 1).click();
  await expect.poll(rows).toBe(4);
});

test('excludes reads when only changes are shown', async () => {
  await createUsedPlan();
  await show(<AuditView isActive />);
  await expect.poll(rows).toBe(4);
  await page.getByRole('checkbox', { name: filter.changes }).click();
  await expect.poll(rows).toBe(2);
  await expect.element(group(actions.read, 2)).not.toBeInTheDocument();
  await expect.element(group(actions.create, 1)).toBeVisible();
});

test('filters rejected requests', async () => {
  await createUsedPlan();
  await expect(send('GET', '/fhir-r4/v1/CarePlan/none')).rejects.toThrow('404');
  await show(<AuditView isActive />);
  await expect.poll(rows).toBe(5);
  const outcome = page.getByLabelText(filter.outcome);
  await outcome.selectOptions('refused');
  await expect.poll(rows).toBe(1);
  await expect.element(grid).toMatchTextContent('CarePlan/none');
  await outcome.selectOptions('done');
  await expect.poll(rows).toBe(4);
});

test('shows the entries of a requested record, also in an open view', async () => {
  const [firstId, secondId] = [await createUsedPlan(), await createUsedPlan()];
  await show(<AuditView isActive />);
  await expect.poll(rows).toBe(8);
  initialAuditFilter.set({ type: 'CarePlan', id: firstId });
  await expect.element(page.getByLabelText(filter.text)).toHaveValue(`CarePlan/${firstId}`);
  await expect.element(grid).not.toMatchTextContent(secondId);
});

test.each(['AuditEvent', 'Provenance'] as const)(
  'announces the number of lines of an export as %s',
  async (form) => {
    await createUsedPlan();
    await show(
      <>
        <AuditView isActive />
        <StatusMessage />
      </>,
    );
    await page.getByRole('button', { name: text.audit.exports[form].long }).click();
    const statusBar = page.getByRole('status', { name: 'Status bar' });
    const lines = form === 'AuditEvent' ? 4 : 2;
    await expect
      .element(statusBar)
      .toMatchTextContent(new RegExp(`^${lines} entries exported to .*\\.ndjson$`));
  },
);
