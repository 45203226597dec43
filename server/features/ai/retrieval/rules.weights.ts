/**
 * Every number that the ranking depends on. The weight of a word that the question itself says is 1; lengths are in
 * UTF-16 units. `npm run eval:ai -- <directory> --sweep` measures each number at half and at twice its value.
 *
 * "Sample" is what that did on the shipped questions, in file and case-wide: of 80 with an answer 69 are right by the
 * first passage and 59 called an answer (confident), of 26 without one 6 are not called missing (misled). Where nothing
 * is said, the sample did not change: it has no turns before, no misspelled words, no large case and no model.
 */
export const weights = {
  // Reading a question.

  /** A word carried over from the turn that the question points back at. */
  carried: 0.5,
  /** The same where the question is only short: enough to choose between passages that are equal otherwise. */
  carriedByShort: 0.1,
  /** A word of the vocabulary. Sample: at 0 right −15, confident −23; half: confident −13; twice: right −2, misled +2. */
  hint: 0.4,
  /** A question with fewer words of its own may lean on the turn before. */
  enoughWords: 3,
  /** A pronoun in a question of more words points at something in the question itself. */
  mostPointing: 5,
  /** Turns that a question may point back at. */
  turnsRemembered: 3,
  /** A word that only says which document is meant, inside that document. Sample: at 0 right −2; half: right −1. */
  naming: 0.15,
  /** Such a word where every document of the case is ranked. */
  looseName: 0.3,
  /** Terms that a question is ranked by. */
  mostTerms: 80,

  // Ranking passages: each term's rank times its weight times what it is worth, in parts of the best score.

  /** A word in a heading; 1 in the text, and PostgreSQL takes no more. Sample: at 0 right −1; half: right +1, misled +1. */
  heading: 1,
  /** Added where a document begins, for questions that its front page answers. Sample: at 0 right −4; half: right −1. */
  frontPage: 0.7,
  /** Length of a front page. */
  frontLength: 1500,
  /** Where `frontPage`, which fades from the first character on, would reach 0. */
  frontFade: 2250,

  // Ranking again by what the first passages speak of besides. 275 questions about licenses: hit@8 +0.4 in file and
  // +1.1 case-wide; half and twice of `learned` and twice of `mostLearned` made less than 0.5 of a point of difference.

  /** Passages that are learned from, and that keep their places. */
  teachers: 3,
  /** Words learned. */
  mostLearned: 20,
  /** The word that they speak of most. */
  learned: 0.3,
  /** Letters that a learned word has at least. */
  shortestLearned: 3,
  /** Softens the first ranks where both rankings are fused: the lower, the more a first rank counts. */
  secondRanking: 10,

  // Choosing documents of a case. 348 generated contracts: hit@1 case-wide within 3 points of hit@1 in file.

  /** Documents in which a question is looked up that names one. */
  documents: 6,
  /** Length of a document's beginning that, with its name, is its card. */
  cardLength: 1500,
  /** A word in a document's name, in occurrences at its beginning. */
  inName: 2,
  /** How slowly further occurrences add less (k1 of BM25). */
  cardSaturation: 1.2,
  /** Share of the question's weight that names have to carry before the choice of documents follows them. */
  named: 0.25,
  /** A word on the cards of a larger share of the documents names none of them. */
  common: 0.3,
  /** Added to the passages of a document that the question may name, in parts of the best score. */
  maybeNamed: 0.4,
  /** Length of the texts of a case up to which all its passages are ranked. */
  smallCase: 9_000_000,
  /** In larger cases: passages that the rarest words may bring in together, */
  mostRows: 15_000,
  /** how many of them are ranked, */
  candidates: 1500,
  /** and the documents that these choose. */
  mostDocuments: 40,

  // Where no word of the question occurs: spellings that are near.

  /** Documents whose words are compared with those of the question. */
  spellingDocuments: 40,
  /** Passages whose words are compared. */
  spellingPassages: 4000,
  /** Letters of a word that is too short to compare. */
  tooShort: 4,
  /** Likeness by trigrams, of 1, that is near. Sample: half: misled +4; twice: the same. */
  alike: 0.45,
  /** Spellings that stand in for one word. */
  mostAlike: 3,

  // Ranking by meaning, where there is an embedding model. Not measured: none was at hand.

  /** Documents whose vectors take part. */
  vectorDocuments: 6,
  /** Length of a document's beginning that each of its vectors includes. */
  summaryLength: 150,
  /** Passages of each ranking that are fused. */
  fusedDepth: 50,
  /** Softens the first ranks of both rankings. */
  byMeaning: 60,
  /** How far, from the usual likeness to a complete one, a passage stands out. */
  standsOut: 0.35,

  // Confidence, in parts of what a perfect passage would score.

  /** From here a passage answers. Sample: half: confident +15; twice: confident −44. */
  answers: 0.5,
  /** From here a passage may answer. Sample: half: misled +8; twice: misled −5. */
  mayAnswer: 0.25,
  /** Added where the best passage is on the front page that the question asks for. */
  led: 0.25,
  /** A further passage is shown from this share of the best score. */
  nearly: 0.6,
  /** Passages shown. */
  mostShown: 3,

  // The sentence of a passage that is quoted (k1 and b of BM25); the evaluation looks at passages only.

  sentenceSaturation: 1.5,
  sentenceLength: 0.5,
};
