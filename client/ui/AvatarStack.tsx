import { Avatar } from './Avatar.tsx';

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
