import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { relationRules } from '../../core/fhir/relations.ts';
import { ruleOf } from '../../core/fhir/validation/rules.ts';
import { loadedMonaco } from '../platform/monaco-loader.ts';
import { send, show, startServer } from '../testing/show.tsx';
import { text } from '../ui/text.ts';
import { Workbench } from './workbench.tsx';

beforeEach(startServer);

const { text: overlap } = relationRules['store/overlapping-plans'];
const { text: stale } = ruleOf('narrative-stale');

const narrative = {
  status: 'generated',
  div: '<div xmlns="http://www.w3.org/1999/xhtml"><p>Foot care</p></div>',
};

const plan = (id: string, members: object = {}) => ({
  resourceType: 'CarePlan',
  id,
  status: 'active',
  intent: 'plan',
  title: `Plan ${id}`,
  subject: { reference: 'Patient/p' },
  category: [{ coding: [{ system: 'urn:kinds', code: 'foot' }] }],
  period: { start: '2026-01-01' },
  ...members,
});

/** Stores overlapping plans. The narrative of the first is older than its record. */
async function storePlans(): Promise<void> {
  const entry = [plan('first', { text: narrative }), plan('second')].map((resource) => ({ resource }));
  const bundle = { resourceType: 'Bundle', type: 'collection', entry };
  await (await send('POST', '/app/import?level=off&keepIds=true', JSON.stringify(bundle))).text();
  await send(
    'PUT',
    '/fhir-r4/v1/CarePlan/first',
    JSON.stringify(plan('first', { text: narrative, description: 'New' })),
  );
}

async function open(id: string): Promise<void> {
  await userEvent.keyboard('{Control>}p{/Control}');
  await userEvent.keyboard(id);
  await userEvent.click(page.getByRole('option', { name: new RegExp(`Plan ${id}`) }));
}

const issues = page.getByRole('region', { name: text.issues.name });
const tab = () => page.getByRole('tab', { name: new RegExp(`^${text.inspector.tabs.issues}`) });

test('shows findings that need other records, marks their lines, and opens the other record', async () => {
  await storePlans();
  await show(<Workbench />);
  await open('first');
  await userEvent.click(tab());
  await expect.element(issues.getByText(overlap)).toBeVisible();
  await expect.element(issues.getByText(stale)).toBeVisible();
  await expect.element(tab()).toMatchTextContent(/2$/);
  const marks = () => loadedMonaco()?.editor.getModelMarkers({ owner: 'chartkeeper' }) ?? [];
  await expect
    .poll(() => marks().map(({ code }) => code))
    .toEqual(expect.arrayContaining(['store/overlapping-plans', 'narrative-stale']));

  await userEvent.click(issues.getByRole('button', { name: 'Plan second (second)' }));
  await expect.element(page.getByRole('tab', { name: /Plan second/, selected: true })).toBeVisible();
  await expect.element(issues.getByRole('button', { name: 'Plan first (first)' })).toBeVisible();
});

test('updates store findings after a change of another record, and names their version', async () => {
  await storePlans();
  await show(<Workbench />);
  await open('second');
  await userEvent.click(tab());
  await expect.element(issues.getByText(overlap)).toBeVisible();
  const line = page.getByText('"Plan second"').first();
  await userEvent.click(line);
  await userEvent.keyboard('{End}{Enter}');
  await expect.element(issues.getByText(text.issues.storedVersion(1))).toBeVisible();
  const completedPlan = plan('first', { text: narrative, description: 'New', status: 'completed' });
  await send('PUT', '/fhir-r4/v1/CarePlan/first', JSON.stringify(completedPlan));
  await expect.element(page.getByText(text.issues.none, { exact: true })).toBeVisible();
  await expect.element(page.getByText(text.issues.noneDetail.read, { exact: true })).toBeVisible();
});
