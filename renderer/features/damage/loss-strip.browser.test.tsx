import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { Loss } from '../../../core/app/losses.ts';
import { answerWith } from '../../testing/answers.ts';
import { show, startServer } from '../../testing/show.tsx';
import { text } from '../../ui/text.ts';
import { LossBanner } from './loss-strip.tsx';

const messages = text.losses;

beforeEach(startServer);

const loss = (id: number, read: boolean, atLeast: number): Loss => ({
  id,
  read,
  atLeast,
  noticed: `2026-01-0${id}T14:02:00.000Z`,
  cause: `Cause ${id}.`,
});

test('lists unread losses, latest first, until they are read', async () => {
  let losses = [loss(1, false, 1), loss(2, true, 9), loss(3, false, 12)];
  const sentRequests = answerWith({
    'GET /app/losses': () => ({ losses }),
    'POST /app/losses/3/read': () => {
      losses = losses.map((entry) => (entry.id === 3 ? { ...entry, read: true } : entry));
      return 204;
    },
  });
  await show(<LossBanner />);
  const strip = page.getByRole('alert', { name: messages.name });
  await expect.element(strip).toMatchTextContent(`${messages.atLeast(12)} Cause 3.`);
  await expect.element(strip).toMatchTextContent(`${messages.atLeast(1)} Cause 1.`);
  await expect.element(strip).not.toMatchTextContent('Cause 2.');
  await strip.getByRole('button', { name: messages.read }).first().click();
  await expect.element(strip).not.toMatchTextContent('Cause 3.');
  await expect.element(strip).toMatchTextContent('Cause 1.');
  expect(sentRequests.map(({ request }) => request)).toContain('POST /app/losses/3/read');
});

test('keeps a loss that could not be marked as read and reports the failure', async () => {
  answerWith({
    'GET /app/losses': () => ({ losses: [loss(1, false, 2)] }),
    'POST /app/losses/1/read': () => 403,
  });
  await show(<LossBanner />);
  const strip = page.getByRole('alert', { name: messages.name });
  await strip.getByRole('button', { name: messages.read }).click();
  await expect.element(strip).toMatchTextContent(messages.notRead);
  await expect.element(strip).toMatchTextContent(messages.atLeast(2));
});

test('renders nothing without a loss or if the server does not report losses', async () => {
  for (const answer of [{ losses: [] }, 404]) {
    const sentRequests = answerWith({ 'GET /app/losses': () => answer });
    const { unmount } = await show(<LossBanner />);
    await expect.poll(() => sentRequests.length).toBeGreaterThan(0);
    await expect.element(page.getByRole('alert', { name: messages.name })).not.toBeInTheDocument();
    await unmount();
  }
});
