/** Something that begins at an offset of a page's text: a heading, a paragraph, a row. */
export type Mark = {
  /** UTF-16 units from the beginning of the page. */
  at: number;
  /** 1 to 9 for a heading, 0 for what surely is none; absent: judge by the text. */
  level?: number;
  /** Where it stands in formats without pages: 'Sheet 2, row 14'. */
  location?: string;
};

export type Page = { page: number; text: string; marks: Mark[]; isScanned: boolean };

export type Passage = {
  page: number;
  /** UTF-16 units from the beginning of the document. */
  start: number;
  end: number;
  /** 'Article 5 › Limitation of liability'; empty without one. */
  heading: string;
  location: string | null;
  text: string;
};

/** What the child is asked, before the bytes or the pages. */
export type Order =
  | {
      task: 'extract';
      kind: string;
      /** Bytes that follow. */
      size: number;
      /** First page that is still missing. */
      from: number;
    }
  | { task: 'divide'; hasPages: boolean };

/** What the child says, one JSON line each. */
export type Message =
  | { type: 'begin'; pages: number }
  | { type: 'page'; page: Page }
  | { type: 'passage'; passage: Passage }
  /** Something was left out; in words for the person. */
  | { type: 'note'; text: string }
  /** There is nothing to tell yet, but work goes on. */
  | { type: 'alive' }
  | { type: 'unreadable'; reason: string }
  | { type: 'end' };
