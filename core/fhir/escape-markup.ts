const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Returns a text as XHTML, between tags or in double quotes. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => entities[sign] ?? sign);
}

const sections = { '<![CDATA[': ']]>', '<!--': '-->' } as const;

/** Returns XHTML with its CDATA sections as escaped text, without its comments, in time linear to its length. */
export function expandSections(xhtml: string): string {
  if (!xhtml.includes('<!')) return xhtml;
  const parts: string[] = [];
  let from = 0;
  for (
    let offset = xhtml.indexOf('<!');
    offset >= 0;
    offset = xhtml.indexOf('<!', Math.max(from, offset + 1))
  ) {
    const start = xhtml.startsWith('<!--', offset) ? '<!--' : '<![CDATA[';
    if (!xhtml.startsWith(start, offset)) continue;
    const end = xhtml.indexOf(sections[start], offset + start.length);
    // Without its end it is not a section, and there are no sections after it.
    if (end < 0) break;
    parts.push(xhtml.slice(from, offset));
    if (start !== '<!--') parts.push(escapeMarkup(xhtml.slice(offset + start.length, end)));
    from = end + sections[start].length;
  }
  return parts.join('') + xhtml.slice(from);
}
