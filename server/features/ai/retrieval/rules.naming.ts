/** A question in two parts: the document's name, and the rest. */
export type NamedQuestion = { naming: string; asking: string };

/** Words for a document that name one by themselves: 'the lease'. */
const STRONG = String.raw`(?:agreement|contract|lease|nda|deed|indenture|mortgage|bylaws|subpoena|affidavit|transcript)`;
/** Words that name one with a word before them: 'the police report'. */
const WEAK = String.raw`(?:policy|notice|report|statement|letter|memo|memorandum|amendment|addendum|charter|complaint|petition|deposition|invoice|bill|estimate|records?|declaration|motion|questionnaire|certificate|minutes|e-?mail|guarant(?:y|ee)|licen[cs]e)`;
const FILE = String.raw`[\p{L}\p{N}][^\s?;:,]*\.(?:pdf|docx?|txt|rtf|md|eml|xlsx?|pptx?|html?|csv)\b`;
const MONTH = String.raw`(?:january|february|march|april|may|june|july|august|september|october|november|december)`;

const ASKS = String.raw`(?:what|when|where|which|who|whom|whose|why|how)`;
const VERB = String.raw`(?:is|are|was|were|do|does|did|can|could|may|must|shall|should|will|would|has|have)`;
/** May and Will are also names. */
const CLAUSE = String.raw`(?:(?:in|at|to|by|for|from|on|of|under|until|with|within)\s)?(?:${ASKS}|(?-i:${VERB}))\b`;

const THE = String.raw`(?:the|this|that|our|your|my|their)\s`;
/** A word before the kind of document: a party, a date, what it is about. */
const OWN = String.raw`(?!(?:of|on|in|to|for|by|with|at|under|a|an|the|and|or|not|no|${ASKS}|${VERB})\b)[\p{L}\p{N}“"‘'’&.,()-]+\s`;
const JOINED = String.raw`(?:(?:and|of|&)\s)?`;
const TAIL = String.raw`(?:\s(?:of|with|from|between|by|dated|for|signed|among)\s[^?;:]{2,120}?)?`;
const KIND = String.raw`(?:(?:${OWN}${JOINED}){0,6}?${STRONG}|(?:${OWN}${JOINED}){1,6}?${WEAK})["”’)]*`;
/** 'the deposition of Jane Doe' */
const OF_SOMEONE = String.raw`(?:${THE})${WEAK}\s(?:of|from|by|dated)\s[^?;:]{2,120}?`;
const TITLED = String.raw`(?:(?:${THE})?${KIND}${TAIL}|${OF_SOMEONE})`;
/** Names in capitals alone: 'Pinecrest Dental Group'. */
const CAPITALS = String.raw`(?-i:\p{Lu})[^\s?;:,]*(?:\s(?:(?:and|of|&|v\.?|vs\.?)\s)?(?-i:\p{Lu})[^\s?;:,]*){0,7}`;
/** Before what is asked of it. */
const LEAD = String.raw`(?:in|from|for|under|per|about|regarding|concerning|re:?|according to|pursuant to|as per|as to|as for|with (?:respect|regard) to|looking at|see|based on|on the basis of)`;
/** Behind it; without the prepositions that belong to verbs. */
const END = String.raw`(?:in|from|under|per|according to|pursuant to|as per|based on)`;
const SEE = String.raw`(?:see|in|from|this is|it is|about|for|re:?)\s`;
const PAUSE = String.raw`(?:\s?[:,]|\s[–—-]+)\s+`;
const BREAK = String.raw`(?:\s?:|\s[–—-]+)\s+`;

const expression = (source: string) => new RegExp(source, 'iu');

/** Forms in which the name comes first, and what is asked follows. */
const first = [
  // 'In the Harrowgate lease, may …', 'From the police report: who …', 'In the lease how …'
  String.raw`^(?:please\s)?${LEAD}\s(${TITLED}|${FILE})(?:${PAUSE}(?=${CLAUSE})|\s(?=${ASKS}\b))`,
  // 'For Harrowgate: when …', 'Regarding Pinecrest, when …'
  String.raw`^(?:in re|regarding|concerning|re:?|about|as to|as for)\s(${CAPITALS})${PAUSE}(?=${CLAUSE})`,
  // 'The lease with Pinecrest: may …', 'Pinecrest lease, may …', 'office-lease.txt: may …'
  String.raw`^(${TITLED}|${FILE})${PAUSE}(?=${CLAUSE})`,
  // 'Pinecrest: may …'
  String.raw`^(${CAPITALS})${BREAK}(?=${CLAUSE})`,
  // 'office lease harrowgate: may …'
  String.raw`^((?:${OWN}){0,5}${STRONG}(?:\s(?!${VERB}\b)[\p{L}\p{N}&.’'-]+){1,4})${BREAK}(?=${CLAUSE})`,
  // '[Office Lease] may …'
  String.raw`^[[(@]((?:${OWN}){0,5}${STRONG}[^\]()?]{0,60}|${FILE})[\])]?:?\s+(?=${CLAUSE})`,
].map(expression);

/** Forms in which it comes last. */
const last = [
  // 'How much is the rent? (Office Lease, Harrowgate)'
  String.raw`^(.{8,}?)\??\s*\(([^()?]{3,120})\)\s*[?.]?\s*$`,
  // 'How much is the rent? See the office lease.'
  String.raw`^(.{8,}\?)\s+(?:${SEE})?(${TITLED}|${FILE})\s*\.?\s*$`,
  // 'How much is the rent – office lease'
  String.raw`^(.{8,}?)\??\s[–—-]+\s(${TITLED}|${FILE})\s*\??\s*$`,
  // 'How much is the rent in the Pinecrest lease?', '… per office-lease.txt?'
  String.raw`^(.{8,}),?\s${END}\s((?:${THE}|(?=(?-i:\p{Lu})))${KIND}${TAIL}|${FILE})\s*\??\s*$`,
  // 'What is the term of the Pinecrest lease?'
  String.raw`^(.{8,})\s(?:of|on)\s((?:${THE}|(?=(?-i:\p{Lu})))(?:${OWN}${JOINED}){1,6}?(?:${STRONG}|${WEAK})${TAIL})\s*\??\s*$`,
].map(expression);

const isDocument = expression(String.raw`\b(?:${STRONG}|${WEAK})\b|${FILE}`);
const isFile = expression(
  String.raw`^((?:[\p{L}\p{N}]+[\s_-]+){0,6}${STRONG}|(?:[\p{L}\p{N}]+[\s_-]+){1,6}${WEAK})${BREAK}(?=${CLAUSE})`,
);
const isDate = expression(String.raw`\b${MONTH}\b|\b\d{4}\b`);

/** Ways in which people name a document beside its formal title, the likeliest first. */
export function* looseNamings(question: string): Generator<NamedQuestion> {
  for (const form of [...first, isFile]) {
    const found = form.exec(question);
    if (found) yield { naming: found[1] ?? '', asking: question.slice(found[0].length) };
  }
  for (const form of last) {
    const [, asking = '', naming = ''] = form.exec(question) ?? [];
    if (isDocument.test(naming) || isDate.test(naming)) yield { naming, asking };
  }
}
