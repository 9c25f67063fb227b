import { afterEach, beforeEach, expect, test } from 'vitest';
import { commands, page } from 'vitest/browser';
import { hostileCorpus } from '../../testing/hostile-corpus.ts';
import { show, startServer } from '../../testing/show.tsx';
import { text } from '../../ui/text.ts';
import { ReadingView } from './reading-view.tsx';

/** Number of markups per rendered document. */
const batchSize = 120;
const corpus = hostileCorpus(17, 120);

const done: string[] = [];
const noop = (): void => undefined;
const frame = page.getByTitle(text.reading.narratives);

beforeEach(async () => {
  done.length = 0;
  window.planted = (payload) => done.push(payload);
  await startServer();
  await commands.watchRequests();
});

afterEach(() => delete window.planted);

const listRequests = async () =>
  (await commands.requests()).filter((address) => /planted|relative/.test(address));

function View({ markup }: { readonly markup: readonly string[] }) {
  const section = markup.map((content, index) => ({
    title: `Foreign ${index}`,
    text: {
      status: 'generated',
      div: `<div xmlns="http://www.w3.org/1999/xhtml"><p>kept</p>${content}</div>`,
    },
  }));
  return (
    <div style={{ height: 700, display: 'flex' }}>
      <ReadingView
        modelPath="chartkeeper:/a"
        type="Composition"
        text={JSON.stringify({ resourceType: 'Composition', section })}
        issues={[]}
        cursor=""
        prints={0}
        onReveal={noop}
        onGo={noop}
        onFollow={noop}
      />
    </div>
  );
}

/** Returns the narratives inside the frame. */
function narratives(): readonly HTMLElement[] {
  const { contentDocument } = frame.element() as HTMLIFrameElement;
  return [...(contentDocument?.querySelectorAll<HTMLElement>('[data-narrative]') ?? [])];
}

test('runs no hostile markup, requests nothing, ignores clicks and keeps the text readable', async () => {
  for (let offset = 0; offset < corpus.length; offset += batchSize) {
    const batch = corpus.slice(offset, offset + batchSize);
    const { unmount } = await show(<View markup={batch} />);
    await expect.poll(() => narratives().length).toBe(batch.length);
    for (const [index, narrative] of narratives().entries()) {
      expect(narrative.textContent, batch[index]).toContain('kept');
      for (const element of narrative.querySelectorAll<HTMLElement>('*')) element.click();
    }
    await unmount();
  }
  expect(await commands.messages()).toEqual([]);
  expect(await listRequests()).toEqual([]);
  expect(done).toEqual([]);
});

/** Loads markup into a frame and removes the frame after it has loaded. */
async function load(srcdoc: string, sandbox?: string): Promise<void> {
  const iframe = document.createElement('iframe');
  if (sandbox !== undefined) iframe.setAttribute('sandbox', sandbox);
  const loaded = new Promise((loads) => iframe.addEventListener('load', loads, { once: true }));
  iframe.srcdoc = srcdoc;
  document.body.append(iframe);
  await loaded;
  iframe.remove();
}

/** Loads the whole corpus, ten frames at a time, because each frame waits for its requests. */
async function loadAll(page: (markup: string) => string, sandbox?: string): Promise<void> {
  for (let from = 0; from < corpus.length; from += 10)
    await Promise.all(corpus.slice(from, from + 10).map((markup) => load(page(markup), sandbox)));
}

test('runs and requests nothing in the frame without the sanitizer', async () => {
  const { unmount } = await show(<View markup={['x']} />);
  await expect.element(frame).toBeInTheDocument();
  const { srcdoc } = frame.element() as HTMLIFrameElement;
  const sandbox = frame.element().getAttribute('sandbox') ?? undefined;
  await unmount();
  await loadAll((markup) => srcdoc + markup, sandbox);
  expect(await listRequests()).toEqual([]);
  expect(done).toEqual([]);
});

test('runs and sends requests without the frame and the sanitizer', async () => {
  await loadAll((markup) => `<!doctype html><body>${markup}`);
  const ran = done.length;
  expect(ran).toBeGreaterThan(corpus.length / 10);
  expect(new Set(await listRequests()).size).toBeGreaterThan(20);
});
