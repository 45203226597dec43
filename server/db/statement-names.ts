import { createHash, randomBytes } from 'node:crypto';

/** A statement is prepared from this use on, so that texts that occur once or twice cost no memory. */
const WORTHWHILE = 3;
/** Prepared texts per process: every connection and the server keep each of them. */
const MOST = 300;
/** Texts whose uses are counted before the counting starts over. */
const MOST_COUNTED = 2000;
/** Statements with more parameters are lists of varying length, such as rows to insert. */
const MOST_PARAMETERS = 64;
/** A search needs a plan for its own term: a plan for any term treats rare and common ones alike. */
const PLANNED_BY_VALUE = /\bi?like\b|@@|<->|<=>/i;
/** Without parameters, a text may hold several statements, which cannot be prepared: this is one that reads. */
const ONE_READING = /^\s*(?:select|with)\b[^;]*$/i;

/** What is sent for a statement; unnamed, it is parsed and planned for its values each time. */
export type Sent = { text: string; name?: string };

/** Chooses which statements are prepared, and names them by their text. */
export class StatementNames {
  readonly #named = new Map<string, Sent>();
  readonly #uses = new Map<string, number>();
  #schema = '';

  /** @param parameters how many the text has */
  of(text: string, parameters: number): Sent {
    return this.#named.get(text) ?? this.#consider(text, parameters);
  }

  /**
   * Names every statement anew because its prepared form no longer fits the schema. The texts differ too: a connection
   * pooler shares the prepared form of equal texts.
   */
  startOver(outdated: string): void {
    // Of several connections that notice, the first is enough.
    if (!this.#named.delete(outdated)) return;
    this.#named.clear();
    this.#schema = ` /* ${randomBytes(4).toString('hex')} */`;
  }

  #consider(text: string, parameters: number): Sent {
    if (parameters === 0 && !ONE_READING.test(text)) return { text };
    if (parameters > MOST_PARAMETERS) return { text };
    const uses = (this.#uses.get(text) ?? 0) + 1;
    if (uses >= WORTHWHILE && this.#named.size < MOST && !PLANNED_BY_VALUE.test(text))
      return this.#name(text);
    if (this.#uses.size >= MOST_COUNTED) this.#uses.clear();
    this.#uses.set(text, uses);
    return { text };
  }

  #name(text: string): Sent {
    const marked = text + this.#schema;
    // PostgreSQL keeps 63 bytes of a name.
    const name = createHash('sha256').update(marked).digest('base64url').slice(0, 22);
    const sent = { name, text: marked };
    this.#named.set(text, sent);
    return sent;
  }
}
