import { beforeAll, beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { loadMonaco, modelAt } from '../../platform/monaco-loader.ts';
import { revealPointer } from '../../platform/reveal-pointer.ts';
import { send, show, startServer } from '../../testing/show.tsx';
import { modelPathOf, plan, record, RecordHost } from './testing/record-host.tsx';

beforeAll(async () => {
  await loadMonaco();
});
beforeEach(startServer);

const { editor } = record;

/** Stores a plan whose narrative is one line of `length` characters with the word NEEDLE in the middle. */
async function storeLongPlan(length: number): Promise<string> {
  const filler = 'a word and '.repeat(length / 22);
  const div = `<div xmlns=\\"http://www.w3.org/1999/xhtml\\">${filler}NEEDLE${filler}</div>`;
  const body = plan('Long').replace('"title"', `"text":{"status":"additional","div":"${div}"},"title"`);
  const { id } = (await (await send('POST', '/fhir-r4/v1/CarePlan', body)).json()) as { id: string };
  return id;
}

test.each([66_000, 1_000_000])(
  'finds, reveals and replaces a word in a line of %i characters',
  async (length) => {
    const id = await storeLongPlan(length);
    await show(<RecordHost ids={[id]} />);
    await expect.element(editor).toMatchTextContent('"additional"');
    await expect.element(editor).not.toMatchTextContent('NEEDLE');
    await editor.getByText('"additional"').click();
    await userEvent.keyboard('{Control>}f{/Control}');
    await page.getByRole('textbox', { name: 'Find', exact: false }).fill('NEEDLE');
    await expect.poll(readVisibleWords).toContain('NEEDLE');
    await userEvent.keyboard('{Enter}{Escape}Found');
    await expect.poll(readVisibleWords).toContain('Found');
    expect(readVisibleWords()).not.toContain('NEEDLE');
    await expect.element(editor).not.toMatchTextContent('Show more');
    // The end of the line is shown as well.
    await userEvent.keyboard('{End}');
    revealPointer(modelPathOf(id), '/activity/0/detail/quantity/value');
    await expect.poll(readVisibleWords).toContain('1.00');
    revealPointer(modelPathOf(id), '/text/status');
    await expect.poll(readVisibleWords).toContain('additional');
    expect(modelAt(modelPathOf(id))?.getValue()).toContain('and Founda word');
  },
);

/** Returns the text that is visible in the editor. */
function readVisibleWords(): string {
  const { left: leftEdge, right, top, bottom } = editor.element().getBoundingClientRect();
  return [...editor.element().querySelectorAll('.view-line span span')]
    .filter((span) => {
      const box = span.getBoundingClientRect();
      return box.top >= top && box.bottom <= bottom && box.left >= leftEdge && box.right <= right;
    })
    .map((span) => span.textContent)
    .join('');
}
