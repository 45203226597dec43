/** A document's name, and what is asked of it. */
export type Naming = { naming: string; asking: string };

/** A word for a document, as opposed to the subject of a question: 'In case of fire, …' names none. */
const DOCUMENT = String.raw`\b(?:agreement|contract|lease|nda|policy|deed|licen[cs]e|memorandum|amendment|addendum|indenture|mortgage|guarant(?:y|ee)|bylaws|charter|privacy (?:notice|statement))["”’)]*`;
const BETWEEN = String.raw`(?:by and between|by and among|between|among|with|dated)`;
const OPENING = String.raw`(?:please\s+)?(?:consider|looking at|(?:i am|i’m|i'm|we are) (?:looking at|reading|reviewing)|in|under|according to|pursuant to|as per|per|based on|regarding|concerning|as (?:to|for)|with (?:respect|regard) to|(?:this is )?about)`;
const ASKS = String.raw`(?:what|when|where|which|who|whom|whose|why|how)`;
const VERB = String.raw`(?:is|are|was|were|do|does|did|can|could|may|must|shall|should|will|would|has|have)`;
/** The beginning of a sentence that asks. */
const QUESTION = String.raw`(?:${ASKS}|${VERB})\b`;
/** Within a sentence: May and Will are also names. */
const CLAUSE = String.raw`(?:(?:in|at|to|by|for|from|on|of|under|until|with|within)\s)?(?:${ASKS}|(?-i:${VERB}))\b`;
const CUT = String.raw`(?::|\s[–—-]+)\s+`;

/** The last part may be 'and when?', which asks nothing by itself. */
const MOST_CUTS = 3;

const expression = (source: string) => new RegExp(source, 'ius');

const asksAtOnce = expression(String.raw`^\s*${QUESTION}`);
const isClause = expression(String.raw`^\s*${CLAUSE}`);
const isTitle = expression(String.raw`${DOCUMENT}$`);
const isName = expression(
  String.raw`${DOCUMENT}(?:$|\s(?:${BETWEEN}|by|titled|of)\b)|^(?:the matter of|re:?)\s`,
);

/** 'Under the Lease with A, may the tenant sublet?' and 'I am reading the Lease with A. May the tenant sublet?'. */
const opening = expression(
  String.raw`^${OPENING}\s([^?]{3,400}?)(?:(?:,|${CUT})\s*(?=${CLAUSE})|\.\s+(?=${QUESTION}))`,
);
/** 'Lease with A: may the tenant sublet?' */
const title = expression(
  String.raw`^([^?,;:–—]{0,120}?${DOCUMENT}[^?]{0,300}?)${CUT}(?=${QUESTION}|${CLAUSE})`,
);
/** 'What is the term of the Lease between A and B?': the last possible beginning of the name. */
const ending = expression(
  String.raw`^(.+)\s(?:of|in|under|to|by|from|for|per)\s((?:the|this|our|your)\s[^?;]{0,120}?${DOCUMENT}\s${BETWEEN}\s[^?]{3,300})\??\s*$`,
);
/** 'What is the term under the Supply Agreement?': a name in capitals. */
const capitals = expression(
  String.raw`^(.+)\s(?:in|under|according to|pursuant to|per)\s(?:the|our|your)\s((?:["“]?(?-i:\p{Lu})[^\s?;]*\s(?:(?:and|of|for|&)\s)?){1,8}(?-i:\p{Lu})[^\s?;]*)\??\s*$`,
);

/** Ways to read a question that names its document, the likeliest first; the first with something to ask is meant. */
export function* namings(question: string): Generator<Naming> {
  yield* atSemicolons(question);
  const opened = opening.exec(question);
  if (isName.test(opened?.[1] ?? '')) yield* before(question, opened);
  yield* before(question, title.exec(question));
  const capital = capitals.exec(question);
  const ended = ending.exec(question) ?? (isTitle.test(capital?.[2] ?? '') ? capital : null);
  if (ended) yield { naming: ended[2] ?? '', asking: ended[1] ?? '' };
}

function* before(question: string, found: RegExpExecArray | null): Generator<Naming> {
  if (found) yield { naming: found[1] ?? '', asking: question.slice(found[0].length) };
}

/** Cuts before the first part that asks, or else at the last semicolon: those before it separate parties. */
function* atSemicolons(question: string): Generator<Naming> {
  const parts = question.split(';');
  const asks = parts.findIndex((part, at) => at > 0 && isClause.test(part));
  // 'What is the rent; and the deposit?' names nothing.
  if (asks === -1 && asksAtOnce.test(question)) return;
  const cuts = parts.map((_, at) => at).slice(1);
  const last = cuts.toReversed().slice(0, MOST_CUTS);
  for (const at of asks === -1 ? last : [asks, ...last])
    yield { naming: parts.slice(0, at).join(';'), asking: parts.slice(at).join(';') };
}
