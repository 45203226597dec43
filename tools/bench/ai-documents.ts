// Measurements of speed and memory.

const TOPICS = [
  ['Rent', 'rent', 'the tenant shall pay', 'dollars on the first day of each month'],
  [
    'Insurance',
    'insurance',
    'the contractor shall carry coverage of',
    'dollars for each occurrence',
  ],
  [
    'Termination',
    'termination',
    'either party may end this agreement on',
    'days of written notice',
  ],
  ['Confidentiality', 'secrets', 'the recipient shall keep secret for', 'months what it learns'],
  ['Warranty', 'warranty', 'the seller shall repair defects reported within', 'days of delivery'],
  ['Liability', 'liability', 'the liability of either party shall not exceed', 'dollars in a year'],
  ['Delivery', 'delivery', 'the carrier shall deliver the goods within', 'days after the order'],
  ['Audit', 'audit', 'the client may inspect the books on', 'days of notice'],
] as const;

const NAMES = 'Harrow Pine Quill Castel Lumen Meadow Tide Ferry Oak Birch Stone Vale'.split(' ');
const KINDS = 'Lease Supply License Consulting Purchase Service Loan Agency'.split(' ');

/** Deterministic, the same in every run. */
function sequence(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor((state / 2147483648) * below);
  };
}

/** A contract clause, wrapped at 95 characters. */
function clause(number: number, next: (below: number) => number): string[] {
  const [title, word, says, ends] = TOPICS[next(TOPICS.length)] ?? TOPICS[0];
  const sentences = [
    `${number}.1 As to ${word} number ${number}, ${says} ${next(9000) + 100} ${ends}.`,
    `${number}.2 Exhibit ${next(90) + 1} describes the ${word} of unit ${next(500)} in greater detail, and prevails.`,
    `${number}.3 Notices under this article reach party ${next(40) + 1} at its address of record by certified mail.`,
  ];
  return [`${number}. ${title}`, ...sentences.flatMap(wrap), ''];
}

function wrap(sentence: string): string[] {
  return sentence.match(/.{1,94}(?:\s|$)/g)?.map((line) => line.trimEnd()) ?? [];
}

/** Pages of a long contract as lists of lines. */
export function contractPages(pages: number, seed: number): string[][] {
  const next = sequence(seed);
  let number = 0;
  return Array.from({ length: pages }, () => {
    const lines: string[] = [];
    while (lines.length < 40) lines.push(...clause((number += 1), next));
    return lines;
  });
}

export type Contract = { name: string; text: string; question: string };

/** A contract of the case, with a question that names it. */
export function contract(at: number): Contract {
  const next = sequence(at + 1);
  const name = (offset: number) =>
    `${NAMES[(at + offset) % NAMES.length]}${NAMES[Math.floor(at / NAMES.length) % NAMES.length]?.toLowerCase()} ${at}`;
  const kind = KINDS[at % KINDS.length] ?? 'Service';
  const [first, second] = [name(0), name(5)];
  const head = `${kind.toUpperCase()} AGREEMENT\n\nThis ${kind} Agreement is made between ${first} LLC and ${second} Inc.`;
  const clauses = Array.from({ length: 24 }, (_, number) => clause(number + 1, next).join('\n'));
  return {
    name: `${kind} Agreement ${first}.txt`,
    text: `${head}\n\n${clauses.join('\n')}`,
    question: `Consider the ${kind} Agreement between ${first} and ${second}; how many days of notice end it?`,
  };
}
