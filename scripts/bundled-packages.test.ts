import { expect, test } from 'vitest';
import { getPackageFolder } from './bundled-packages.ts';

test.each([
  ['/home/x/chartkeeper/node_modules/react/index.js', 'node_modules/react'],
  ['/home/x/chartkeeper/node_modules/@mantine/core/esm/a.mjs?v=1', 'node_modules/@mantine/core'],
  ['/x/node_modules/a/node_modules/@b/c/index.js', 'node_modules/a/node_modules/@b/c'],
  ['C:\\x\\node_modules\\react\\index.js', 'node_modules/react'],
  ['\0/x/node_modules/debug/src/index.js?commonjs-module', 'node_modules/debug'],
  ['/home/x/chartkeeper/renderer/main.tsx', undefined],
])('assigns %s to %s', (id, home) => {
  expect(getPackageFolder(id)).toBe(home);
});
