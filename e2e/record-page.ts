/** The open record, as a user operates it: drafts, review and conflict. */
import { expect, type Locator, type Page } from '@playwright/test';
import { getDataRows } from './grid-rows.ts';
import type { TestServer } from './server.ts';

const address = '/fhir-r4/v1/CarePlan';

/** A CarePlan for tests: exact digits, a list, and an element for each side to change. */
export const planText =
  '{"resourceType":"CarePlan","title":"Exact","status":"active","intent":"plan","subject":{"reference":"Patient/exact"},"description":"As agreed","activity":[{"detail":{"status":"scheduled","description":"Walk","quantity":{"value":1.00},"dailyAmount":{"value":12345678901234567890.10}}}]}';

/** Stores a plan through the API. Returns its id. */
export async function storePlan({ origin, token }: TestServer, text = planText): Promise<string> {
  const answer = await fetch(origin + address, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: text,
  });
  const { id } = (await answer.json()) as { id: string };
  return id;
}

/** Returns the text of the plan on the server. */
export async function readPlan({ origin, token }: TestServer, id: string): Promise<string> {
  const answer = await fetch(`${origin}${address}/${id}`, { headers: { Authorization: `Bearer ${token}` } });
  return answer.text();
}

export class RecordPage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  get review(): Locator {
    return this.page.getByRole('dialog', { name: 'Review changes' });
  }

  get conflict(): Locator {
    return this.page.getByRole('dialog', { name: 'Resolve conflict' });
  }

  /** Selects an action from the menu of the conflict. */
  async otherWay(name: string): Promise<void> {
    await this.conflict.getByRole('button', { name: 'More options' }).click();
    await this.page.getByRole('menuitem', { name }).click();
  }

  get drafts(): Locator {
    return this.page.getByRole('region', { name: 'Drafts of this record' });
  }

  /** Finds and opens the plan of {@link storePlan}. */
  async open(): Promise<void> {
    const { page } = this;
    await page.getByRole('tab', { name: 'Search' }).click();
    await page.getByRole('combobox', { name: 'Resource type' }).selectOption('CarePlan');
    await page.getByRole('textbox', { name: 'Patient' }).fill('exact');
    await page.getByRole('search').getByRole('button', { name: 'Search', exact: true }).click();
    await getDataRows(page.getByRole('grid', { name: 'Results' }))
      .first()
      .dblclick();
    await expect(this.editor.locator('.view-line').first()).toBeVisible();
  }

  get editor(): Locator {
    return this.page.getByRole('region', { name: 'Record JSON' });
  }

  /** Waits until the typed text is saved as a draft. */
  async draftSaved(): Promise<void> {
    await expect(this.page.getByRole('contentinfo').getByText(/^Draft saved \d\d:\d\d$/)).toBeVisible();
  }

  async startReview(): Promise<void> {
    await this.page.getByRole('button', { name: 'Review changes' }).click();
    await expect(this.review).toBeVisible();
  }

  /** Saves. Pass `host` if the connection asks before each write: the button then names it. */
  async save(host?: string): Promise<void> {
    const name = host === undefined ? 'Save' : `Save to ${host}`;
    await this.review.getByRole('button', { name, exact: true }).click();
  }

  /** Returns the request as the review shows it: its line and headers, and its body. */
  async shownRequest(): Promise<{ head: string[]; body: string }> {
    const pane = this.review.getByRole('region', { name: 'Request' });
    const head = await pane
      .getByRole('group', { name: 'Request line and headers' })
      .locator('span')
      .allTextContents();
    await pane.getByText(/^Body, /).click();
    const body = (await pane.locator('pre').textContent()) ?? '';
    return { head, body };
  }
}

/** Stores the plan and opens it, as most tests of a record start. */
export async function openPlan(page: Page, server: TestServer): Promise<{ record: RecordPage; id: string }> {
  const id = await storePlan(server);
  const record = new RecordPage(page);
  await record.open();
  return { record, id };
}

/** Returns the texts of all drafts on the server, in their order. */
export async function readDraftTexts({
  origin,
  token,
}: Pick<TestServer, 'origin' | 'token'>): Promise<string[]> {
  const readJson = async (path: string): Promise<any> => {
    const response = await fetch(`${origin}/app/drafts${path}`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    return response.json();
  };
  const list: { id: string }[] = await readJson('');
  const texts = await Promise.all(list.map(async ({ id }) => String((await readJson(`/${id}`)).text)));
  return texts.sort();
}
