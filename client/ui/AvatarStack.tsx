import { Avatar } from './Avatar.tsx';

interface AvatarStackProps {
  /** Full names, the most important first. */
  names: readonly string[];
  /** How many circles stand before the rest becomes a number. */
  limit?: number;
}

/** A few people as overlapping circles. It is an ornament: the names stand beside it. */
export function AvatarStack({ names, limit = 3 }: AvatarStackProps) {
  return (
    <span aria-hidden="true" className="inline-flex flex-none">
      {names.slice(0, limit).map((name, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- two people may bear one name
        <Avatar key={`${index} ${name}`} name={name} className={index === 0 ? '' : '-ml-1'} />
      ))}
    </span>
  );
}
