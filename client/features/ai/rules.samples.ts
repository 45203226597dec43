/** Questions that documents of a kind usually answer, by words of their names. */
const KINDS: readonly (readonly [RegExp, readonly [string, string, string]])[] = [
  [
    /policy|insurance|coverage/i,
    ['What are the policy limits?', 'Which losses are excluded?', 'When must a claim be reported?'],
  ],
  [
    /lease|rent/i,
    ['How much is the rent?', 'When does the lease end?', 'How can the lease be terminated?'],
  ],
  [
    /complaint|petition|answer|motion|brief|counterclaim|pleading/i,
    [
      'What is alleged against the defendant?',
      'What relief is requested?',
      'Which statutes are cited?',
    ],
  ],
  [
    /deposition|transcript|testimony|affidavit|declaration|statement/i,
    ['Who testifies?', 'What did the witness see?', 'What dates are mentioned?'],
  ],
  [
    /medical|hospital|discharge|treatment|radiology|x-?ray/i,
    ['What was diagnosed?', 'Which treatment was given?', 'When was the patient discharged?'],
  ],
  [
    /order|judgment|ruling|decision|opinion/i,
    [
      'What did the court order?',
      'By when must the parties comply?',
      'What reasons does the court give?',
    ],
  ],
  [
    /invoice|bill|receipt|statement of account/i,
    ['What is the total?', 'When is it due?', 'What was billed?'],
  ],
  [
    /agreement|contract|settlement|terms|license|nda/i,
    ['Who are the parties?', 'How can the agreement be terminated?', 'Which law governs?'],
  ],
  [/\.(?:eml|msg)$/i, ['Who wrote this?', 'What is asked for?', 'What dates are mentioned?']],
];
const OF_FILE = [
  'Who are the parties?',
  'What dates are mentioned?',
  'What amounts are mentioned?',
];
const OF_CASE = [
  'Who are the parties?',
  'What deadlines are mentioned?',
  'Which amounts are claimed?',
];

/** Three questions to begin a chat with, about a file; without a name, about many files. */
export function samplesFor({ name }: { name?: string }): readonly string[] {
  if (name === undefined) return OF_CASE;
  return KINDS.find(([pattern]) => pattern.test(name))?.[1] ?? OF_FILE;
}
