/**
 * Every number that the ranking depends on. A word in the question itself weighs 1; lengths are in UTF-16 units.
 * `npm run eval:ai -- <directory> --sweep` measures each number at half and at twice its value.
 *
 * "Sample" is the effect on the shipped questions, in file and case-wide: of 80 questions with an answer, the first
 * passage is right for 70 and 56 are called an answer (confident); of 26 without one, 7 are not called missing
 * (misled). Numbers without a note had no effect: the sample has no follow-ups, misspellings, large cases or models.
 */
export const weights = {
  // Reading a question.

  /** A word carried over from the turn that the question refers to. */
  carried: 0.5,
  /** The same when the question is only short: enough to break a tie between passages. */
  carriedByShort: 0.1,
  /** A word of the vocabulary. Sample: at 0 right −15, confident −23; half: confident −13; twice: right −2, misled +2. */
  hint: 0.4,
  /** A question with fewer content words may depend on the previous turn. */
  enoughWords: 3,
  /** In a question of more words, a pronoun refers to something in the question itself. */
  mostPointing: 5,
  /** Turns that a question may refer to. */
  turnsRemembered: 3,
  /** A word that only identifies the document, inside that document. Sample: at 0 right −2; half: right −1. */
  naming: 0.15,
  /** The same when every document of the case is ranked. */
  looseName: 0.3,
  /** Most terms that a question is ranked by. */
  mostTerms: 80,

  // Ranking passages: each term's rank times its weight times its inverse frequency, relative to the best score.

  /** A word in a heading, at most 1 as in the text. Sample: at 0 right −1; half: right +1, misled +1. */
  heading: 1,
  /** Added at a document's start, for questions that a front page answers. Sample: at 0 right −4; half: right −1. */
  frontPage: 0.7,
  frontLength: 1500,
  /** Offset at which `frontPage`, fading from the first character, would reach 0. */
  frontFade: 2250,

  // Relevance feedback: ranking again with other words of the first passages. 275 questions about licenses: hit@8 +0.4
  // in file and +1.1 case-wide; half and twice of `expansion` and twice of `expansionTerms` changed it by less than 0.5.

  /** Passages that the words come from; they keep their ranks. */
  feedbackPassages: 3,
  /** Most words added. */
  expansionTerms: 20,
  /** The most frequent of these words. */
  expansion: 0.3,
  /** Fewest letters of such a word. */
  shortestExpansion: 3,
  /** Softness when both rankings are fused: the lower it is, the more the first ranks count. */
  secondRanking: 10,

  // Choosing documents of a case. 348 generated contracts: hit@1 case-wide within 3 points of hit@1 in file.

  /** Most documents searched when a question names one. */
  documents: 6,
  /** Length of a file's beginning that is matched beside its name. */
  openingLength: 1500,
  /** Occurrences at its beginning that a word in a document's name is worth. */
  inName: 2,
  /** Saturation of repeated occurrences (k1 of BM25): slower when higher. */
  fileSaturation: 1.2,
  /** Share of the question's weight that names must carry to choose the documents. */
  named: 0.25,
  /** A word in a larger share of the files does not name a document. */
  common: 0.3,
  /** From this share of the best file's score another document may be the one that is named. */
  rival: 0.9,
  /** Added to the passages of a document that the question may name, relative to the best score. */
  maybeNamed: 0.4,
  /** Length of a case's texts up to which all its passages are ranked. */
  smallCase: 9_000_000,
  /** In larger cases: most passages that the rarest words select together, */
  mostRows: 15_000,
  /** how many of them are ranked, */
  candidates: 1500,
  /** and the documents that these choose. */
  mostDocuments: 40,

  // Near spellings, when no word of the question occurs.

  /** Documents whose words are compared with those of the question. */
  spellingDocuments: 40,
  /** Passages whose words are compared. */
  spellingPassages: 4000,
  /** Words of this many letters or fewer are not compared. */
  tooShort: 4,
  /** Least trigram similarity of a near spelling, of 1. Sample: half: misled +4; twice: the same. */
  spellingLikeness: 0.45,
  /** Most near spellings per word. */
  mostSpellings: 3,

  // Ranking by meaning, with an embedding model. Measured with a small model alone (docs/performance-ai.md).

  /** Most documents whose vectors are compared. */
  vectorDocuments: 6,
  /** Length of the document's beginning that is part of each of its vectors. */
  summaryLength: 150,
  /** Most passages fused from each ranking. */
  fusedDepth: 50,
  /** Softness of the fusion. */
  byMeaning: 60,
  /** Least share of the way from the usual similarity to 1 at which a passage stands out. */
  standsOut: 0.35,

  // Confidence.

  /**
   * From this product of share, evidence and lead a passage answers. Of 216 short questions about licenses whose answer
   * was removed 5 in 100 are called an answer, and 22 when the share alone decided.
   */
  answers: 0.5,
  /** Next best passages that the best one is compared with. */
  nextPassages: 8,
  /** From this share of a perfect passage's score a passage may answer. Sample: half: misled +8; twice: misled −5. */
  mayAnswer: 0.25,
  /** Added when the best passage is on the front page that the question asks for. */
  favored: 0.25,
  /** Another passage is shown from this share of the best score. */
  shownShare: 0.6,
  /** Most passages shown. */
  mostShown: 3,

  // Choosing the quoted sentence (k1 and b of BM25); not measured, because the evaluation compares passages.

  sentenceSaturation: 1.5,
  sentenceLength: 0.5,
  /** The form of an answer, such as a date for 'when', in times of the passage's best word. */
  answerForm: 1.5,
  /** From this share of the question's words a sentence may answer it, although its passage does not. */
  nearAnswer: 0.5,
};
