import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { text } from '../../ui/text.ts';
import { show, startServer } from '../../testing/show.tsx';
import { guidePages } from './guide-pages.ts';
import { GuideView } from './guide-view.tsx';

beforeEach(startServer);

const field = page.getByRole('searchbox', { name: text.guide.search });
const contents = page.getByRole('navigation', { name: text.guide.contents });
const entry = (name: string) => contents.getByRole('button', { name, exact: true });
const article = page.getByRole('article');

test('shows the six jobs in order, each with pictures of known sizes', async () => {
  await show(<GuideView />);
  const jobs = [
    'Find a record',
    'Read a record',
    'Fix a record',
    'Send a patch',
    'Resolve a conflict',
    'Change many records, then undo',
  ];
  expect(guidePages.map(({ title }) => title)).toEqual(jobs);
  for (const job of jobs) {
    await entry(job).click();
    await expect.element(article.getByRole('heading', { level: 1 })).toMatchTextContent(job);
    const images = article.getByRole('img').elements() as HTMLImageElement[];
    expect(images.length).toBeGreaterThan(0);
    await expect.poll(() => images.every((image) => image.naturalWidth > 1000)).toBe(true);
    // The space of a picture is reserved before it is loaded, so that it moves no text.
    for (const image of images) {
      expect(image.getAttribute('width')).toBe(String(image.naturalWidth));
      expect(image.getAttribute('height')).toBe(String(image.naturalHeight));
    }
  }
});

test('searches the guide by words and scrolls to a matching section', async () => {
  await show(<GuideView />);
  await field.fill('lost ANSWER sent');
  await expect.element(entry('If the answer is lost')).toBeVisible();
  expect(contents.getByRole('button').elements()).toHaveLength(2);
  await entry('If the answer is lost').click();
  const heading = article.getByRole('heading', { name: 'If the answer is lost' });
  await expect.element(heading).toBeInViewport();
  await field.fill('no such words');
  await expect.element(contents).toMatchTextContent(text.guide.none);
});

test('opens another page by a link and shows keys and paths as written', async () => {
  await show(<GuideView />);
  await article.getByRole('button', { name: 'Fix a record' }).click();
  await expect.element(article.getByRole('heading', { level: 1 })).toMatchTextContent('Fix a record');
  await entry('Send a patch').click();
  await expect.element(article.getByText('activity[0].detail.status', { exact: true })).toBeVisible();
  await field.click();
  await userEvent.keyboard('{Tab}');
  await expect.element(entry('Find a record')).toHaveFocus();
});
