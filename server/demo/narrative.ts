import { escapeMarkup } from '../../core/fhir/escape-markup.ts';
import type { JsonObject } from './encode.ts';
import type { Random } from './random.ts';

export function heading(text: string): string {
  return `<h2>${escapeMarkup(text)}</h2>`;
}

export function paragraph(text: string): string {
  return `<p>${escapeMarkup(text)}</p>`;
}

export function list(items: readonly string[]): string {
  return `<ul>${items.map((item) => `<li>${escapeMarkup(item)}</li>`).join('')}</ul>`;
}

export function table(rows: readonly (readonly [name: string, value: string])[]): string {
  const lines = rows.map(
    ([name, value]) => `<tr><th>${escapeMarkup(name)}</th><td>${escapeMarkup(value)}</td></tr>`,
  );
  return `<table><tbody>${lines.join('')}</tbody></table>`;
}

/** Picks the language of a record; undefined for nine in ten, as in real data. */
export function pickLanguage(random: Random): string | undefined {
  return random.chance(10) ? random.pick(['en', 'en-GB', 'en-AU']) : undefined;
}

/** A generated Narrative (FHIR R4 narrative.html): the blocks in one XHTML div. */
export function narrative(language: string | undefined, ...blocks: readonly string[]): JsonObject {
  const marks = language === undefined ? '' : ` lang="${language}" xml:lang="${language}"`;
  return {
    status: 'generated',
    div: `<div xmlns="http://www.w3.org/1999/xhtml"${marks}>${blocks.join('')}</div>`,
  };
}

/** The text with each `{slot}` filled in. */
export function fill(text: string, slots: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => slots[name] ?? placeholder);
}
