/**
 * Every number that the ranking depends on, so that it can be tuned here alone. The weight of a word that the question
 * itself says is 1; lengths are in UTF-16 units. `npm run eval:ai -- <directory> --sweep` measures each number at half
 * and at twice its value. "Sample" is what that changed on the questions that are shipped.
 */
export const weights = {
  // Reading a question.

  /** A word carried over from the turn that the question points back at. */
  carried: 0.5,
  /** The same where the question is only short: enough to choose between passages that are equal otherwise. */
  carriedByShort: 0.1,
  /** A word of the vocabulary that the question does not say. */
  hint: 0.4,
  /** A question with fewer words of its own may lean on the turn before. */
  enoughWords: 3,
  /** A pronoun in a question of more words points at something in the question itself. */
  mostPointing: 5,
  /** Turns that a question may point back at. */
  turnsRemembered: 3,
  /** A word that only says which document is meant. */
  naming: 0.15,
  /** Such a word where the question is asked of every document. */
  looseName: 0.3,
  /** Terms that a question is ranked by. */
  mostTerms: 80,

  // Ranking passages: the rank of each term times its weight times what it is worth, in parts of the best score.

  /** A word in a heading; 1 in the text. */
  heading: 1,
  /** Added where a document begins, to questions that its front page answers. */
  frontPage: 0.7,
  /** Length of a front page. */
  frontLength: 1500,
  /** Where `frontPage`, which fades from the first character on, would be used up. */
  frontFade: 2250,

  // Ranking again by what the first passages speak of besides.

  /** Passages that are learned from, and that keep their places. */
  teachers: 3,
  /** Words learned. */
  mostLearned: 20,
  /** The word that they speak of most. */
  learned: 0.3,
  /** Letters that a learned word has at least. */
  shortestLearned: 3,
  /** Softens the first ranks when the two rankings are fused: the lower, the more a first rank counts. */
  secondRanking: 10,

  // Choosing documents of a case.

  /** Documents that a question is looked up in that names one. */
  documents: 6,
  /** Length of a document's beginning that, with its name, is its card. */
  cardLength: 1500,
  /** A word in a document's name, in occurrences of it at its beginning. */
  inName: 2,
  /** Occurrences after which more of them add little (k1 of BM25). */
  cardSaturation: 1.2,
  /** Share of the question's weight that names have to carry before the choice of documents follows them. */
  named: 0.25,
  /** A word on the cards of a larger share of the documents names none of them. */
  common: 0.3,
  /** Added to the passages of a document that a question may name, in parts of the best score. */
  maybeNamed: 0.4,
  /** Length of the text of a case up to which all its passages are ranked. */
  smallCase: 9_000_000,
  /** In larger ones: passages that the rarest words may bring in together, those ranked by them, and their documents. */
  mostRows: 15_000,
  candidates: 1500,
  mostDocuments: 40,

  // Where no word of the question occurs.

  /** Documents and passages whose words are compared with those of the question. */
  spellingDocuments: 40,
  spellingPassages: 4000,
  /** Letters of the question's words that are too few to compare. */
  tooShort: 4,
  /** Likeness of two spellings by their trigrams, of 1. */
  alike: 0.45,
  /** Spellings that stand in for a word. */
  mostAlike: 3,

  // Ranking by meaning, where there is an embedding model.

  /** Documents whose vectors take part. */
  vectorDocuments: 6,
  /** Length of a document's beginning that each of its vectors includes. */
  summaryLength: 150,
  /** Passages of each of the two rankings that are fused. */
  fusedDepth: 50,
  /** Softens the first ranks of both. */
  byMeaning: 60,
  /** Part of the way from the usual likeness to a complete one from which a passage stands out. */
  standsOut: 0.35,

  // Confidence, in parts of what a perfect passage would score.

  /** From here a passage answers. */
  answers: 0.5,
  /** From here a passage may answer. */
  mayAnswer: 0.25,
  /** Added where the best passage is where the question leads. */
  led: 0.25,
  /** A further passage is shown from this share of the best score. */
  nearly: 0.6,
  /** Passages shown. */
  mostShown: 3,

  // The sentence of a passage that is quoted (k1 and b of BM25).

  sentenceSaturation: 1.5,
  sentenceLength: 0.5,
};
