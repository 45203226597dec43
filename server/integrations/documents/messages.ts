/** Start of a heading, paragraph or row in a page's text. */
export type Mark = {
  /** UTF-16 units from the start of the page. */
  at: number;
  /** 1 to 9 for a heading, 0 for certainly none; absent: judge by the text. */
  level?: number;
  /** Location in formats without pages: 'Sheet 2, row 14'. */
  location?: string;
};

export type Page = { page: number; text: string; marks: Mark[]; isScanned: boolean };

export type Passage = {
  page: number;
  /** UTF-16 units from the start of the document. */
  start: number;
  end: number;
  /** 'Article 5 › Limitation of liability'; empty without a heading. */
  heading: string;
  location: string | null;
  text: string;
};

/** Order to the child, before the bytes or the pages. */
export type Order =
  | {
      task: 'extract';
      kind: string;
      /** Bytes that follow. */
      size: number;
      /** First missing page. */
      from: number;
    }
  | { task: 'divide'; hasPages: boolean };

/** Messages of the child, one JSON line each. */
export type Message =
  | { type: 'begin'; pages: number }
  | { type: 'page'; page: Page }
  | { type: 'passage'; passage: Passage }
  /** What was skipped, in words for users. */
  | { type: 'note'; text: string }
  /** A heartbeat while work goes on. */
  | { type: 'alive' }
  | { type: 'unreadable'; reason: string }
  | { type: 'end' };
