import { useState } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { answerWith } from '../testing/answers.ts';
import { send, show, startServer } from '../testing/show.tsx';
import { text } from '../ui/text.ts';
import { Launcher } from './launcher.tsx';
import { useFinder } from './use-finder.ts';

beforeEach(startServer);

function Box() {
  const [query, setQuery] = useState('');
  const noop = () => undefined;
  const { entries, message } = useFinder(query);
  return (
    <Launcher
      label="Find"
      placeholder=""
      query={query}
      entries={[]}
      pinnedEntries={entries}
      message={message}
      onQuery={setQuery}
      onClose={noop}
      onRun={noop}
    />
  );
}

test('finds a patient and records by name while typing', async () => {
  const plan = { resourceType: 'CarePlan', status: 'active', intent: 'plan', title: 'Wound care' };
  const subject = { reference: 'Patient/p1', display: 'Zoë Großmann' };
  await send('POST', '/fhir-r4/v1/CarePlan', JSON.stringify({ ...plan, subject }));
  await show(<Box />);
  await page.getByRole('combobox').fill('grossm');
  const patients = page.getByRole('group', { name: 'Patients' });
  await expect.element(patients.getByRole('option', { name: /Zoë Großmann/ })).toBeVisible();
  const plans = page.getByRole('group', { name: 'Care plans' });
  await expect.element(plans.getByRole('option', { name: /Wound care/ })).toBeVisible();
  await page.getByRole('combobox').fill('nobody at all');
  await expect.element(page.getByRole('option')).not.toBeInTheDocument();
});

test('refetches while the index is behind the records', async () => {
  let answers = 0;
  answerWith({
    'GET /app/find': () => {
      answers += 1;
      return { patients: [], records: [], behind: answers < 3 ? 1 : 0 };
    },
  });
  await show(<Box />);
  await page.getByRole('combobox').fill('zz');
  await expect.element(page.getByText(text.launcher.indexing)).toBeVisible();
  await expect.element(page.getByText(text.launcher.indexing)).not.toBeInTheDocument();
});
