import { useState } from 'react';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { show } from '../testing/show.tsx';
import { text } from '../ui/text.ts';
import type { LauncherEntry } from './launcher-entries.ts';
import { Launcher } from './launcher.tsx';

const done: string[] = [];

function Box({ stays }: { readonly stays: string }) {
  const [opened, setOpened] = useState(false);
  const [query, setQuery] = useState('');
  const entries = Array.from({ length: 12 }, (_, at): LauncherEntry => {
    const label = `Thing ${at + 1}`;
    return { id: label, group: 'Things', label, keepsOpen: label === stays, run: () => done.push(label) };
  });
  return (
    <>
      <button onClick={() => setOpened(true)}>Open</button>
      {opened && (
        <Launcher
          label="Find"
          placeholder=""
          message=""
          query={query}
          entries={entries}
          pinnedEntries={[]}
          onQuery={setQuery}
          onClose={() => setOpened(false)}
          onRun={(entry) => {
            entry.run();
            if (!entry.keepsOpen) setOpened(false);
          }}
        />
      )}
    </>
  );
}

const field = page.getByRole('combobox', { name: 'Find' });
const opener = page.getByRole('button', { name: 'Open', includeHidden: true });

/** The one that is chosen, as it is drawn and as it is told to screen readers. */
function chosen(): readonly (string | null | undefined)[] {
  const selected = page.getByRole('option', { selected: true }).element().textContent;
  const told = document.getElementById(field.element().getAttribute('aria-activedescendant') ?? '');
  return [selected, told?.textContent];
}

async function open(stays = ''): Promise<void> {
  done.length = 0;
  await show(<Box stays={stays} />);
  await opener.click();
  await expect.element(field).toHaveFocus();
}

test('arrows choose around the list, pages stop at its ends; Enter runs what is chosen', async () => {
  await open();
  expect(chosen()).toEqual(['Thing 1', 'Thing 1']);
  for (const [key, at] of [
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
    expect(chosen(), key).toEqual([`Thing ${at}`, `Thing ${at}`]);
  }
  await userEvent.keyboard('{Enter}');
  expect(done).toEqual(['Thing 2']);
  await expect.element(opener).toHaveFocus();
});

test('what is typed chooses anew: what has this whole name, else the first', async () => {
  await open();
  await userEvent.keyboard('{ArrowDown}1');
  expect(chosen()).toEqual(['Thing 1', 'Thing 1']);
  await field.fill('thing 11');
  expect(chosen()).toEqual(['Thing 11', 'Thing 11']);
  await field.fill('nothing of the kind');
  await expect.element(page.getByText(text.launcher.nothing('nothing of the kind'))).toBeVisible();
  await userEvent.keyboard('{Enter}');
  expect(done).toEqual([]);
  await userEvent.keyboard('{Escape}');
  await expect.element(field).not.toBeInTheDocument();
  await expect.element(opener).toHaveFocus();
});

test('an entry that stays runs in the open list, which keeps the focus', async () => {
  await open('Thing 3');
  await page.getByRole('option', { name: 'Thing 3' }).click();
  expect(done).toEqual(['Thing 3']);
  await expect.element(field).toHaveFocus();
});
