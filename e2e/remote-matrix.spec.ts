/** Every job of the workbench on a remote Chartkeeper, once for each kind of authentication. */
import { join } from 'node:path';
import { authentications, Hospital } from './authentications.ts';
import { test as base } from './fixtures.ts';
import { goOffline } from './offline.ts';
import { RecordPage } from './record-page.ts';
import { jobs } from './remote-jobs.ts';
import { Connections } from './remote-page.ts';
import { makeDataDir, removeDataDir, startTestServer, type TestServer } from './server.ts';
import { Workbench } from './workbench.ts';

/** The local server, which keeps the secrets of connections over a restart. Each server has its own. */
interface Home {
  readonly link: () => Promise<string>;
  readonly restart: () => Promise<void>;
}

const test = base.extend<{ home: Home; hospital: Hospital }>({
  // The runner requires the braces, although nothing is destructured.
  // oxlint-disable-next-line no-empty-pattern
  home: async ({}, use) => {
    const dataDir = await makeDataDir();
    const flags = ['--secrets', join(dataDir, 'secrets.json')];
    let server: TestServer = await startTestServer(dataDir, flags, 1);
    await use({
      link: () => server.link(),
      restart: async () => {
        await server.kill();
        const { port } = new URL(server.origin);
        server = await startTestServer(dataDir, [...flags, '--port', port], 1);
      },
    });
    await server.stop();
    await removeDataDir(dataDir);
  },
  // oxlint-disable-next-line no-empty-pattern
  hospital: async ({}, use) => {
    const dataDir = await makeDataDir();
    const server = await startTestServer(dataDir);
    await use(new Hospital(server));
    await server.stop();
    await removeDataDir(dataDir);
  },
});

for (const { name, open } of authentications) {
  test(`performs every job on a remote server with ${name} @remote @browser`, async ({
    browser,
    home,
    hospital,
  }) => {
    test.setTimeout(240_000);
    const page = await browser.newPage();
    await goOffline(page);
    const workbench = new Workbench(page);
    await workbench.open(await home.link());
    const entrance = await open(hospital.server, hospital.answer);
    const connections = new Connections(page);
    const connection = { name: 'Hospital', writes: 'Write without asking', ...entrance.connection };
    await connections.startAdding(connection);
    await entrance.signIn?.(connections);
    await connections.save();
    await connections.worksOn(connection.name);

    const remote = {
      workbench,
      page,
      hospital,
      name: connection.name,
      base: connection.baseUrl,
      record: new RecordPage(page),
      restart: async () => {
        await home.restart();
        // The address differs only in its fragment, for which a browser does not reload.
        await page.goto('about:blank');
        await workbench.open(await home.link());
        await connections.worksOn(connection.name);
        if (!entrance.signIn) return;
        // A secret is stored in its file. A sign-in ends with the program.
        await page.getByRole('button', { name: 'Open connection' }).click();
        await entrance.signIn(connections);
        await connections.save();
      },
    };
    for (const [job, run] of jobs) {
      await test.step(job, () => run(remote));
      // The next job starts with an expired access token, if this kind has any.
      entrance.endTokens?.();
    }
    entrance.check?.();
    await page.close();
    await entrance.close();
  });
}
