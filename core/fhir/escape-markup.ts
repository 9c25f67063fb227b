const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** A text as XHTML, between tags or in double quotes. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => entities[sign] ?? sign);
}

const sections = { '<![CDATA[': ']]>', '<!--': '-->' } as const;

/** Returns XHTML with its CDATA sections as escaped text, without its comments, in time linear to its length. */
export function expandSections(xhtml: string): string {
  if (!xhtml.includes('<!')) return xhtml;
  const parts: string[] = [];
  let from = 0;
  for (let at = xhtml.indexOf('<!'); at >= 0; at = xhtml.indexOf('<!', Math.max(from, at + 1))) {
    const start = xhtml.startsWith('<!--', at) ? '<!--' : '<![CDATA[';
    if (!xhtml.startsWith(start, at)) continue;
    const end = xhtml.indexOf(sections[start], at + start.length);
    // Without its end it is no section, and none of what follows is.
    if (end < 0) break;
    parts.push(xhtml.slice(from, at));
    if (start !== '<!--') parts.push(escapeMarkup(xhtml.slice(at + start.length, end)));
    from = end + sections[start].length;
  }
  return parts.join('') + xhtml.slice(from);
}
