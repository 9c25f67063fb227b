import { expect, onTestFinished, test } from 'vitest';
import { readNarrative } from '../../platform/safe-markup.ts';
import { contrastOf } from '../../testing/contrast.ts';
import { emptySheet, NarrativeSheet, sandbox } from './narrative-sheet.ts';

test.each(['light', 'dark'] as const)(
  'keeps a narrative with its own background readable in the %s scheme',
  async (scheme) => {
    const slotElement = document.createElement('div');
    const frame = document.createElement('iframe');
    frame.setAttribute('sandbox', sandbox);
    const loaded = new Promise((loads) => frame.addEventListener('load', loads, { once: true }));
    frame.srcdoc = emptySheet(scheme);
    document.body.append(slotElement, frame);
    await loaded;
    const sheet = new NarrativeSheet(frame, () => undefined);
    onTestFinished(() => {
      sheet.dispose();
      slotElement.remove();
      frame.remove();
    });
    const markup =
      '<p style="background-color: #d9e0e7">Kept</p><table bgcolor="white"><tr><th>Dose</th></tr></table>';
    sheet.show(slotElement, readNarrative(`<div>${markup}</div>`), '/text', 'Narrative');
    const textElements = [...(frame.contentDocument?.querySelectorAll('p, th') ?? [])];
    expect(textElements).toHaveLength(2);
    for (const element of textElements) expect(contrastOf(element)).toBeGreaterThan(4.5);
  },
);
