/** Renders the application icon in the sizes and formats of all systems, with the Chromium of the tests. */
import { chromium } from '@playwright/test';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ensureBrowser } from './browser.ts';
import { root } from './bundles.ts';
import { createIcns, createIco, type Picture } from './icon-files.ts';

/** The only source picture. The page uses it too. */
const source = resolve(root, 'renderer/public/icon.svg');

/** Sizes in pixels. */
export const iconSizes = [16, 24, 32, 48, 64, 128, 256, 512, 1024] as const;

/** Returns the icon in each size, with a transparent background. */
async function renderIcon(): Promise<readonly Picture[]> {
  const browser = await chromium.launch({ executablePath: ensureBrowser(), args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage();
    const svg = `data:image/svg+xml;base64,${readFileSync(source).toString('base64')}`;
    const pictures: Picture[] = [];
    for (const size of iconSizes) {
      await page.setViewportSize({ width: size, height: size });
      await page.setContent(
        `<style>body { margin: 0 } img { display: block; width: 100vw; height: 100vh }</style><img src="${svg}">`,
      );
      pictures.push({ size, png: await page.screenshot({ omitBackground: true }) });
    }
    return pictures;
  } finally {
    await browser.close();
  }
}

/** Writes the icon files into `folder`: a PNG for each size, icon.ico and icon.icns. */
export async function writeIcons(folder = resolve(root, 'dist/icons')): Promise<void> {
  const pictures = await renderIcon();
  mkdirSync(folder, { recursive: true });
  for (const { size, png } of pictures) writeFileSync(join(folder, `${size}x${size}.png`), png);
  writeFileSync(join(folder, 'icon.ico'), createIco(pictures));
  writeFileSync(join(folder, 'icon.icns'), createIcns(pictures));
}
