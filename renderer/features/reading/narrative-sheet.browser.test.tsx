import { expect, onTestFinished, test } from 'vitest';
import { readNarrative } from '../../platform/safe-markup.ts';
import { contrastOf } from '../../testing/contrast.ts';
import { emptySheet, NarrativeSheet, sandbox } from './narrative-sheet.ts';

test.each(['light', 'dark'] as const)(
  'a narrative that brings its own ground is read in the %s',
  async (scheme) => {
    const place = document.createElement('div');
    const frame = document.createElement('iframe');
    frame.setAttribute('sandbox', sandbox);
    const loaded = new Promise((loads) => frame.addEventListener('load', loads, { once: true }));
    frame.srcdoc = emptySheet(scheme);
    document.body.append(place, frame);
    await loaded;
    const sheet = new NarrativeSheet(frame, () => undefined);
    onTestFinished(() => {
      sheet.dispose();
      place.remove();
      frame.remove();
    });
    const markup =
      '<p style="background-color: #d9e0e7">Kept</p><table bgcolor="white"><tr><th>Dose</th></tr></table>';
    sheet.show(place, readNarrative(`<div>${markup}</div>`), '/text', 'Narrative');
    const words = [...(frame.contentDocument?.querySelectorAll('p, th') ?? [])];
    expect(words).toHaveLength(2);
    for (const one of words) expect(contrastOf(one)).toBeGreaterThan(4.5);
  },
);
