import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { show } from '../../testing/show.tsx';
import { text } from '../../ui/text.ts';
import { IssueBar } from './result-cells.tsx';

test('shows errors and warnings with different shapes and names both for screen readers', async () => {
  await show(<IssueBar issues={{ errors: 8, warnings: 1 }} />);
  const bar = page.getByRole('img', { name: text.results.issuesOf(8, 1) });
  await expect.element(bar).toBeVisible();
  const shapeOf = (tone: string) =>
    bar.element().querySelector(`:scope > [data-tone='${tone}'] svg`)?.innerHTML ?? '';
  expect(shapeOf('danger')).not.toBe('');
  expect(shapeOf('warning')).not.toBe('');
  expect(shapeOf('danger')).not.toBe(shapeOf('warning'));
});
