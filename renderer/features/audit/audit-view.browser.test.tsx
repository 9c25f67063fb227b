import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { Said, send, show, startServer } from '../../testing/show.tsx';
import { text } from '../../ui/text.ts';
import { auditAsked } from './audit-asked.ts';
import { AuditView } from './audit-view.tsx';

const { groups, actions, filter } = text.audit;

beforeEach(startServer);

const plan = (title: string) =>
  JSON.stringify({
    ...{ resourceType: 'CarePlan', status: 'active', intent: 'plan', title },
    subject: { reference: 'Patient/p' },
  });

/** A plan that was made, read twice and changed once; its id. */
async function busyPlan(): Promise<string> {
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

test('the trail is grouped by action with the number of each; a group is shown alone, and all again', async () => {
  await busyPlan();
  await show(<AuditView front />);
  await group(actions.read, 2).click();
  await expect.poll(rows).toBe(2);
  await expect.element(group(actions.read, 2)).toHaveAttribute('aria-pressed', 'true');
  await expect.element(page.getByLabelText(filter.action)).toHaveValue('read');
  // The others keep their numbers.
  await group(actions.update, 1).click();
  await expect.poll(rows).toBe(1);
  await group(actions.update, 1).click();
  await expect.poll(rows).toBe(4);
});

test('changes alone leave out what was only looked at', async () => {
  await busyPlan();
  await show(<AuditView front />);
  await expect.poll(rows).toBe(4);
  await page.getByRole('checkbox', { name: filter.changes }).click();
  await expect.poll(rows).toBe(2);
  await expect.element(group(actions.read, 2)).not.toBeInTheDocument();
  await expect.element(group(actions.create, 1)).toBeVisible();
});

test('what was refused is shown alone, and all again', async () => {
  await busyPlan();
  await expect(send('GET', '/fhir-r4/v1/CarePlan/none')).rejects.toThrow('404');
  await show(<AuditView front />);
  await expect.poll(rows).toBe(5);
  const outcome = page.getByLabelText(filter.outcome);
  await outcome.selectOptions('refused');
  await expect.poll(rows).toBe(1);
  await expect.element(grid).toMatchTextContent('CarePlan/none');
  await outcome.selectOptions('done');
  await expect.poll(rows).toBe(4);
});

test('a record leads to its own entries, also where the trail is open already', async () => {
  const [one, other] = [await busyPlan(), await busyPlan()];
  await show(<AuditView front />);
  await expect.poll(rows).toBe(8);
  auditAsked.set({ type: 'CarePlan', id: one });
  await expect.element(page.getByLabelText(filter.text)).toHaveValue(`CarePlan/${one}`);
  await expect.element(grid).not.toMatchTextContent(other);
});

test.each(['AuditEvent', 'Provenance'] as const)(
  'an export as %s says how many lines it has',
  async (form) => {
    await busyPlan();
    await show(
      <>
        <AuditView front />
        <Said />
      </>,
    );
    await page.getByRole('button', { name: text.audit.exports[form].long }).click();
    const said = page.getByRole('status', { name: 'Status bar' });
    const lines = form === 'AuditEvent' ? 4 : 2;
    await expect
      .element(said)
      .toMatchTextContent(new RegExp(`^Exported ${lines} entries to .*\\.ndjson\\.$`));
  },
);
