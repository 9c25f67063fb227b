import { onTestFinished, expect, test } from 'vitest';
import { commands, page, type Locator } from 'vitest/browser';
import type { Issue } from '../../../core/fhir/judgement.ts';
import { hostile } from '../../testing/hostile-markup.ts';
import { show, startServer } from '../../testing/show.tsx';
import { narrativesIn, sectionsIn, textsOf, textsWithin, plain, titleIn } from '../../testing/read-record.ts';
import { text } from '../../ui/text.ts';
import { ReadingView } from './reading-view.tsx';

const region = page.getByRole('region', { name: text.reading.name });
const frame = page.getByTitle(text.reading.narratives);
const none = (): void => undefined;

interface Opened {
  readonly record: string;
  readonly issues?: readonly Issue[];
  readonly cursor?: string;
  readonly onReveal?: (pointer: string) => void;
  readonly onGo?: (issue: Issue) => void;
}

function View({ record, issues = [], cursor = '', onReveal = none, onGo = none }: Opened) {
  const { resourceType } = JSON.parse(record) as { resourceType: string };
  return (
    <div style={{ height: 700, display: 'flex' }}>
      <ReadingView
        modelPath="chartkeeper:/a"
        type={resourceType}
        text={record}
        {...{ issues, cursor, prints: 0, onReveal, onGo, onFollow: none }}
      />
    </div>
  );
}

/** What stands in the frame of the narratives. */
function sheet(within: Locator = frame): Document {
  const { contentDocument } = within.element() as HTMLIFrameElement;
  if (!contentDocument) throw new Error('The frame is not of this origin.');
  return contentDocument;
}

const div = (markup: string) => `<div xmlns="http://www.w3.org/1999/xhtml">${markup}</div>`;
const narrative = (markup: string) => ({ status: 'generated', div: div(markup) });

const document = {
  resourceType: 'Composition',
  title: 'Discharge summary',
  status: 'final',
  type: { text: 'Discharge' },
  date: '2025-03-08T12:00:00Z',
  subject: { reference: 'Patient/1', display: 'Ada Example' },
  author: [{ display: 'Dr Specimen' }],
  attester: [{ mode: 'legal', time: '2025-03-09', party: { display: 'Dr Lee' } }],
  custodian: { display: 'Placeholder General' },
  relatesTo: [{ code: 'replaces', targetReference: { reference: 'Composition/7' } }],
  section: [
    { title: 'Medication', text: narrative('<table><tr><td>Ramipril</td><td>5.00 mg</td></tr></table>') },
    { title: 'Results', entry: [{ reference: 'Observation/77' }, { display: 'Creatinine' }] },
    { title: 'Allergies', emptyReason: { text: 'Nil known' } },
    { title: 'Nothing said', section: [] },
    { title: 'Course', section: [{ title: 'Within', text: narrative('<p>Nested text</p>') }] },
  ],
};

test('a document reads as one: its head, each section under its title in full, what it refers to, why it is empty', async () => {
  await startServer();
  await show(<View record={JSON.stringify(document)} />);
  await expect.element(region.getByRole('heading', { name: 'Discharge summary' })).toBeVisible();
  for (const said of [
    'final',
    'Ada Example',
    'Dr Specimen',
    'Dr Lee',
    'legal, 2025-03-09',
    'Placeholder General',
  ]) {
    await expect.element(region).toMatchTextContent(said);
  }
  await expect.element(region.getByRole('button', { name: 'Composition 7' })).toBeVisible();
  await expect.poll(() => sheet().querySelectorAll('table td').length).toBe(2);
  expect(sheet().body.innerText).toContain('Nested text');

  const section = (name: string) => region.getByRole('region', { name, exact: true });
  await expect.element(section('Results')).toMatchTextContent(text.reading.noText);
  await expect.element(section('Results')).toMatchTextContent('2 entries');
  await expect.element(section('Results')).toMatchTextContent('Observation 77');
  await expect.element(section('Allergies')).toMatchTextContent('Nil known');
  await expect.element(section('Nothing said')).toMatchTextContent(text.reading.noReason);
  // Where the page has room for a narrative, the frame has it.
  const room = section('Medication').element().querySelector('[data-pointer="/section/0/text"]');
  const shown = sheet().querySelector('[data-narrative="/section/0/text"]');
  if (!room || !shown) throw new Error('The narrative has no place.');
  await expect
    .poll(() => room.getBoundingClientRect().top - frame.element().getBoundingClientRect().top)
    .toBeCloseTo(shown.getBoundingClientRect().top, 0);
  await expect
    .poll(() => room.getBoundingClientRect().height)
    .toBeGreaterThanOrEqual(shown.getBoundingClientRect().height);
});

test('a plan reads as one: an activity outside its period is marked, a goal has what serves it', async () => {
  await startServer();
  const plan = {
    resourceType: 'CarePlan',
    status: 'active',
    subject: { display: 'Ada Example' },
    period: { start: '2025-01-01', end: '2025-03-31' },
    careTeam: [{ display: 'Ward team' }],
    addresses: [{ display: 'Diabetes' }],
    contained: [
      { resourceType: 'Goal', id: 'g', description: { text: 'Lose weight' }, lifecycleStatus: 'active' },
    ],
    goal: [{ reference: '#g' }, { display: 'Sleep' }],
    note: [{ text: 'Call first', authorString: 'Nurse Ivo', time: '2025-02-01' }],
    activity: [
      {
        detail: {
          code: { text: 'Walk' },
          status: 'in-progress',
          scheduledPeriod: { start: '2025-01-05', end: '2025-02-01' },
          goal: [{ reference: '#g' }],
        },
      },
      {
        detail: {
          code: { text: 'Foot check' },
          scheduledPeriod: { start: '2025-08-02' },
          performer: [{ display: 'Dr Lee' }],
        },
      },
      { detail: { code: { text: 'Diary' }, dailyAmount: { value: 1, unit: 'page' } } },
    ],
  };
  await show(<View record={JSON.stringify(plan).replace('"value":1,', '"value":1.00,')} />);
  const activities = region.getByRole('region', { name: `${text.reading.activities} · 3` });
  const row = (name: string) => activities.getByRole('row', { name, exact: false });
  await expect.element(row('Foot check')).toMatchTextContent(text.timeline.outside.wholly);
  // The bar above says the same.
  await expect
    .element(
      region.getByRole('button', { name: new RegExp(`^Foot check.*${text.timeline.outside.wholly}$`) }),
    )
    .toBeVisible();
  await expect.element(row('Foot check')).toMatchTextContent('Dr Lee');
  await expect.element(row('Walk')).not.toMatchTextContent(text.timeline.outside.wholly);
  await expect.element(row('Diary')).toMatchTextContent(text.reading.noTime);
  await expect.element(row('Diary')).toMatchTextContent('1.00 page');
  const goals = region.getByRole('region', { name: text.reading.goals }).getByRole('listitem');
  await expect.element(goals.first()).toMatchTextContent(/Lose weight.*Walk.*active/);
  await expect.element(goals.last()).toMatchTextContent(text.reading.unserved);
  for (const said of ['Ward team', 'Diabetes', 'Call first', 'Nurse Ivo, 2025-02-01']) {
    await expect.element(region).toMatchTextContent(said);
  }
});

test('what was found stands in the margin and leads to the element; a click leads there too, in a narrative as well', async () => {
  await startServer();
  const gone: string[] = [];
  const issue: Issue = {
    ...{ rule: 'section-without-text', text: 'No text for a reader.', expression: 'Composition.section[1]' },
    ...{ severity: 'warning', category: 'completeness', pointer: '/section/1/entry', start: 0, end: 1 },
  };
  const opened = {
    record: JSON.stringify(document),
    issues: [issue],
    onGo: ({ rule }: Issue) => gone.push(rule),
    onReveal: (pointer: string) => gone.push(pointer),
  };
  const { rerender } = await show(<View {...opened} />);
  await region.getByRole('button', { name: '1 issue: No text for a reader.' }).click();
  await region.getByText('Dr Specimen').click();
  await expect.poll(() => sheet().querySelector('[data-narrative="/section/0/text"] td')).not.toBeNull();
  sheet().querySelector<HTMLElement>('[data-narrative="/section/0/text"] td')?.click();
  expect(gone).toEqual(['section-without-text', '/author/0', '/section/0/text']);

  await rerender(<View {...opened} cursor="/section/4/section/0/text/div" />);
  await expect
    .poll(() => sheet().querySelector('[data-current]')?.getAttribute('data-narrative'))
    .toBe('/section/4/section/0/text');
});

test('a long document shows its beginning first, then all of it: what is far off is drawn where it is scrolled to', async () => {
  await startServer();
  const count = 1200;
  const section = Array.from({ length: count }, (_, at) => ({
    title: `Part ${at}`,
    text: narrative(`<p>Text ${at}</p>`),
  }));
  await show(<View record={JSON.stringify({ ...document, section })} />);
  const list = region.getByRole('navigation', { name: text.reading.sections });
  await expect.element(list).toMatchTextContent(text.reading.sectionsOf(count));
  await expect.element(region.getByRole('region', { name: 'Part 3', exact: true })).toBeVisible();
  const scroller = region.element().querySelector('[data-scroller]');
  if (!scroller) throw new Error('Nothing scrolls.');
  const last = region.getByRole('region', { name: `Part ${count - 1}`, exact: true });
  // The end moves away as what is above it is measured.
  await expect
    .poll(() => {
      scroller.scrollTop = scroller.scrollHeight;
      return last.query();
    })
    .not.toBeNull();
  await expect.poll(() => sheet().body.innerText).toContain(`Text ${count - 1}`);
  expect(region.element().querySelectorAll('section[data-pointer]').length).toBeLessThan(count / 2);
});

test('hostile markup runs nothing and asks for nothing, sanitized or not', async () => {
  const done: string[] = [];
  window.planted = (what) => done.push(what);
  onTestFinished(() => {
    delete window.planted;
  });
  await startServer();
  await commands.watchRequests();
  const section = Object.values(hostile).map((markup) => ({ title: 'Foreign', text: narrative(markup) }));
  await show(<View record={JSON.stringify({ resourceType: 'Composition', section })} />);
  await expect.poll(() => sheet().querySelectorAll('[data-narrative]').length).toBe(section.length);
  for (const shown of sheet().querySelectorAll('[data-narrative]'))
    expect(shown.textContent).toContain('kept');
  const messages = await commands.messages();
  expect(messages).toEqual([]);
  // The other wall alone: the same frame without the sanitizer.
  expect(frame.element().getAttribute('sandbox')).toBe('allow-same-origin');
  const { srcdoc } = frame.element() as HTMLIFrameElement;
  for (const markup of Object.values(hostile)) {
    const same = frame.element().cloneNode() as HTMLIFrameElement;
    const loaded = new Promise((loads) => same.addEventListener('load', loads, { once: true }));
    same.srcdoc = srcdoc + markup;
    window.document.body.append(same);
    await loaded;
    same.remove();
  }
  expect((await commands.requests()).filter((address) => /planted|relative/.test(address))).toEqual([]);
  expect(done).toEqual([]);
});

test.for(['Composition', 'CarePlan'])(
  'every real %s, or one of ten, is read: each section and its text are there, nothing is asked, the console is silent',
  async (type, { skip }) => {
    const records = await commands.realRecords(type);
    if (records.length === 0) skip('not run: the real records are not on this machine');
    await startServer();
    const shown = await show(<View record={records[0]?.text ?? ''} />);
    await expect.element(frame).toBeVisible();
    await commands.watchRequests();
    for (const { name, text: record } of records) {
      await shown.rerender(<View key={name} record={record} />);
      const wanted = narrativesIn(JSON.parse(record));
      const sections = sectionsIn(JSON.parse(record));
      await expect.poll(() => region.element().textContent, { message: name }).toContain(titleIn(record));
      await expect
        .poll(() => sheet().querySelectorAll('[data-narrative]').length, { message: name })
        .toBe(wanted.length);
      for (const { pointer, xhtml } of wanted) {
        const shown = sheet().querySelector(`[data-narrative="${pointer}"]`);
        expect(shown && textsWithin(shown), `${name} ${pointer}`).toEqual(textsOf(xhtml));
      }
      expect(shownHeadings(), name).toEqual(sections);
      if (type === 'CarePlan') await expect.poll(timelineSays, { message: name }).toMatch(saidOf(record));
    }
    expect(await commands.messages()).toEqual([]);
    expect(
      (await commands.requests()).filter(
        // The test's own server says what references lead to.
        (address) => !/^\/(?:@|node_modules|renderer|core|__vitest|app\/reference-names)/.test(address),
      ),
    ).toEqual([]);
  },
);

/** The sections that are drawn, by their pointer, with the heading of each. */
function shownHeadings(): [pointer: string, title: string][] {
  const shown = region.element().querySelectorAll<HTMLElement>('section[data-pointer^="/section/"]');
  return [...shown].map((one) => {
    const heading = one.querySelector('h3, h4, h5, h6');
    // The words beside the title say what is missing.
    const words = [...(heading?.childNodes ?? [])].filter(({ nodeType }) => nodeType === Node.TEXT_NODE);
    return [one.dataset.pointer ?? '', plain(words.map(({ textContent }) => textContent).join(''))];
  });
}

/** What the timeline draws and says. */
function timelineSays(): string {
  const figure = region.getByRole('figure', { name: text.timeline.name }).element();
  return [...figure.querySelectorAll('svg [aria-label], p')]
    .map((one) => one.getAttribute('aria-label') ?? one.textContent)
    .join(' ');
}

/** The plan's own bar, or that it states no period. */
function saidOf(record: string): RegExp {
  const { period } = JSON.parse(record) as { period?: { start?: string; end?: string } };
  const [day] = [period?.start, period?.end].filter((one) => one !== undefined);
  return day === undefined
    ? new RegExp(text.timeline.noPeriod)
    : new RegExp(`Plan.*${day.slice(0, 10)}|${day}`);
}
