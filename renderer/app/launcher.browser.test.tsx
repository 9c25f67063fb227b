import { useState } from 'react';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { show } from '../testing/show.tsx';
import { text } from '../ui/text.ts';
import type { LauncherEntry } from './launcher-entries.ts';
import { Launcher } from './launcher.tsx';

const runLabels: string[] = [];

function Box({ openLabel }: { readonly openLabel: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const [query, setQuery] = useState('');
  const entries = Array.from({ length: 12 }, (_, index): LauncherEntry => {
    const label = `Thing ${index + 1}`;
    return {
      id: label,
      group: 'Things',
      label,
      keepsOpen: label === openLabel,
      run: () => runLabels.push(label),
    };
  });
  return (
    <>
      <button onClick={() => setIsOpen(true)}>Open</button>
      {isOpen && (
        <Launcher
          label="Find"
          placeholder=""
          message=""
          query={query}
          entries={entries}
          pinnedEntries={[]}
          onQuery={setQuery}
          onClose={() => setIsOpen(false)}
          onRun={(entry) => {
            entry.run();
            if (!entry.keepsOpen) setIsOpen(false);
          }}
        />
      )}
    </>
  );
}

const field = page.getByRole('combobox', { name: 'Find' });
const opener = page.getByRole('button', { name: 'Open', includeHidden: true });

/** Returns the selected option, as rendered and as activeOption to screen readers. */
function readSelection(): readonly (string | null | undefined)[] {
  const selected = page.getByRole('option', { selected: true }).element().textContent;
  const activeOption = document.getElementById(field.element().getAttribute('aria-activedescendant') ?? '');
  return [selected, activeOption?.textContent];
}

async function open(openLabel = ''): Promise<void> {
  runLabels.length = 0;
  await show(<Box openLabel={openLabel} />);
  await opener.click();
  await expect.element(field).toHaveFocus();
}

test('moves the selection by arrows and page keys, and runs the selected entry on Enter', async () => {
  await open();
  expect(readSelection()).toEqual(['Thing 1', 'Thing 1']);
  for (const [key, number] of [
    ['ArrowDown', 2],
    ['ArrowUp', 1],
    ['ArrowUp', 12],
    ['ArrowDown', 1],
    ['PageDown', 9],
    ['PageDown', 12],
    ['PageUp', 4],
    ['PageUp', 1],
    ['ArrowDown', 2],
  ] as const) {
    await userEvent.keyboard(`{${key}}`);
    expect(readSelection(), key).toEqual([`Thing ${number}`, `Thing ${number}`]);
  }
  await userEvent.keyboard('{Enter}');
  expect(runLabels).toEqual(['Thing 2']);
  await expect.element(opener).toHaveFocus();
});

test('selects the entry whose full name was typed, otherwise the first match', async () => {
  await open();
  await userEvent.keyboard('{ArrowDown}1');
  expect(readSelection()).toEqual(['Thing 1', 'Thing 1']);
  await field.fill('thing 11');
  expect(readSelection()).toEqual(['Thing 11', 'Thing 11']);
  await field.fill('nothing of the kind');
  await expect.element(page.getByText(text.launcher.nothing('nothing of the kind'))).toBeVisible();
  await userEvent.keyboard('{Enter}');
  expect(runLabels).toEqual([]);
  await userEvent.keyboard('{Escape}');
  await expect.element(field).not.toBeInTheDocument();
  await expect.element(opener).toHaveFocus();
});

test('keeps list and focus when an entry with keepsOpen runs', async () => {
  await open('Thing 3');
  await page.getByRole('option', { name: 'Thing 3' }).click();
  expect(runLabels).toEqual(['Thing 3']);
  await expect.element(field).toHaveFocus();
});
