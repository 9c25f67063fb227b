import {
  startBulkDataServer,
  reportProgress,
  statusPath,
} from '../server/bulk-data/testing/bulk-data-server.ts';
import { DataPage } from './data-page.ts';
import { expect, test } from './fixtures.ts';
import { skipOnSharedStore } from './server.ts';

// The page may reach another server of the store, which does not have the files.
skipOnSharedStore(test, 'exports of other servers');

const line = (resource: object) => `${JSON.stringify(resource)}\n`;

test('imports the export of a connection, after it allowed another server @data', async ({
  workbench,
  page,
  server,
}) => {
  const source = await startBulkDataServer();
  const files = await startBulkDataServer();
  try {
    source.token = undefined;
    files.token = undefined;
    const plan = {
      resourceType: 'CarePlan',
      id: 'a',
      status: 'active',
      intent: 'plan',
      title: 'Wound care',
      subject: { reference: 'Patient/p1' },
    };
    files.files.set('/plans', line(plan) + line({ ...plan, id: 'b', description: 7 }));
    files.files.set(
      '/patients',
      line({ resourceType: 'Patient', id: 'p1', name: [{ text: 'Ada Example' }] }),
    );
    source.manifest.output = [
      { type: 'CarePlan', url: `${files.peer.origin}/plans` },
      { type: 'Patient', url: `${files.peer.origin}/patients` },
    ];
    const status = `GET ${statusPath}`;
    source.next.set(
      status,
      Array.from({ length: 60 }, () => reportProgress('half of it')),
    );
    const post = (path: string, body: object) =>
      fetch(server.origin + path, {
        method: 'POST',
        headers: { Authorization: `Bearer ${server.token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
    await post('/app/connections', { name: 'Hospital', mode: 'read-only', baseUrl: source.base });
    // An empty store has no overview.
    await post('/fhir-r4/v1/CarePlan', plan);
    const data = new DataPage(page);
    await data.open('Import');
    await data.button('From a server…').click();
    const dialog = workbench.dialog('Import from a server');
    await expect(dialog.getByLabel('Connection')).toContainText('Hospital');
    await dialog.getByRole('button', { name: 'Start export' }).click();

    const { host } = new URL(source.base);
    const entry = page.getByRole('region', { name: host, exact: true });
    await expect(entry).toContainText('The server is preparing the files: half of it.');
    source.next.delete(status);
    await expect(entry).toContainText(files.peer.origin);
    expect(files.peer.requests).toEqual([]);
    await entry
      .getByRole('checkbox', { name: `Send the connection’s token to ${new URL(files.peer.origin).host}` })
      .check();
    await page.getByRole('navigation').getByRole('button', { name: 'Overview' }).click();
    const unfinished = page.getByRole('region', { name: 'Unfinished' });
    await unfinished.getByRole('button', { name: /needs your answer/ }).click();
    await entry.getByRole('button', { name: 'Read files from this server' }).click();

    await expect(entry).toContainText('1 of 2 records stored. 1 refused. 1 related resource stored.');
    await expect(entry.getByRole('region', { name: 'Refused' })).toContainText('CarePlan.description');
    await entry.getByRole('button', { name: `Remove: ${host}` }).click();
    await expect(entry).toHaveCount(0);
  } finally {
    await source.peer.close();
    await files.peer.close();
  }
});
