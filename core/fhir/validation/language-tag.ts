const irregular =
  'en-gb-oed|i-ami|i-bnn|i-default|i-enochian|i-hak|i-klingon|i-lux|i-mingo|i-navajo|i-pwn|i-tao|i-tay|i-tsu|sgn-be-fr|sgn-be-nl|sgn-ch-de';
const regular = 'art-lojban|cel-gaulish|no-bok|no-nyn|zh-guoyu|zh-hakka|zh-min|zh-min-nan|zh-xiang';
const language = '(?:[a-z]{2,3}(?:-[a-z]{3}){0,3}|[a-z]{4}|[a-z]{5,8})';
const script = '(?:-[a-z]{4})?';
const region = '(?:-(?:[a-z]{2}|[0-9]{3}))?';
const variants = '(?:-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*';
const extensions = '(?:-[0-9a-wy-z](?:-[a-z0-9]{2,8})+)*';
const privateUse = 'x(?:-[a-z0-9]{1,8})+';
const tag = new RegExp(
  `^(?:${language}${script}${region}${variants}${extensions}(?:-${privateUse})?|${privateUse}|${irregular}|${regular})$`,
  'i',
);
/** Far above any real tag. Limits the work on a hostile text. */
const maxLength = 255;

/** Returns true for a well-formed language tag (RFC 5646 section 2.1). Does not consult the registry. */
export function isLanguageTag(text: string): boolean {
  return text.length <= maxLength && tag.test(text);
}
