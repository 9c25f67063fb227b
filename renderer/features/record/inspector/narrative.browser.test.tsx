import { MantineProvider } from '@mantine/core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { commands, page, type Locator } from 'vitest/browser';
import { narrativeAttributes, narrativeElements } from '../../../../core/fhir/validation/xhtml-names.ts';
import { safeMarkup } from '../../../platform/safe-markup.ts';
import { contrastOf } from '../../../testing/contrast.ts';
import { hostile } from '../../../testing/hostile-markup.ts';
import { show, startServer } from '../../../testing/show.tsx';
import { text } from '../../../ui/text.ts';
import { Narrative } from './narrative.tsx';

declare global {
  interface Window {
    /** The hostile markup of the tests calls this function if it runs. */
    planted?: (description: string) => void;
  }
}

const ignore = (): void => undefined;
const trapCalls: string[] = [];
let frame: HTMLIFrameElement | undefined;

beforeEach(async () => {
  trapCalls.length = 0;
  window.planted = (description) => trapCalls.push(description);
  await commands.watchRequests();
});

afterEach(() => {
  frame?.remove();
  delete window.planted;
});

/** Loads a page into a frame and waits until its resources have loaded or failed. */
async function load(iframe: HTMLIFrameElement, srcdoc: string): Promise<void> {
  frame = iframe;
  const loaded = new Promise((resolve) => iframe.addEventListener('load', resolve, { once: true }));
  iframe.srcdoc = srcdoc;
  document.body.append(iframe);
  await loaded;
}

/** Loads markup into an unprotected frame. */
async function loadUnprotected(markup: string): Promise<Document> {
  const iframe = document.createElement('iframe');
  await load(iframe, `<!doctype html><body>${markup}`);
  if (!iframe.contentDocument) throw new Error('The frame is not of this origin any more.');
  return iframe.contentDocument;
}

async function listTrapRequests(): Promise<readonly string[]> {
  return (await commands.requests()).filter((address) => /planted|relative/.test(address));
}

test('loads and runs hostile markup without the sanitizer', async () => {
  await loadUnprotected(hostile['event handlers']);
  expect(trapCalls).toContain('ran');
  expect(await listTrapRequests()).not.toEqual([]);
});

test.each(Object.entries(hostile))('loads and runs nothing and keeps the text: %s', async (_, markup) => {
  const page = await loadUnprotected(
    safeMarkup(`<div xmlns="http://www.w3.org/1999/xhtml">${markup}</div>`).markup,
  );
  expect(page.body.textContent).toContain('kept');
  for (const element of page.body.querySelectorAll('*')) {
    expect(narrativeElements).toContain(element.localName);
    expect(element.namespaceURI).toBe('http://www.w3.org/1999/xhtml');
    for (const { name, value } of element.attributes) {
      // A script can't remove `is`, but its value is empty.
      if (name === 'is' && value === '') continue;
      expect(narrativeAttributes).toContain(name);
      expect(`${name}=${value}`).not.toMatch(/planted|^(?:href|cite|longdesc)=|^src=(?!data:image\/png)/);
    }
  }
  expect(await listTrapRequests()).toEqual([]);
  expect(trapCalls).toEqual([]);
});

test('preserves markup that FHIR allows', () => {
  const markup =
    '<div xmlns="http://www.w3.org/1999/xhtml" lang="de"><h1 class="a" id="top">T</h1><table border="1"><tbody><tr><td style="color: red" colspan="2">1 &lt; 2</td></tr></tbody></table><img src="data:image/png;base64,iVBORw0KGgo=" alt="A"></div>';
  // HTML needs no namespace.
  expect(safeMarkup(markup).markup).toBe(markup.replace(' xmlns="http://www.w3.org/1999/xhtml"', ''));
});

test('shows the narrative in a sandboxed frame with its language', async () => {
  await startServer();
  await show(<Narrative xhtml={`<div lang="de">${hostile.script}</div>`} onShow={ignore} />);
  const frameLocator = page.getByTitle(text.summary.narrative);
  await expect.element(frameLocator).toHaveAttribute('sandbox', '');
  expect(srcdocOf(frameLocator)).toContain('<html lang="de">');
  expect(srcdocOf(frameLocator)).toMatch(/<div lang="de">kept<\/div>$/);
});

test('blocks hostile markup in that frame even without the sanitizer', async () => {
  await startServer();
  await show(<Narrative xhtml="<div>before</div>" onShow={ignore} />);
  const frameLocator = page.getByTitle(text.summary.narrative);
  await expect.element(frameLocator).toBeVisible();
  for (const markup of Object.values(hostile)) {
    const copy = frameLocator.element().cloneNode() as HTMLIFrameElement;
    await load(copy, srcdocOf(frameLocator) + markup);
    expect(await listTrapRequests()).toEqual([]);
    copy.remove();
  }
  expect(trapCalls).toEqual([]);
});

test.each([
  ['a ground', '<p style="background-color: #d9e0e7">IPS</p>'],
  ['a ground by its short name', '<p style="background: LightGoldenRodYellow">LOINC</p>'],
  ['a ground of XHTML', '<table bgcolor="#eeeeee"><tr><th>Dose</th></tr></table>'],
  ['a text colour', '<p style="color: #333">Ramipril</p>'],
  ['a link', '<p style="background: #fff"><a href="#x">Ramipril</a></p>'],
  ['nothing of its own', '<p>Ramipril</p>'],
])('keeps a narrative with %s readable in dark mode', async (_, markup) => {
  await startServer();
  await show(
    <MantineProvider forceColorScheme="dark">
      <Narrative xhtml={`<div>${markup}</div>`} onShow={ignore} />
    </MantineProvider>,
  );
  const iframe = document.createElement('iframe');
  await load(iframe, srcdocOf(page.getByTitle(text.summary.narrative)));
  const elements = [...(iframe.contentDocument?.querySelectorAll('p, th, a') ?? [])];
  expect(elements.length).toBeGreaterThan(0);
  for (const element of elements) expect(contrastOf(element)).toBeGreaterThan(4.5);
});

function srcdocOf(frameLocator: Locator): string {
  return frameLocator.element().getAttribute('srcdoc') ?? '';
}
