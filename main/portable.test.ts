import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import type * as Fake from './testing/fake-electron.ts';
import { launch, launchReady } from './testing/launch.ts';
import { portableFolder } from './portable.ts';
import { temporaryFolder } from './testing/temp-folder.ts';

vi.mock('electron', () => import('./testing/fake-electron.ts'));

/** Unpacks a zip into the folder: the program, and the marker next to its archive. */
function unpack(_fake: typeof Fake, folder: string): void {
  mkdirSync(join(folder, 'stick/resources'), { recursive: true });
  writeFileSync(join(folder, 'stick/resources/portable.txt'), '');
  const resourcesPath = join(folder, 'stick/resources');
  Object.assign(process, { resourcesPath });
  vi.spyOn(process, 'execPath', 'get').mockReturnValue(join(folder, 'stick/chartkeeper'));
}

it.each([
  ['linux', '/stick/chartkeeper', '/stick/Chartkeeper data'],
  ['win32', '/stick/Chartkeeper.exe', '/stick/Chartkeeper data'],
  // A folder within the application would be missed when it moves, and would break its signature.
  ['darwin', '/stick/Chartkeeper.app/Contents/MacOS/Chartkeeper', '/stick/Chartkeeper data'],
] as const)('on %s puts the data of %s into %s', (platform, execPath, expected) => {
  const resourcesPath = temporaryFolder();
  expect(portableFolder({ resourcesPath, execPath, platform })).toBeUndefined();
  writeFileSync(join(resourcesPath, 'portable.txt'), '');
  expect(portableFolder({ resourcesPath, execPath, platform })).toBe(expected);
});

it('stores all files next to a program from the zip, and none in the folder of the account', async () => {
  const { fake, folder, getLatestChild } = await launchReady(unpack);
  const data = join(folder, 'stick/Chartkeeper data');
  expect(getLatestChild().postMessage.mock.calls[0]?.[0]).toMatchObject({
    type: 'start',
    dataDir: join(data, 'data'),
  });
  expect(fake.paths).toMatchObject({ userData: data, logs: join(data, 'logs') });
  expect(statSync(join(data, 'logs/chartkeeper.log')).size).toBeGreaterThan(0);
  expect(statSync(data).mode & 0o077).toBe(0);
  expect(readdirSync(folder)).toEqual(['stick']);
  // Otherwise a copy in another folder would be taken for the running one, and would show its window.
  const [setPathOrder] = fake.app.setPath.mock.invocationCallOrder;
  const [lockOrder] = fake.app.requestSingleInstanceLock.mock.invocationCallOrder;
  expect(setPathOrder).toBeLessThan(lockOrder ?? 0);
  expect(fake.app.setAsDefaultProtocolClient).not.toHaveBeenCalled();
});

it("uses the system's data folder for an installed program", async () => {
  const { fake } = await launch();
  expect(fake.app.setPath).not.toHaveBeenCalled();
  expect(fake.app.setAppLogsPath).not.toHaveBeenCalled();
  expect(fake.app.setAsDefaultProtocolClient).toHaveBeenCalledOnce();
});

it('reports that it did not start if the folder cannot be created, and writes nowhere else', async () => {
  const { fake, folder } = await launch((fake, folder) => {
    unpack(fake, folder);
    writeFileSync(join(folder, 'stick/Chartkeeper data'), '');
  });
  expect(fake.dialog.showErrorBox).toHaveBeenCalledOnce();
  expect(fake.app.exit).toHaveBeenCalledExactlyOnceWith(1);
  expect(fake.app.requestSingleInstanceLock).not.toHaveBeenCalled();
  expect(readdirSync(folder)).toEqual(['stick']);
});
