import { expect, test, vi, onTestFinished } from 'vitest';
import { page } from 'vitest/browser';
import { send, show, startServer } from '../../testing/show.tsx';
import { text } from '../../ui/text.ts';
import { QualityView } from './quality-view.tsx';

const { title, titleOpen } = text.quality.none;

async function showClean(): Promise<void> {
  await startServer();
  const plan = { resourceType: 'CarePlan', status: 'active', intent: 'plan', title: 'Mobility' };
  await send(
    'POST',
    '/fhir-r4/v1/CarePlan',
    JSON.stringify({ ...plan, subject: { reference: 'Patient/p' } }),
  );
}

test('reports conformance of a store without issues', async () => {
  await showClean();
  await show(<QualityView isActive runs={null} />);
  await expect.element(page.getByText(title('standard'))).toBeVisible();
});

test('reports no conformance while records are being validated', async () => {
  await showClean();
  const fetch = window.fetch.bind(window);
  onTestFinished(() => void vi.restoreAllMocks());
  vi.spyOn(window, 'fetch').mockImplementation(async (input, init) => {
    const answer = await fetch(input, init);
    const url = input instanceof Request ? input.url : String(input);
    if (!url.endsWith('/app/overview')) return answer;
    const overview = (await answer.json()) as object;
    const rebuild = { state: 'running', done: 0, total: 1, parts: ['CarePlan/rules'], skipped: 0 };
    return Response.json({ ...overview, rebuild });
  });
  await show(<QualityView isActive runs={null} />);
  await expect.element(page.getByText(titleOpen('standard'))).toBeVisible();
  await expect.element(page.getByText(title('standard'))).not.toBeInTheDocument();
});
