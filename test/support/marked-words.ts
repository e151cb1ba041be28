// Words and phrases that mark stilted English, with what to write instead.

export interface MarkedWord {
  name: string;
  pattern: RegExp;
  instead: string;
}

const mark = (name: string, pattern: string, instead: string): MarkedWord => ({
  name,
  pattern: new RegExp(String.raw`(?<![\w-])(?:${pattern})(?![\w-])`, 'gi'),
  instead,
});

export const MARKED_WORDS: readonly MarkedWord[] = [
  mark('told', 'told', 'reported, sent, shown, notified'),
  mark('tell', 'tells?|telling', 'reports, shows, says'),
  mark('nobody', "nobody(?:'s)?", 'no one; or name the subject'),
  mark('whoever', 'whoever|whomever', 'a caller, a reader'),
  mark('whatever', 'whatever', 'any, or name it'),
  mark('is asked', '(?:is|are|was|were|be|been|being) asked', 'name who requests what'),
  mark('stands', 'stands?(?! ?by)|standing(?! ?by)|stood', 'is, remains, applies'),
  mark('goes on', '(?:goes|go|going|went) on(?! to)', 'continues'),
  mark('of its own', 'of (?:its|their|his|her) own(?! \\w+ing)', 'separate, dedicated, its own X'),
  mark('for good', 'for good', 'permanently'),
  mark('has a say', '(?:has|have|had) a say', 'affects, applies'),
  mark('in hand', '(?:in|at) hand', 'available, held'),
  mark('away', '(?<!(?:right|straight|throw|thrown|take|taken|five) )away', 'unavailable, down'),
  mark(
    'dark',
    '(?<!color-scheme: |light )dark(?! (?:theme|mode|scheme|colou?r|on|and light|or light)|, back)',
    'stale',
  ),
  mark('owed', 'owed|owes|owing', 'pending, due'),
  mark('hears', 'hears?|heard', 'receives'),
  mark('anew', 'anew', 'again'),
  mark('whose', 'whose', 'split the sentence'),
  mark('come apart', '(?:come|comes|came) apart', 'differ'),
  mark('believed', 'believed|beliefs?|believes?', 'blended probability'),
  mark('pretend', 'pretend(?:s|ed)?(?: world)?', 'simulator, simulated, demo'),
  mark('law of', 'laws? of', 'distribution'),
  mark('lately', 'lately', 'recent'),
  mark('the past is in', 'the past is (?:not )?(?:all )?in', 'backfill complete'),
  mark('came to be', '(?:come|comes|came) to (?:be|where)', 'history'),
  mark('deepest fall', 'deepest fall', 'max drawdown'),
  mark('reach me', 'reach me', 'alerts'),
  mark('is well', '(?:is|are) well(?! \\w)|well again', 'healthy, recovered'),
  mark('said', 'said against happened|(?:is|was|are|were) said', 'predicted vs. observed; reported'),
  mark('spoken of', 'spoken (?:of|for|to)|speaks of', 'described'),
  mark('found out', 'found out|finds? out', 'reconciled, detected'),
];

/** A log line is a noun phrase or a past participle: no article at its start and no form of "to be". */
export const LOG_GRAMMAR: readonly MarkedWord[] = [
  { name: 'article', pattern: /^(?:the|an?)\s/gi, instead: 'drop the article' },
  {
    name: 'sentence',
    pattern: /\b(?:is|are|was|were|could not|did not|will|would)\b/gi,
    instead: 'use a noun phrase or a past participle',
  },
];

/** Old names in identifiers and file names, with the term of the field. Names of the contract are not among them. */
export const OLD_NAMES: ReadonlyMap<string, string> = new Map([
  ['world', 'simulator'],
  ['worlds', 'simulators'],
  ['law', 'distribution'],
  ['laws', 'distributions'],
  ['belief', 'blended probability'],
  ['beliefs', 'blended probabilities'],
  ['believed', 'blended'],
  ['notice', 'alert'],
  ['notices', 'alerts'],
  ['told', 'reported, sent'],
  ['tell', 'report, send'],
  ['tells', 'reports, sends'],
  ['teller', 'reporter'],
  ['nobody', 'none'],
  ['dark', 'stale'],
  ['owed', 'pending'],
  ['anew', 'again'],
  ['desk', 'service'],
  ['manner', 'mode'],
  ['manners', 'modes'],
  ['prove', 'scenario'],
  ['pretend', 'simulated'],
  ['pretended', 'simulated'],
]);
