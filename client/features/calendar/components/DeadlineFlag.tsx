import Flag from 'lucide-react/icons/flag';

/** Hangs on the line at a hard deadline's time. */
export function DeadlineFlag() {
  return (
    <span className="absolute top-0 right-1 grid size-5 place-items-center rounded-b-[5px] bg-ink text-paper">
      <Flag className="size-3" />
    </span>
  );
}
