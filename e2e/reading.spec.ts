import { expect, test } from './fixtures.ts';
import { Frame } from './frame-page.ts';
import { importDirty } from './quality-page.ts';
import { openPlan } from './record-page.ts';

test.use({ viewport: { width: 1440, height: 900 } });

test('drags the edge between JSON and reading view, moves it by keys, and remembers it @read', async ({
  workbench: { page },
  server,
}) => {
  await openPlan(page, server);
  await page.getByRole('tab', { name: 'Both', exact: true }).click();
  const edge = page.getByRole('separator', { name: 'Reading view width' });
  const reading = page.getByRole('region', { name: 'Reading view' });
  const width = async () => (await reading.boundingBox())?.width ?? 0;
  await expect(edge).toHaveAttribute('aria-valuenow', '50');
  const before = await width();

  const box = await edge.boundingBox();
  if (!box) throw new Error('The edge is not drawn.');
  await page.mouse.move(box.x + 2, box.y + 300);
  await page.mouse.down();
  await page.mouse.move(box.x + 102, box.y + 300, { steps: 4 });
  await page.mouse.up();
  await expect.poll(width).toBeLessThan(before - 80);
  await expect(edge).not.toHaveAttribute('aria-valuenow', '50');

  await edge.press('Home');
  await expect(edge).toHaveAttribute('aria-valuenow', '75');
  await edge.press('ArrowRight');
  await expect(edge).toHaveAttribute('aria-valuenow', '73');
  await expect.poll(width).toBeGreaterThan(before + 80);
  const storedWidth = await width();
  await page.reload();
  await expect(edge).toHaveAttribute('aria-valuenow', '73');
  await expect.poll(width).toBeCloseTo(storedWidth, -1);
  await edge.dblclick();
  await expect(edge).toHaveAttribute('aria-valuenow', '50');
});

/** Printed content of the page: number of prints, text, and colors of text and background. */
interface PrintedContent {
  readonly count: number;
  readonly words: string;
  readonly colours: readonly string[];
  readonly headings: readonly string[];
}

test('prints only the reading view of a record, with all sections, in black on white @read', async ({
  workbench,
  server,
}) => {
  const { page } = workbench;
  await page.emulateMedia({ colorScheme: 'dark' });
  const narrative = (words: string) => ({
    status: 'generated',
    div: `<div xmlns="http://www.w3.org/1999/xhtml"><p style="color:#eee">${words}</p><table><tr><td>5.00 mg</td></tr></table></div>`,
  });
  // More sections than are rendered at once, and more entries than are listed at first.
  const section = Array.from({ length: 240 }, (_, index) => ({
    title: `Part ${index + 1}`,
    text: narrative(`Words of part ${index + 1}`),
    ...(index === 0 && {
      entry: Array.from({ length: 12 }, (_, entry) => ({ display: `Entry ${entry + 1}` })),
    }),
  }));
  const document = {
    resourceType: 'Composition',
    id: 'paper',
    status: 'final',
    type: { text: 'Letter' },
    title: 'On paper',
    subject: { display: 'Ada Example' },
    date: '2026-01-14',
    author: [{ display: 'Dr Specimen' }],
    section,
  };
  await importDirty(server, [document]);
  await new Frame(page).openById('paper');
  await page.getByRole('tab', { name: 'Read', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Reading view' })).toContainText('Part 1');
  await page.evaluate(() => {
    const countingWindow = window as Window & { printCount?: number };
    // Before the page is notified of the frame.
    const count = ({ target }: Event) => {
      if (target instanceof HTMLIFrameElement && target.dataset.print && target.contentWindow)
        target.contentWindow.print = () => (countingWindow.printCount = (countingWindow.printCount ?? 0) + 1);
    };
    window.document.addEventListener('load', count, true);
  });
  await page.keyboard.press('Alt+Shift+P');
  // Read from outside: a script within the sandboxed frame would be rejected.
  const readPrintState = () =>
    page.evaluate((): PrintedContent => {
      const body =
        window.document.querySelector<HTMLIFrameElement>('iframe[data-print]')?.contentDocument?.body;
      const paragraph = body?.querySelector('section p');
      return {
        count: (window as Window & { printCount?: number }).printCount ?? 0,
        words: body?.textContent ?? '',
        colours:
          body && paragraph
            ? [getComputedStyle(paragraph).color, getComputedStyle(body).backgroundColor]
            : [],
        headings: [...(body?.querySelectorAll('h3') ?? [])].map((heading) => heading.textContent),
      };
    });
  await expect.poll(async () => (await readPrintState()).count).toBe(1);
  const { words, colours, headings } = await readPrintState();
  expect(headings).toEqual(section.map(({ title }) => title));
  for (const expectedText of [
    'On paper',
    'Ada Example',
    'Dr Specimen',
    'Entry 12',
    '5.00 mg',
    'Words of part 240',
  ])
    expect(words).toContain(expectedText);
  for (const unexpectedText of ['Show all', 'Overview', 'Review changes', '"resourceType"'])
    expect(words).not.toContain(unexpectedText);
  expect(colours).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)']);
  // The text can be edited as before.
  await page.getByRole('tab', { name: 'Both', exact: true }).click();
  await workbench.replaceInEditor('"title": "On paper"', '"title": "On screen"');
  await expect(
    page.getByRole('region', { name: 'Reading view' }).getByRole('heading', { name: 'On screen' }),
  ).toBeVisible();
});
