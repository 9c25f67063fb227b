/**
 * Elements that a narrative may contain. The invariant txt-1 names "chapters 7-11 (except section 4 of
 * chapter 9) and 15 of the HTML 4.0 standard, <a> elements, images and internally contained style
 * attributes". Its XPath lists fewer. Both lists are allowed, so that no valid narrative is rejected. HL7's
 * own validator allows `idref`.
 */
export const narrativeElements: ReadonlySet<string> = new Set(
  (
    'a abbr acronym address b bdo big blockquote br caption center cite code col colgroup dd dfn div dl dt em font ' +
    'h1 h2 h3 h4 h5 h6 hr i img kbd li ol p pre q s samp small span strike strong sub sup table tbody td tfoot th ' +
    'thead tr tt u ul var'
  ).split(' '),
);

/** Attributes that txt-1 allows on any element. Namespace declarations are not attributes in XPath. */
export const narrativeAttributes: ReadonlySet<string> = new Set(
  (
    'abbr accesskey align alt axis bgcolor border cellhalign cellpadding cellspacing cellvalign char charoff charset ' +
    'cite class clear color colspan compact coords dir face frame headers height href hreflang hspace id idref lang ' +
    'longdesc name noshade nowrap rel rev rowspan rules scope shape size span src start style summary tabindex title ' +
    'type valign value vspace width xmlns'
  ).split(' '),
);

/** Returns true if txt-1 allows an attribute in a narrative. Namespace declarations are not attributes in XPath. */
export function isAllowedAttribute(name: string): boolean {
  return narrativeAttributes.has(name) || name.startsWith('xmlns:') || name.startsWith('xml:');
}
