import type { Jurisdiction } from '@matterdesk/contract/court-rules.ts';
import { Button } from '../../../ui/Button.tsx';

interface CourtRowProps {
  court: Jurisdiction;
  mayEdit: boolean;
  onEdit: () => void;
}

/** A jurisdiction and the years for which its holidays are known. */
export function CourtRow({ court, mayEdit, onEdit }: CourtRowProps) {
  const { name, timeZone, holidays } = court;
  const [first, last] = [holidays.at(0)?.date.slice(0, 4), holidays.at(-1)?.date.slice(0, 4)];
  const years = first === undefined ? 'no holidays yet' : `holidays of ${first} to ${last}`;
  return (
    <li className="flex min-h-11 items-center justify-between gap-4 border-b border-line py-2">
      <div className="min-w-0">
        <p className="font-medium">{name}</p>
        <p className="text-note text-ink-2">
          {timeZone} · {years}
        </p>
      </div>
      {mayEdit && (
        <Button size="small" onClick={onEdit} aria-label={`Edit ${name}`}>
          Edit
        </Button>
      )}
    </li>
  );
}
