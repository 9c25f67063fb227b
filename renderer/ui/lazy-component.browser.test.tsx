import { useState, type ComponentType } from 'react';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { show, startServer } from '../testing/show.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { lazyDialog, lazyView } from './lazy-component.tsx';
import { text } from './text.ts';

beforeEach(startServer);

interface Props {
  readonly name: string;
  readonly onClose: () => void;
}

function Part({ name }: Props) {
  return <h2>{name}</h2>;
}

/** Returns an import that fails as often as given, like that of a stopped server or of a replaced build. */
function failTimes(failures: number) {
  const importPart = vi.fn<() => Promise<ComponentType<Props>>>(() => Promise.resolve(Part));
  for (let count = 0; count < failures; count += 1) {
    importPart.mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'));
  }
  return importPart;
}

// An editor of another test may have left its own alerts.
const alert = page.getByRole('alert').filter({ hasText: text.failure.notLoaded });
const retry = page.getByRole('button', { name: text.failure.retry });
const heading = (name: string) => page.getByRole('heading', { name });

test('loads a view once, when it is first rendered', async () => {
  const importPart = failTimes(0);
  const View = lazyView(importPart);
  expect(importPart).not.toHaveBeenCalled();
  const views = ['First', 'Second'].map((name) => <View key={name} name={name} onClose={() => undefined} />);
  const { rerender } = await show(views);
  await expect.element(heading('First')).toBeVisible();
  await expect.element(heading('Second')).toBeVisible();
  await rerender(<View name="Third" onClose={() => undefined} />);
  // Rendered at once, without a placeholder.
  expect(heading('Third').query()).not.toBeNull();
  expect(importPart).toHaveBeenCalledOnce();
});

test('shows a view that can’t be loaded as an error, and loads it on the next try', async () => {
  const View = lazyView(failTimes(2));
  await show(
    <>
      <ErrorBoundary>
        <View name="View" onClose={() => undefined} />
      </ErrorBoundary>
      <input aria-label="Other part" />
    </>,
  );
  const otherPart = page.getByLabelText('Other part');
  await otherPart.fill('typed');
  await expect.element(alert).toMatchTextContent(text.failure.notLoaded);
  await retry.click();
  await expect.element(alert).toMatchTextContent(text.failure.notLoadedHint);
  await retry.click();
  await expect.element(heading('View')).toBeVisible();
  await expect.element(alert).not.toBeInTheDocument();
  await expect.element(otherPart).toHaveValue('typed');
});

test('does not reload the page while the server gives no answer, because other text would be lost', async () => {
  const View = lazyView(failTimes(1));
  await show(
    <>
      <ErrorBoundary>
        <View name="View" onClose={() => undefined} />
      </ErrorBoundary>
      <input aria-label="Other part" />
    </>,
  );
  await page.getByLabelText('Other part').fill('typed');
  const fetchPage = vi.spyOn(window, 'fetch').mockRejectedValue(new TypeError('Failed to fetch'));
  onTestFinished(() => fetchPage.mockRestore());
  await page.getByRole('button', { name: text.failure.reload }).click();
  await expect.element(alert).toMatchTextContent(text.failure.noAnswer);
  expect(fetchPage).toHaveBeenCalledExactlyOnceWith('/', { method: 'HEAD' });
  await expect.element(page.getByLabelText('Other part')).toHaveValue('typed');
});

test('shows a dialog that can’t be loaded as a dialog, which closes or tries again', async () => {
  const Dialog = lazyDialog(failTimes(2));
  function Host() {
    const [isOpen, setOpen] = useState(false);
    return (
      <>
        <button onClick={() => setOpen(true)}>Open</button>
        {isOpen && <Dialog name="Dialog" onClose={() => setOpen(false)} />}
      </>
    );
  }
  await show(<Host />);
  const open = page.getByRole('button', { name: 'Open' });
  await open.click();
  await expect.element(page.getByRole('dialog')).toMatchTextContent(text.failure.notLoaded);
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  await open.click();
  await retry.click();
  await expect.element(heading('Dialog')).toBeVisible();
  await expect.element(alert).not.toBeInTheDocument();
});
