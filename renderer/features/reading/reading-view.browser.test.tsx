import { onTestFinished, expect, test, vi } from 'vitest';
import { commands, page, type Locator } from 'vitest/browser';
import type { Issue } from '../../../core/fhir/text-validation.ts';
import { hostile } from '../../testing/hostile-markup.ts';
import { show, startServer } from '../../testing/show.tsx';
import { narrativesIn, sectionsIn, textsOf, textsWithin, plain, titleIn } from '../../testing/read-record.ts';
import { text } from '../../ui/text.ts';
import { ReadingView } from './reading-view.tsx';

const region = page.getByRole('region', { name: text.reading.name });
const frame = page.getByTitle(text.reading.narratives);
const noop = (): void => undefined;

interface ViewProps {
  readonly record: string;
  readonly issues?: readonly Issue[];
  readonly cursor?: string;
  readonly onReveal?: (pointer: string) => void;
  readonly onGo?: (issue: Issue) => void;
}

function View({ record, issues = [], cursor = '', onReveal = noop, onGo = noop }: ViewProps) {
  const type = /"resourceType": ?"(\w+)"/.exec(record)?.[1] ?? '';
  return (
    <div style={{ height: 700, display: 'flex' }}>
      <ReadingView
        modelPath="chartkeeper:/a"
        type={type}
        text={record}
        issues={issues}
        cursor={cursor}
        prints={0}
        onReveal={onReveal}
        onGo={onGo}
        onFollow={noop}
      />
    </div>
  );
}

/** Reports each change together with the opposite one before it, as a busy browser does for two frames. */
class DelayedObserver extends IntersectionObserver {
  constructor(callback: IntersectionObserverCallback, options?: IntersectionObserverInit) {
    super((entries, observer) => {
      const earlierEntries = entries.map(
        ({ isIntersecting, boundingClientRect }) =>
          ({ isIntersecting: !isIntersecting, boundingClientRect }) as IntersectionObserverEntry,
      );
      callback([...earlierEntries, ...entries], observer);
    }, options);
  }
}

/** Returns the document inside the frame of the narratives. */
function sheet(frameLocator: Locator = frame): Document {
  const { contentDocument } = frameLocator.element() as HTMLIFrameElement;
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

test.each([
  ['names the line of a JSON error', '{\n  "resourceType": "CarePlan",\n  "status" 1\n}', 3],
  ['asks for an object if the JSON is none', '["a"]', undefined],
])('%s', async (_, record, line) => {
  await startServer();
  await show(<View record={record} />);
  await expect.element(region.getByText(text.reading.unread(line))).toBeVisible();
});

test('shows a document with its header, full sections, references and reasons for empty sections', async () => {
  await startServer();
  await show(<View record={JSON.stringify(document)} />);
  await expect.element(region.getByRole('heading', { name: 'Discharge summary' })).toBeVisible();
  for (const expectedText of [
    'final',
    'Ada Example',
    'Dr Specimen',
    'Dr Lee',
    'legal, 2025-03-09',
    'Placeholder General',
  ]) {
    await expect.element(region).toMatchTextContent(expectedText);
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
  // The frame shows the narrative at the position of its slot.
  const slot = section('Medication').element().querySelector('[data-pointer="/section/0/text"]');
  const narrativeElement = sheet().querySelector('[data-narrative="/section/0/text"]');
  if (!slot || !narrativeElement) throw new Error('The narrative has no place.');
  await expect
    .poll(() => slot.getBoundingClientRect().top - frame.element().getBoundingClientRect().top)
    .toBeCloseTo(narrativeElement.getBoundingClientRect().top, 0);
  await expect
    .poll(() => slot.getBoundingClientRect().height)
    .toBeGreaterThanOrEqual(narrativeElement.getBoundingClientRect().height);
});

test('shows a plan, marks an activity outside its period and lists activities per goal', async () => {
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
  const activities = region.getByRole('region', { name: text.reading.activities(3) });
  const row = (name: string) => activities.getByRole('row', { name, exact: false });
  await expect.element(row('Foot check')).toMatchTextContent(text.timeline.outside.wholly);
  // The bar above reports the same.
  await expect
    .element(region.getByRole('button', { name: new RegExp(`^Foot check, ${text.timeline.outside.wholly}`) }))
    .toBeVisible();
  await expect.element(row('Foot check')).toMatchTextContent('Dr Lee');
  await expect.element(row('Walk')).not.toMatchTextContent(text.timeline.outside.wholly);
  await expect.element(row('Diary')).toMatchTextContent(text.reading.noTime);
  await expect.element(row('Diary')).toMatchTextContent('1.00 page');
  const goals = region.getByRole('region', { name: text.reading.goals }).getByRole('listitem');
  await expect.element(goals.first()).toMatchTextContent(/Lose weight.*Walk.*active/);
  await expect.element(goals.last()).toMatchTextContent(text.reading.unserved);
  for (const expectedText of ['Ward team', 'Diabetes', 'Call first', 'Nurse Ivo, 2025-02-01']) {
    await expect.element(region).toMatchTextContent(expectedText);
  }
});

test('shows issues in the margin, and opens elements on click, also in narratives', async () => {
  await startServer();
  const visited: string[] = [];
  const issue: Issue = {
    rule: 'section-without-text',
    text: 'No text for a reader.',
    expression: 'Composition.section[1]',
    severity: 'warning',
    category: 'completeness',
    pointer: '/section/1/entry',
    start: 0,
    end: 1,
  };
  const viewProps = {
    record: JSON.stringify(document),
    issues: [issue],
    onGo: ({ rule }: Issue) => visited.push(rule),
    onReveal: (pointer: string) => visited.push(pointer),
  };
  const { rerender } = await show(<View {...viewProps} />);
  await region.getByRole('button', { name: '1 issue: No text for a reader.' }).click();
  await region.getByText('Dr Specimen').click();
  await expect.poll(() => sheet().querySelector('[data-narrative="/section/0/text"] td')).not.toBeNull();
  sheet().querySelector<HTMLElement>('[data-narrative="/section/0/text"] td')?.click();
  expect(visited).toEqual(['section-without-text', '/author/0', '/section/0/text']);

  await rerender(<View {...viewProps} cursor="/section/4/section/0/text/div" />);
  await expect
    .poll(() => sheet().querySelector('[data-current]')?.getAttribute('data-narrative'))
    .toBe('/section/4/section/0/text');
});

test.each([
  ['one change of position per call', IntersectionObserver],
  ['two changes of position per call', DelayedObserver],
])('renders a long document from its start and when scrolled, with %s', async (_, Observer) => {
  vi.stubGlobal('IntersectionObserver', Observer);
  onTestFinished(() => void vi.unstubAllGlobals());
  await startServer();
  const count = 1200;
  const section = Array.from({ length: count }, (_, index) => ({
    title: `Part ${index}`,
    text: narrative(`<p>Text ${index}</p>`),
  }));
  await show(<View record={JSON.stringify({ ...document, section })} />);
  const list = region.getByRole('navigation', { name: text.reading.sections });
  await expect.element(list).toMatchTextContent(text.reading.sectionsOf(count));
  await expect.element(region.getByRole('region', { name: 'Part 3', exact: true })).toBeVisible();
  const scroller = region.element().querySelector('[data-scroller]');
  if (!scroller) throw new Error('Nothing scrolls.');
  const lastSection = region.getByRole('region', { name: `Part ${count - 1}`, exact: true });
  // The end moves while sections above it are measured.
  await expect
    .poll(() => {
      scroller.scrollTop = scroller.scrollHeight;
      return lastSection.query();
    })
    .not.toBeNull();
  await expect.poll(() => sheet().body.innerText).toContain(`Text ${count - 1}`);
  expect(region.element().querySelectorAll('section[data-pointer]').length).toBeLessThan(count / 2);
});

test('runs no hostile markup and requests nothing, with and without the sanitizer', async () => {
  const done: string[] = [];
  window.planted = (payload) => done.push(payload);
  onTestFinished(() => {
    delete window.planted;
  });
  await startServer();
  await commands.watchRequests();
  const section = Object.values(hostile).map((markup) => ({ title: 'Foreign', text: narrative(markup) }));
  await show(<View record={JSON.stringify({ resourceType: 'Composition', section })} />);
  await expect.poll(() => sheet().querySelectorAll('[data-narrative]').length).toBe(section.length);
  for (const narrativeElement of sheet().querySelectorAll('[data-narrative]'))
    expect(narrativeElement.textContent).toContain('kept');
  const messages = await commands.messages();
  expect(messages).toEqual([]);
  // Only the second barrier: the same frame without the sanitizer.
  expect(frame.element().getAttribute('sandbox')).toBe('allow-same-origin');
  const { srcdoc } = frame.element() as HTMLIFrameElement;
  for (const markup of Object.values(hostile)) {
    const unsanitizedFrame = frame.element().cloneNode() as HTMLIFrameElement;
    const loaded = new Promise((loads) => unsanitizedFrame.addEventListener('load', loads, { once: true }));
    unsanitizedFrame.srcdoc = srcdoc + markup;
    window.document.body.append(unsanitizedFrame);
    await loaded;
    unsanitizedFrame.remove();
  }
  expect((await commands.requests()).filter((address) => /planted|relative/.test(address))).toEqual([]);
  expect(done).toEqual([]);
});

test.for(['Composition', 'CarePlan'])(
  'shows every section and text of every real %s, or of one in ten, without requests',
  async (type, { skip }) => {
    const records = await commands.realRecords(type);
    if (records.length === 0) skip('not run: the real records are not on this machine');
    await startServer();
    const view = await show(<View record={records[0]?.text ?? ''} />);
    await expect.element(frame).toBeVisible();
    await commands.watchRequests();
    for (const { name, text: record } of records) {
      await view.rerender(<View key={name} record={record} />);
      const expectedNarratives = narrativesIn(JSON.parse(record));
      const sections = sectionsIn(JSON.parse(record));
      await expect.poll(() => region.element().textContent, { message: name }).toContain(titleIn(record));
      await expect
        .poll(() => sheet().querySelectorAll('[data-narrative]').length, { message: name })
        .toBe(expectedNarratives.length);
      for (const { pointer, xhtml } of expectedNarratives) {
        const narrativeElement = sheet().querySelector(`[data-narrative="${pointer}"]`);
        expect(narrativeElement && textsWithin(narrativeElement), `${name} ${pointer}`).toEqual(
          textsOf(xhtml),
        );
      }
      expect(listHeadings(), name).toEqual(sections);
      if (type === 'CarePlan')
        await expect.poll(readTimeline, { message: name }).toMatch(expectedTimeline(record));
    }
    expect(await commands.messages()).toEqual([]);
    expect(
      (await commands.requests()).filter(
        // The server of the test resolves reference names.
        (address) => !/^\/(?:@|node_modules|renderer|core|__vitest|app\/reference-names)/.test(address),
      ),
    ).toEqual([]);
  },
);

/** Returns the rendered sections by pointer, with their headings. */
function listHeadings(): [pointer: string, title: string][] {
  const sectionElements = region
    .element()
    .querySelectorAll<HTMLElement>('section[data-pointer^="/section/"]');
  return [...sectionElements].map((sectionElement) => {
    const heading = sectionElement.querySelector('h3, h4, h5, h6');
    // Other elements next to the title report missing content.
    const titleNodes = [...(heading?.childNodes ?? [])].filter(({ nodeType }) => nodeType === Node.TEXT_NODE);
    return [
      sectionElement.dataset.pointer ?? '',
      plain(titleNodes.map(({ textContent }) => textContent).join('')),
    ];
  });
}

/** Returns the texts of the timeline. */
function readTimeline(): string {
  const figure = region.getByRole('figure', { name: text.timeline.name }).element();
  return [...figure.querySelectorAll('svg [aria-label], p')]
    .map((element) => element.getAttribute('aria-label') ?? element.textContent)
    .join(' ');
}

/** Returns the expected bar of the plan, or the message that it has no period. */
function expectedTimeline(record: string): RegExp {
  const { period } = JSON.parse(record) as { period?: { start?: string; end?: string } };
  const [day] = [period?.start, period?.end].filter((boundary) => boundary !== undefined);
  return day === undefined
    ? new RegExp(text.timeline.noPeriod)
    : new RegExp(`Plan.*${day.slice(0, 10)}|${day}`);
}
