type Reason = { pattern: RegExp; sentence: (directory: string) => string };

const REASONS: Reason[] = [
  {
    pattern: /no space left on device|disk quota exceeded|check free disk space/i,
    sentence: (directory) => `The disk that holds ${directory} is full`,
  },
  {
    pattern: /read-only file system/i,
    sentence: (directory) => `${directory} is on a file system that is read-only`,
  },
  {
    pattern: /permission denied|operation not permitted|wrong ownership|invalid permissions/i,
    sentence: (directory) => `Matterdesk needs read and write access to everything in ${directory}`,
  },
  {
    pattern: /cannot allocate memory|could not create shared memory|out of memory/i,
    sentence: () => 'There is not enough memory for PostgreSQL',
  },
];

/** One sentence for the administrator; the complete output or error stays in `cause`. */
export function explainFailure(directory: string, failure: unknown): Error {
  const output = failure instanceof Error ? failure.message : String(failure);
  const reason = REASONS.find(({ pattern }) => pattern.test(output));
  const detail = mostSevere(output);
  const sentence = reason
    ? `${reason.sentence(directory)} (${detail})`
    : `PostgreSQL does not work in ${directory}: ${detail}`;
  return new Error(sentence, { cause: failure });
}

function mostSevere(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const severe = lines.findLast((line) => /(FATAL|PANIC|ERROR|error):/.test(line));
  return (severe ?? lines.at(-1) ?? 'it said nothing')
    .replace(/^.*?(FATAL|PANIC|ERROR|error): */, '')
    .trim();
}
