import { cx } from './cx.ts';

const TONES = [
  'bg-accent-soft text-accent-ink',
  'bg-green-soft text-green',
  'bg-amber-soft text-amber',
  'bg-blue-soft text-blue',
] as const;

/** A name's initials on a color derived from the name. Decorative: show the name next to it. */
export function Avatar({ name, className }: { name: string; className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={cx(
        'grid size-6 flex-none place-items-center rounded-full border-[1.5px] border-surface text-[10.5px]/none font-semibold',
        TONES[toneOf(name)],
        className,
      )}
    >
      {initialsOf(name)}
    </span>
  );
}

/** First letters of the first and last word, by code points so that no letter is split. */
function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return letters
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toLocaleUpperCase();
}

function toneOf(name: string): number {
  let sum = 0;
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 65_521;
  return sum % TONES.length;
}

interface AvatarStackProps {
  /** Full names, the most important first. */
  names: readonly string[];
  /** Number of circles. */
  limit?: number;
}

/** A few people as overlapping circles. Decorative: show the names next to it. */
export function AvatarStack({ names, limit = 3 }: AvatarStackProps) {
  return (
    <span aria-hidden="true" className="inline-flex flex-none">
      {names.slice(0, limit).map((name, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- two people may share a name
        <Avatar key={`${index} ${name}`} name={name} className={index === 0 ? '' : '-ml-1'} />
      ))}
    </span>
  );
}
