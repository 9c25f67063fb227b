/** Definitions of the measures of `scripts/words.ts`: which names, comments and test titles cannot be read by outsiders. */

const toSet = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));

/** Words that name nothing by themselves: pronouns, prepositions, adverbs and finite verbs. */
const emptyWords = toSet(`
  all another any anything both each every everything first half here it its last least less many mine more most much
  none nothing one ones only other others own rest same second some something such that there these those third what
  whatever which who whoever whole whom whose why
  about above among apart as aside at behind below beside besides between by else for in like of off on out over per
  than under upon with within without
  again ago alone already also always anew elsewhere ever far further how just later meanwhile never once quite soon
  still then thus together too yet
  asks begins comes does ends gives goes had holds is keeps knows lacks lasts leads lives says sees stands stays takes
  tells wants was were`);

/** Participles. They say enough about a boolean only. */
const participles = toSet(`
  absent added agreed allowed altered announced answered asked asking begun bound broken brought built called carried
  changed chosen claimed compared composed copied counted covered crowded damaged decided demanded derived drawn edited
  ended entered erased erasing examined exported failed filled flagged followed forgotten found gathered given gone
  halted heard held hidden imported indexed inserted joined judged judging kept known laid left listed loosened lost
  made meant mended mending merged moved moving named narrowed noted noticed offered opened passed placed planned
  planted printed proven put raised reached read referred refused remade removed renamed replaced restored retired
  routed said saved sealed seated seen sending sent settled settling shown sized skipped sliced sorted spoken standing
  started stopped stored submitted taken telling thrown told tried turned typed undone undecided unread unsaved unstored
  used violated vouched waited waiting waived wanted withheld working written writing`);

/** Imperatives and event methods that a function may be called. */
const functionNames = toSet('read put on off once');

/** Words that make no compound of empty words say more. */
const glueWords = toSet('and at by for in is no not of on or out so the to up with');

/** Compounds of empty words that every reader knows. */
const knownCompounds = toSet('readOnly atLeast atMost lastUsed lastSeen');

/** Facts about a declaration that its name is judged with. */
export interface NameTraits {
  readonly isBoolean: boolean;
  readonly isFunction: boolean;
}

/** Returns whether a name says nothing to a reader who does not know the code. */
export function isVagueName(name: string, { isBoolean, isFunction }: NameTraits): boolean {
  const words = splitName(name);
  const [head = ''] = words;
  if (words.length === 0) return false;
  if (words.length === 1) {
    if (isFunction && functionNames.has(head)) return false;
    return emptyWords.has(head) || (participles.has(head) && !isBoolean);
  }
  if (isBoolean || knownCompounds.has(name) || ['is', 'as', 'on', 'for'].includes(head)) return false;
  const isEmpty = (word: string) => emptyWords.has(word) || participles.has(word);
  return isEmpty(head) && words.every((word) => isEmpty(word) || glueWords.has(word));
}

function splitName(name: string): string[] {
  const spaced = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2');
  return spaced
    .toLowerCase()
    .split(/[\s_$]+/)
    .filter((word) => word !== '');
}

const whatClause = /\b(?:what|whatever|whoever|whomever|whom|wherein|whereof|thereof|therein)\b/i;
const whoClause =
  /(?:^|[.;:,(]\s*|\b(?:and|are|as|asks?|at|be|behind|beside|but|by|else|for|from|how|in|into|is|knows?|nor|of|on|or|says?|shows?|tells?|than|that|to|whether|with)\s+)who(?:se)?\b/i;
const sentenceHead =
  /(?:^|[.!?;:]\s+)(?:What|Whatever|Who|Whoever|Whom|Whose|Wherein|Whereof|Thereof|Therein)\b/;
const idioms = /\b(?:what's|what if|so what|what to do|no matter what|guess what|what is this)\b/gi;

/** Returns whether a comment has a relative clause in place of a noun. */
export function isFusedComment(prose: string): boolean {
  const text = prose.replace(idioms, '');
  return [sentenceHead, whatClause, whoClause].some((pattern) => pattern.test(text));
}

/** Patterns of test titles that only their author reads fluently, by reason. */
const dialect: Readonly<Record<string, RegExp>> = {
  'number of a row or item': /\b(?:row|rows|item|items) \d+/i,
  'relative clause as a noun': whatClause,
  'relative clause with who': whoClause,
  'private word':
    /\b(?:anew|beside|mend(?:s|ed|ing)?|judg(?:e|es|ed|ing|ement)|doer|companions?|trail|strangers?|colleague|told|tells? of|sayings?)\b/i,
  'passive of asked, held, kept, said':
    /\b(?:is|are|was|were|be|been|not|stays?)\s+(?:\w+ )?(?:asked|held|kept|said|taken|had|hers?|heard|gone on with|looked at|begun|stood|given out|seen to)\b/i,
  'pronoun as subject':
    /^(?:it|they|nothing|nobody|none|all|both|one|others?|each|whoever|whatever|that|those|the others?)\b(?! (?:of|should))/i,
  'absence in words':
    /\b(?:is|are) (?:none|nothing|no (?!longer\b|more\b)\w+)|\bnobody\b|\bthere (?:is|are) (?:nothing|none)\b/i,
  'place for a relation':
    /\b(?:stands?|lies|lie|leads?|goes on|go on|comes? to|comes? of|comes? with|by itself|at hand|to the letter|of its own|as it (?:was|is)|as they (?:are|were|came))\b/i,
  'alone, still, else, meanwhile': /\balone\b|\bstill\.?$|^else\b|\bmeanwhile\b|\bbut once\b/i,
};

/** Returns why a test title cannot be read by outsiders; undefined if it can. */
export function findDialect(title: string): string | undefined {
  return Object.keys(dialect).find((reason) => dialect[reason]?.test(title));
}
