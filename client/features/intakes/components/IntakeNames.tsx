import type { Intake, IntakeDetail } from '@matterdesk/contract/intakes.ts';
import Copy from 'lucide-react/icons/copy';
import { Link } from 'react-router';
import { paths } from '../../../core/paths.ts';
import { roleNames } from '../rules.ts';
import { CheckMark } from './CheckMark.tsx';
import { PanelPart } from './PanelPart.tsx';

interface IntakeNamesProps {
  intake: Intake;
  duplicates: IntakeDetail['duplicates'];
  onOpen: (id: string) => void;
}

/** Who is involved, where the conflict check stands, and who may be the same person. */
export function IntakeNames({ intake, duplicates, onOpen }: IntakeNamesProps) {
  const names = [{ name: intake.name, role: 'client' as const }, ...intake.parties];
  return (
    <PanelPart title="Names and conflicts" aside={<CheckMark check={intake.check} />}>
      <ul className="space-y-1.5">
        {names.map(({ name, role }) => (
          <li key={`${role} ${name}`} className="wrap-anywhere">
            {name} <span className="text-ink-2">· {roleNames[role]}</span>
          </li>
        ))}
      </ul>
      {duplicates.map(({ kind, id, reason }) => (
        <p key={`${kind} ${id}`} className="mt-2 flex items-center gap-1.5 text-note text-ink-2">
          <Copy className="size-3.5 flex-none" />
          {reason}
          {kind === 'intake' && (
            <button type="button" className="link" onClick={() => onOpen(id)}>
              Show
            </button>
          )}
          {kind === 'contact' && (
            <Link className="link" to={paths.contact(id)}>
              Show
            </Link>
          )}
        </p>
      ))}
    </PanelPart>
  );
}
