/** A text from which a task, an event or a deadline is made; with its entry, which then shows what was made. */
export type MadeFrom = {
  title: string;
  text: string;
  source?: { type: 'entry'; id: string } | null;
};
