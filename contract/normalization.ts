type Form = 'NFC' | 'NFD' | 'NFKC' | 'NFKD';

/** Combining marks in a row, as in the Stream-Safe Text Format of UAX 15. */
export const MARKS_MAX = 30;

/** Marks, and what becomes a mark in NFKC and NFKD. The invisible joiner U+034F ends a run. */
const RUN = /[[\p{M}\uFF9E\uFF9F]--\u034F]+/gv;
/** As many marks as a run may have, and the one that is too many. */
const OVERFLOW = /([[\p{M}\uFF9E\uFF9F]--\u034F]{30})([[\p{M}\uFF9E\uFF9F]--\u034F])/gv;

/**
 * Normalizes a text of any origin. Marks are put into an order in a time that grows with the square of their run, so
 * longer runs are broken first.
 */
export function normalized(text: string, form: Form = 'NFC'): string {
  return withShortRuns(text).normalize(form);
}

/** A text as it is compared, regardless of case. */
export function folded(text: string): string {
  return normalized(text).toLocaleLowerCase();
}

/** A text of the same length in which each mark that is too many is the invisible joiner. */
export function withShortRuns(text: string): string {
  return text.replaceAll(RUN, (run) =>
    run.length > MARKS_MAX
      ? run.replaceAll(
          OVERFLOW,
          (_, kept: string, mark: string) => kept + '\u034F'.repeat(mark.length),
        )
      : run,
  );
}

/** Whether more marks follow one another than any language writes. */
export function hasLongRun(text: string): boolean {
  return withShortRuns(text) !== text;
}
